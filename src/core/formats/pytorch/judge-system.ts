import { finding } from '../../../shared/findings.ts';
import type { FindingList } from '../../finding-list.ts';
import type { PickleOutcome } from '../pickle/run-pickle.ts';
import { entriesOf, textOfNode } from './read-node.ts';

/**
 * Looks at what a file of before 1.6 says of the machine it was written on. Its storages are little-endian whatever that was:
 * torch swaps them when it writes and reads on a big-endian machine, and never looks at this (FORMATS.md 2.5; shown by
 * test/oracle/torch_files.py). So nothing is swapped here either, and who wonders is told.
 */
export const judgeSystem = (
  system: PickleOutcome | undefined,
  where: { readonly file: string; readonly base: number },
  findings: FindingList,
): void => {
  const entries = entriesOf(system?.root) ?? [];
  const little = entries.find(({ key }) => textOfNode(key) === 'little_endian')?.value;
  if (little?.kind === 'bool' && !little.value) {
    const message =
      'the file says it was written on a big-endian machine; its storages are read as little-endian, as torch writes them everywhere';
    findings.add(
      finding('written-big-endian', message, { file: where.file, offset: where.base + (system?.start ?? 0) }),
    );
  }
};
