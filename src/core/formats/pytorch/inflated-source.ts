import type { ByteSource } from '../../bytes/byte-source.ts';
import { ClosedError, FileChangedError } from '../../errors.ts';
import { readMember } from '../zip/read-member.ts';
import type { ZipMember } from '../zip/zip-types.ts';

/**
 * A compressed member as a source of its own: inflated as a whole when it is first read, at most to the size it declares,
 * and kept. Its CRC must agree.
 */
export const inflatedSource = (archive: ByteSource, member: ZipMember): ByteSource => {
  let content: Promise<Uint8Array> | undefined;
  let open = true;
  return {
    name: member.name,
    size: member.bytes,
    read: async (offset, target) => {
      if (!open) {
        throw new ClosedError(member.name);
      }
      content ??= readMember(archive, member, { file: archive.name });
      const bytes = await content;
      if (bytes.length - offset < target.length) {
        throw new FileChangedError(`member ${member.name} has ${bytes.length} bytes, ${member.bytes} are declared`);
      }
      target.set(bytes.subarray(offset, offset + target.length));
    },
    close: () => {
      open = false;
      content = undefined;
    },
  };
};
