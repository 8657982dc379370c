import type { ByteSource } from '../bytes/byte-source.ts';
import type { FileFrame } from './safetensors/judge-entry.ts';
import type { ParsedHeader } from './safetensors/parse-header.ts';

/** How a checkpoint is read. All options leave damage visible unless they name it. */
export interface ReadOptions {
  /** safetensors: longest header that is no finding, in bytes; 100,000,000 as the reference has it. */
  readonly headerCap?: number;
  /** safetensors: accept unclaimed bytes between tensors. */
  readonly allowGaps?: boolean;
  /** safetensors: accept bytes after the last tensor. */
  readonly allowTrailingBytes?: boolean;
  /** Parses a header somewhere that may block; the default parses where it is called. */
  readonly parseElsewhere?: (
    source: ByteSource,
    offset: number,
    length: number,
    frame: FileFrame,
  ) => Promise<ParsedHeader>;
}
