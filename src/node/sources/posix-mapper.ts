import { pid, platform } from 'node:process';
import koffi, { type LibraryHandle } from 'koffi';
import type { Mapper } from './mapping.ts';

/** From <sys/mman.h>; the same on Linux and macOS. */
const PROT_READ = 1;
const MAP_SHARED = 1;
const MAP_FAILED = -1;
/** Linux 5.14: fault pages in, answering EFAULT where a copy would raise SIGBUS. */
const MADV_POPULATE_READ = 22;
const { EINVAL, EFAULT } = koffi.os.errno;
/** Mappings begin at page boundaries; 4096 divides every page size in use. */
const PAGE = 4096;

/** Copies memory into a buffer; the bytes copied, −1 when there are none. */
type MemoryReader = (from: number, target: Uint8Array) => number;

/**
 * `process_vm_readv` on this very process (Linux 3.2): a copy the kernel makes, which answers EFAULT where a copy of our own
 * would raise SIGBUS. Nothing can come between a check and the copy.
 */
const memoryReader = (libc: LibraryHandle): MemoryReader | undefined => {
  if (platform !== 'linux') {
    return undefined;
  }
  const into = koffi.pointer(koffi.struct({ base: 'void *', length: 'size_t' }));
  const from = koffi.pointer(koffi.struct({ base: 'intptr_t', length: 'size_t' }));
  const read = libc.func('process_vm_readv', 'intptr_t', ['int', into, 'ulong', from, 'ulong', 'ulong']);
  return (address, target) => {
    const length = target.byteLength;
    return Number(read(pid, { base: target, length }, 1, { base: address, length }, 1, 0));
  };
};

const functions = () => {
  const libc = koffi.load(null);
  return {
    mmap: libc.func(
      'intptr_t mmap(intptr_t address, size_t length, int protection, int flags, int fd, int64_t offset)',
    ),
    munmap: libc.func('int munmap(intptr_t address, size_t length)'),
    madvise: libc.func('int madvise(intptr_t address, size_t length, int advice)'),
    memcpy: libc.func('intptr_t memcpy(void *target, intptr_t source, size_t length)'),
    readMemory: memoryReader(libc),
  };
};

/**
 * Maps files by `mmap` of the C library (Linux, macOS). Electron forbids buffers over foreign memory, so bytes are copied
 * out of the mapping.
 *
 * On Linux the kernel makes the copies, so a file that shrinks yields an error instead of SIGBUS, whenever it shrinks. Where
 * a sandbox forbids that, every copy is preceded by `MADV_POPULATE_READ`, which leaves the moment between the two. Where the
 * kernel does not know that either (before 5.14, macOS) `faultsSafely` is false.
 */
export const posixMapper = (): Mapper => {
  const { mmap, munmap, madvise, memcpy, readMemory } = functions();
  const populate = (from: number, length: number): boolean => {
    const page = from - (from % PAGE);
    return madvise(page, from + length - page, MADV_POPULATE_READ) === 0;
  };
  return {
    map: ({ descriptor }, length) => {
      const address = Number(mmap(0, length, PROT_READ, MAP_SHARED, descriptor, 0));
      if (address === MAP_FAILED || !Number.isSafeInteger(address)) {
        return undefined;
      }
      const unmap = (): void => {
        munmap(address, length);
      };
      if (readMemory !== undefined && isAllowed(readMemory, address)) {
        const copy = (offset: number, target: Uint8Array): boolean =>
          readMemory(address + offset, target) === target.byteLength;
        return { faultsSafely: true, copy, unmap };
      }
      const faultsSafely = populate(address, 1) || koffi.errno() !== EINVAL;
      return {
        faultsSafely,
        copy: (offset, target) => {
          if (faultsSafely && !populate(address + offset, target.byteLength)) {
            return false;
          }
          memcpy(target, address + offset, target.byteLength);
          return true;
        },
        unmap,
      };
    },
  };
};

/** Whether this process may read its own memory by system call; a page that is gone already does not tell otherwise. */
const isAllowed = (read: MemoryReader, address: number): boolean =>
  read(address, new Uint8Array(1)) === 1 || koffi.errno() === EFAULT;
