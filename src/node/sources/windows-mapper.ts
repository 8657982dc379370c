import koffi from 'koffi';
import type { Mapper } from './mapping.ts';

/** From <winnt.h>, <fileapi.h> and <memoryapi.h>. */
const GENERIC_READ = 0x80000000;
const FILE_SHARE_ALL = 0x07;
const OPEN_EXISTING = 3;
const FILE_ATTRIBUTE_NORMAL = 0x80;
const PAGE_READONLY = 0x02;
const FILE_MAP_READ = 0x04;
const INVALID_HANDLE = -1;

const functions = () => {
  const kernel = koffi.load('kernel32.dll');
  return {
    createFile: kernel.func(
      'intptr_t __stdcall CreateFileW(str16 path, uint32_t access, uint32_t share, intptr_t security, uint32_t disposition, uint32_t flags, intptr_t template)',
    ),
    fileSize: kernel.func('int __stdcall GetFileSizeEx(intptr_t file, _Out_ int64_t *size)'),
    createFileMapping: kernel.func(
      'intptr_t __stdcall CreateFileMappingW(intptr_t file, intptr_t security, uint32_t protect, uint32_t sizeHigh, uint32_t sizeLow, intptr_t name)',
    ),
    mapView: kernel.func(
      'intptr_t __stdcall MapViewOfFile(intptr_t mapping, uint32_t access, uint32_t offsetHigh, uint32_t offsetLow, size_t length)',
    ),
    unmapView: kernel.func('int __stdcall UnmapViewOfFile(intptr_t address)'),
    closeHandle: kernel.func('int __stdcall CloseHandle(intptr_t handle)'),
    moveMemory: kernel.func('void __stdcall RtlMoveMemory(void *target, intptr_t source, size_t length)'),
  };
};

/**
 * Maps files by `CreateFileMapping` and `MapViewOfFile` (Windows). The path is opened a second time, since Node's
 * descriptors belong to its own C runtime; a file of another size than the one opened first is refused. While a view is
 * mapped Windows lets nobody truncate the file on a local disk (ERROR_USER_MAPPED_FILE); network paths must be read by
 * position. Not run on Windows yet: see build/README.md.
 */
export const windowsMapper = (): Mapper => {
  const api = functions();
  const openView = (file: number, length: number): { address: number; mapping: number } | undefined => {
    const size = [0];
    if (api.fileSize(file, size) === 0 || Number(size[0]) !== length) {
      return undefined;
    }
    const mapping = Number(api.createFileMapping(file, 0, PAGE_READONLY, 0, 0, 0));
    if (mapping === 0) {
      return undefined;
    }
    const address = Number(api.mapView(mapping, FILE_MAP_READ, 0, 0, length));
    if (address === 0 || !Number.isSafeInteger(address)) {
      api.closeHandle(mapping);
      return undefined;
    }
    return { address, mapping };
  };
  return {
    map: ({ path }, length) => {
      if (path.startsWith('\\\\') || path.startsWith('//')) {
        return undefined;
      }
      const file = Number(
        api.createFile(path, GENERIC_READ, FILE_SHARE_ALL, 0, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, 0),
      );
      if (file === INVALID_HANDLE) {
        return undefined;
      }
      const view = openView(file, length);
      if (view === undefined) {
        api.closeHandle(file);
        return undefined;
      }
      return {
        faultsSafely: false,
        copy: (offset, target) => {
          api.moveMemory(target, view.address + offset, target.byteLength);
          return true;
        },
        unmap: () => {
          api.unmapView(view.address);
          api.closeHandle(view.mapping);
          api.closeHandle(file);
        },
      };
    },
  };
};
