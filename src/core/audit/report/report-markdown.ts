import { elideMiddle, escapeText } from '../../../shared/escape-text.ts';
import { SEVERITIES } from '../../../shared/findings.ts';
import { formatBytes, formatInt, formatParameters, formatStatistic } from '../../../shared/format-number.ts';
import { MOST_FINDINGS, MOST_FOLDERS, MOST_ODD, MOST_PROFILES, shownNumbers } from './report-numbers.ts';
import type { AuditReport } from './report-types.ts';

/** Longest text out of a file in a line, in characters. */
const LONGEST = 500;

/**
 * Text out of a file for Markdown: invisible characters as escapes, and every mark that could mean something before it a
 * backslash, so that it is neither markup, HTML, a link nor an address.
 */
export const markdownText = (text: string): string =>
  escapeText(elideMiddle(text, LONGEST))
    .replace(/[\\`*_[\]<>#|~&!@$]|:(?=\S)/g, '\\$&')
    .replace(/(www)\./gi, '$1\\.');

/**
 * A name out of a file as a code span: nothing in it is markup. The fence is longer than any run of backticks in it. A bar
 * would end a table's cell even in code, so a name with one is escaped text.
 */
export const markdownCode = (text: string): string => {
  const shown = escapeText(elideMiddle(text, LONGEST));
  if (shown === '' || shown.includes('|')) {
    return shown === '' ? '(no name)' : markdownText(text);
  }
  const longest = (shown.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const spaced = /^[` ]|[` ]$/.test(shown) ? ` ${shown} ` : shown;
  return `${fence}${spaced}${fence}`;
};

const table = (head: readonly string[], rows: readonly (readonly string[])[], right: ReadonlySet<number>): string[] => [
  `| ${head.join(' | ')} |`,
  `| ${head.map((_, at) => (right.has(at) ? '---:' : '---')).join(' | ')} |`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
];

const more = (shown: number, all: number, what: string): string[] =>
  all > shown ? ['', `… and ${formatInt(all - shown)} more ${what}; the JSON report has all of them.`] : [];

const findingLines = ({ findings }: AuditReport): string[] => {
  if (findings.length === 0) {
    return ['Nothing was found.'];
  }
  const ordered = SEVERITIES.flatMap((severity) => findings.filter((item) => item.severity === severity));
  const rows = ordered
    .slice(0, MOST_FINDINGS)
    .map(({ severity, code, message, file }) => [severity, `\`${code}\``, markdownText(message), markdownCode(file)]);
  return [
    ...table(['severity', 'code', 'what', 'file'], rows, new Set()),
    ...more(MOST_FINDINGS, ordered.length, 'findings'),
  ];
};

const folderLines = ({ folders }: AuditReport): string[] => {
  const rows = folders
    .slice(0, MOST_FOLDERS)
    .flatMap(({ path, tensors, unread, floats, integers }) =>
      [floats, integers].flatMap((stats) =>
        stats === undefined
          ? []
          : [
              [
                path === undefined ? 'the whole model' : markdownCode(`${path}.`),
                formatInt(tensors) + (unread > 0 ? ` (${formatInt(unread)} not read)` : ''),
                stats.dtype,
                ...shownNumbers(stats).map(([, value]) => value),
              ],
            ],
      ),
    );
  const head = ['part', 'tensors', 'dtype', 'count', 'min', 'max', 'mean', 'std', 'zeros', 'NaN', '±Inf'];
  return [
    ...table(head, rows, new Set([1, 3, 4, 5, 6, 7, 8, 9, 10])),
    ...more(MOST_FOLDERS, folders.length, 'folders'),
  ];
};

const profileLines = ({ profiles }: AuditReport): string[] => {
  const rows = profiles.slice(0, MOST_PROFILES).map(({ label, points, outliers }) => {
    const values = points.map(({ value }) => value);
    const [first, last] = [points[0], points.at(-1)];
    return [
      markdownCode(label),
      formatInt(points.length),
      formatStatistic(first?.value, 3),
      formatStatistic(Math.min(...values), 3),
      formatStatistic(Math.max(...values), 3),
      formatStatistic(last?.value, 3),
      outliers.length === 0 ? '' : `layer ${outliers.join(', ')}`,
    ];
  });
  const head = ['role', 'layers', 'first', 'least', 'greatest', 'last', 'far from the others'];
  return [...table(head, rows, new Set([1, 2, 3, 4, 5])), ...more(MOST_PROFILES, profiles.length, 'roles')];
};

const oddLines = ({ odd }: AuditReport): string[] => {
  const rows = odd
    .slice(0, MOST_ODD)
    .map(({ stats, shape, codes }) => [
      markdownCode(stats.name),
      `${markdownText(stats.dtype)} ${markdownText(shape)}`,
      codes.map((code) => `\`${code}\``).join(', '),
      ...shownNumbers(stats).map(([, value]) => value),
    ]);
  const head = ['tensor', 'dtype', 'found', 'count', 'min', 'max', 'mean', 'std', 'zeros', 'NaN', '±Inf'];
  return [...table(head, rows, new Set([3, 4, 5, 6, 7, 8, 9, 10])), ...more(MOST_ODD, odd.length, 'tensors')];
};

const section = (title: string, lines: readonly string[], isThere = true): string[] =>
  isThere ? ['', `## ${title}`, '', ...lines] : [];

/** A report as GitHub-flavoured Markdown. All text from files is escaped. */
export const reportMarkdown = (report: AuditReport): string => {
  const { program, created, path, summary, hashes, folders, profiles, odd } = report;
  const { format, files, tensors, parameters, dataBytes, dtypes, sentence } = summary;
  const dtypeRows = dtypes.map(({ dtype, tensors: own, parameters: count, bytes }) => [
    markdownCode(dtype),
    formatInt(own),
    formatInt(count),
    formatBytes(bytes),
  ]);
  const hashRows = hashes.map(({ path: hashed, sha256, expected, from }) => [
    markdownCode(hashed),
    `\`${sha256}\``,
    sha256 === expected
      ? `as ${markdownText(from)} says`
      : `**not** ${markdownCode(expected)}, as ${markdownText(from)} says`,
  ]);
  const lines = [
    `# Audit of ${markdownCode(path)}`,
    '',
    `**${markdownText(sentence)}**`,
    '',
    `- format: ${markdownText(format)}`,
    `- files: ${formatInt(files.length)}, ${formatInt(dataBytes)} bytes of data (${formatBytes(dataBytes)})`,
    `- tensors: ${formatInt(tensors)}`,
    `- parameters: ${formatInt(parameters)} (${formatParameters(parameters)})`,
    ...section('Findings', findingLines(report)),
    ...section(
      'Dtypes',
      table(['dtype', 'tensors', 'parameters', 'bytes'], dtypeRows, new Set([1, 2, 3])),
      dtypes.length > 0,
    ),
    ...section('Parts', folderLines(report), folders.length > 0),
    ...section('Root mean square over depth', profileLines(report), profiles.length > 0),
    ...section('Tensors to look at', oddLines(report), odd.length > 0),
    ...section('SHA-256', table(['file', 'SHA-256', ''], hashRows, new Set()), hashes.length > 0),
    '',
    `${markdownText(program)}, ${markdownText(created)}`,
  ];
  return `${lines.join('\n')}\n`;
};
