import type { ByteSource } from '../../core/bytes/byte-source.ts';
import type { FileIdentity } from './regular-file.ts';

/** A source over a file on this machine's disk, which another thread can open again. */
export interface FileSource extends ByteSource {
  readonly path: string;
  readonly identity: FileIdentity;
  /** How its bytes are reached. */
  readonly access: 'mapped' | 'positioned';
}
