import type { CodeFile } from '../../../shared/checkpoint-types.ts';
import { finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { FindingList } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import { isScript, type TorchArchive } from './archive.ts';

/** Files of code that are listed. */
const MOST_LISTED = 10_000;

/**
 * The source files of a TorchScript archive, which a loader compiles and runs. They are listed and never read; that they are
 * there is noted, for it is what such an archive is for.
 */
export const scriptCode = (archive: TorchArchive, findings: FindingList): readonly CodeFile[] => {
  const { directory, prefix, source } = archive;
  if (!isScript(archive)) {
    return [];
  }
  const code = directory.members.filter(
    ({ name }) => name.startsWith(`${prefix}code/`) && !name.endsWith('.debug_pkl'),
  );
  const [first] = code;
  if (first !== undefined) {
    const count = `${formatInt(code.length)} ${code.length === 1 ? 'file' : 'files'} of TorchScript code`;
    const message = `${count}, such as ${quoteName(first.name)}: loading the archive runs it; it is listed and not judged`;
    findings.add(finding('torchscript-code', message, { file: source.name, offset: first.header }));
  }
  return code.slice(0, MOST_LISTED).map(({ name, bytes }) => ({ name: name.slice(prefix.length), bytes }));
};
