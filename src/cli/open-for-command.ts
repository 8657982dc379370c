import type { Checkpoint } from '../core/checkpoint.ts';
import type { Tensor } from '../core/tensor/tensor.ts';
import { inspectPath } from '../node/open-checkpoint.ts';
import type { FindingCode } from '../shared/findings.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import type { Output } from './output.ts';

/**
 * Opens a path leniently for a command, prints its findings to stderr, and closes it when the work is done.
 *
 * @throws OpenFileError, and what `work` throws.
 */
export const withCheckpoint = async (
  path: string,
  output: Output,
  work: (checkpoint: Checkpoint) => Promise<ExitCode>,
): Promise<ExitCode> => {
  const checkpoint = await inspectPath(path);
  try {
    output.findings(checkpoint.findings);
    return await work(checkpoint);
  } finally {
    checkpoint.close();
  }
};

/** Besides the faults of a header: what leaves a file without a list of tensors, if none is listed. */
const LISTS_NOTHING: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'file-too-short',
  'pickle-broken',
  'zip-truncated',
]);

/** Exit code of a command that lists: whether there was a list to give. */
export const exitOfListing = ({ format, findings, table }: Checkpoint): ExitCode => {
  if (format === 'unrecognised') {
    return EXIT.incomplete;
  }
  const unreadable = findings.some(({ code }) => code.startsWith('header-') || LISTS_NOTHING.has(code));
  return table.length === 0 && unreadable ? EXIT.damaged : EXIT.done;
};

/**
 * The tensors a command was asked for: by name, or by row id in the form `#3` where no tensor has that very name.
 *
 * @throws TensorLookupError
 */
export const tensorsNamed = (checkpoint: Checkpoint, names: readonly string[]): Tensor[] =>
  names.map((name) => {
    const id = /^#(\d+)$/.exec(name)?.[1];
    return id !== undefined && checkpoint.table.idsOf(name).length === 0
      ? checkpoint.tensor(Number(id))
      : checkpoint.get(name);
  });
