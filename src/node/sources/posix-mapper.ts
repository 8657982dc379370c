import koffi from 'koffi';
import type { Mapper } from './mapping.ts';

/** From <sys/mman.h>; the same on Linux and macOS. */
const PROT_READ = 1;
const MAP_SHARED = 1;
const MAP_FAILED = -1;
/** Linux 5.14: fault pages in, answering EFAULT where a copy would raise SIGBUS. */
const MADV_POPULATE_READ = 22;
const EINVAL = koffi.os.errno.EINVAL;
/** Mappings begin at page boundaries; 4096 divides every page size in use. */
const PAGE = 4096;

const functions = () => {
  const libc = koffi.load(null);
  return {
    mmap: libc.func(
      'intptr_t mmap(intptr_t address, size_t length, int protection, int flags, int fd, int64_t offset)',
    ),
    munmap: libc.func('int munmap(intptr_t address, size_t length)'),
    madvise: libc.func('int madvise(intptr_t address, size_t length, int advice)'),
    memcpy: libc.func('intptr_t memcpy(void *target, intptr_t source, size_t length)'),
  };
};

/**
 * Maps files by `mmap` of the C library (Linux, macOS). Electron forbids buffers over foreign memory, so bytes are copied
 * out of the mapping.
 *
 * On Linux every copy is preceded by `MADV_POPULATE_READ`, so a file that shrank yields an error instead of SIGBUS. Where
 * the kernel does not know it (before 5.14, macOS) `faultsSafely` is false.
 */
export const posixMapper = (): Mapper => {
  const { mmap, munmap, madvise, memcpy } = functions();
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
        unmap: () => {
          munmap(address, length);
        },
      };
    },
  };
};
