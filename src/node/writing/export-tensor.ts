import { AlternatingBuffers } from '../../core/bytes/alternating-buffers.ts';
import type { ByteSource } from '../../core/bytes/byte-source.ts';
import { Tensor } from '../../core/tensor/tensor.ts';
import { TensorTable, type TensorTableData } from '../../core/tensor/tensor-table.ts';
import { type EncodeOptions, encodeTensor } from '../../core/writing/encode-tensor.ts';
import type { WrittenFile } from '../../shared/checkpoint-types.ts';
import { CancelledError } from '../../shared/errors.ts';
import { writeAtomically } from './atomic-file.ts';
import { writeAhead } from './write-ahead.ts';

/** What to export and where to. Plain data, so that a worker can be asked. */
export interface ExportJob {
  /** A table of exactly one row, the tensor (see `oneRow`). */
  readonly row: TensorTableData;
  readonly options: EncodeOptions;
  readonly path: string;
  readonly overwrite: boolean;
}

/** How an export tells how far it is, and learns that nobody wants it any more. */
export interface ExportWatch {
  /** Called with the bytes just written. */
  readonly onBytes: (bytes: number) => void;
  readonly isCancelled: () => boolean;
}

/**
 * Writes one tensor to a file, whole or not at all.
 *
 * @throws CancelledError; UnreadableTensorError, SliceError; LoupeError `unsupported-export`, `file-exists`,
 *   `write-failed`; FileChangedError.
 */
export const exportTensor = async (source: ByteSource, job: ExportJob, watch: ExportWatch): Promise<WrittenFile> => {
  const tensor = new Tensor(new TensorTable(job.row), 0, source);
  const encoded = encodeTensor(tensor, job.options);
  const bytes = await writeAtomically(job.path, { overwrite: job.overwrite }, (target) =>
    writeAhead(encoded.chunks(new AlternatingBuffers()), async (chunk) => {
      if (watch.isCancelled()) {
        throw new CancelledError('the export');
      }
      await target.write(chunk);
      watch.onBytes(chunk.byteLength);
    }),
  );
  const precision = encoded.precision();
  return { name: tensor.name, path: job.path, bytes, ...(precision === undefined ? {} : { precision }) };
};
