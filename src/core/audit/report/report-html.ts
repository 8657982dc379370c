import { elideMiddle } from '../../../shared/escape-text.ts';
import { SEVERITIES } from '../../../shared/findings.ts';
import { formatBytes, formatInt, formatParameters } from '../../../shared/format-number.ts';
import { MOST_FINDINGS, MOST_FOLDERS, MOST_ODD, MOST_PROFILES, shownNumbers } from './report-numbers.ts';
import { REPORT_STYLE } from './report-style.ts';
import type { AuditReport } from './report-types.ts';
import { html, SafeHtml } from './safe-html.ts';
import { dtypeBar, histogramChart, profileChart } from './svg-charts.ts';

/** Longest text out of a file in a page: a name can have millions of characters. */
const LONGEST = 400;

const cut = (text: string): string => elideMiddle(text, LONGEST);

const name = (text: string): SafeHtml => html`<span class="name">${text === '' ? '(no name)' : cut(text)}</span>`;

const plural = (count: number, one: string): string => `${formatInt(count)} ${one}${count === 1 ? '' : 's'}`;

const more = (shown: number, all: number, what: string): SafeHtml | undefined =>
  all > shown
    ? html`<p class="muted">… and ${formatInt(all - shown)} more ${what}; the JSON report has all of them.</p>`
    : undefined;

const findings = ({ findings: all, summary: { files } }: AuditReport): SafeHtml => {
  if (all.length === 0) {
    return html`<h2>Findings</h2><p class="muted">Nothing was found.</p>`;
  }
  const ordered = SEVERITIES.flatMap((severity) => all.filter((item) => item.severity === severity));
  const counts = SEVERITIES.map((severity) => ({
    severity,
    count: all.filter((item) => item.severity === severity).length,
  }));
  const summary = counts.flatMap(({ severity, count }) => (count > 0 ? [plural(count, severity)] : [])).join(', ');
  // Of a single file the heading has the name.
  const where = (file: string): SafeHtml | undefined => (files.length > 1 ? name(file) : undefined);
  const rows = ordered
    .slice(0, MOST_FINDINGS)
    .map(
      ({ severity, code, message, file, offset }) =>
        html`<tr><td><span class="severity ${severity}">${severity}</span></td><td><code class="whole">${code}</code></td><td>${cut(message)}</td><td>${where(file)}${offset === undefined ? undefined : html`<div class="muted number">byte ${formatInt(offset)}</div>`}</td></tr>\n`,
    );
  return html`<h2>Findings <span>${summary}</span></h2><div class="scroll"><table><thead><tr><th>severity</th><th>code</th><th>what</th><th>where</th></tr></thead><tbody>${rows}</tbody></table></div>${more(MOST_FINDINGS, ordered.length, 'findings')}`;
};

const dtypes = ({ summary }: AuditReport): SafeHtml => {
  const rows = summary.dtypes.map(
    ({ dtype, tensors, parameters, bytes }, index) =>
      html`<tr><th><svg class="swatch" viewBox="0 0 10 10"><rect class="dtype-${Math.min(index + 1, 5)}" width="10" height="10" rx="2"/></svg>${name(dtype)}</th><td class="number">${formatInt(tensors)}</td><td class="number">${formatInt(parameters)}</td><td class="number">${formatBytes(bytes)}</td></tr>\n`,
  );
  return html`<h2>Dtypes</h2>${dtypeBar(summary.dtypes)}<div class="scroll"><table><thead><tr><th>dtype</th><th class="number">tensors</th><th class="number">parameters</th><th class="number">bytes</th></tr></thead><tbody>${rows}</tbody></table></div>`;
};

const folders = ({ folders: all }: AuditReport): SafeHtml => {
  const rows = all
    .slice(0, MOST_FOLDERS)
    .flatMap(({ path, depth, tensors, unread, floats, integers }) =>
      [floats, integers].flatMap((stats) =>
        stats === undefined
          ? []
          : [
              html`<tr><th class="depth-${depth}">${path === undefined ? 'the whole model' : name(`${path}.`)}</th><td class="number">${formatInt(tensors)}${unread > 0 ? ` (${formatInt(unread)} not read)` : undefined}</td><td>${stats.dtype}</td>${shownNumbers(stats).map(([, value]) => html`<td class="number">${value}</td>`)}</tr>\n`,
            ],
      ),
    );
  const head = ['part', 'tensors', 'dtype', 'count', 'min', 'max', 'mean', 'std', 'zeros', 'NaN', '±Inf'];
  const cells = head.map(
    (text, at) => html`<th${at === 0 || at === 2 ? undefined : new SafeHtml(' class="number"')}>${text}</th>`,
  );
  return html`<h2>Parts <span>exact over all tensors in them, whatever their dtypes</span></h2><div class="scroll"><table><thead><tr>${cells}</tr></thead><tbody>${rows}</tbody></table></div>${more(MOST_FOLDERS, all.length, 'folders')}`;
};

const profiles = ({ profiles: all }: AuditReport): SafeHtml => {
  const cards = all.slice(0, MOST_PROFILES).map((profile) => {
    const { label, points, outliers, parameters } = profile;
    const far =
      outliers.length === 0
        ? undefined
        : html` · <span class="severity warning">layer ${outliers.slice(0, 8).join(', ')}${outliers.length > 8 ? ' …' : undefined}</span>`;
    return html`<div class="card ${outliers.length > 0 ? 'has-far' : 'is-near'}"><h3>${cut(label)}</h3><div class="muted">${plural(points.length, 'layer')}, ${formatParameters(parameters)} parameters${far}</div>${profileChart(profile)}</div>\n`;
  });
  return html`<h2>Depth profiles <span>root mean square of each role, layer by layer</span></h2><div class="grid">${cards}</div>${more(MOST_PROFILES, all.length, 'roles')}`;
};

const odd = ({ odd: all }: AuditReport): SafeHtml => {
  const cards = all.slice(0, MOST_ODD).map(({ stats, shape, codes }) => {
    const numbers = shownNumbers(stats).map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`);
    const chart = histogramChart(stats) ?? html`<p class="muted">no finite values</p>`;
    return html`<div class="card"><h3>${cut(stats.name)}</h3><div class="muted">${stats.dtype} ${cut(shape)} · ${codes.join(', ')}</div>${chart}<dl class="numbers">${numbers}</dl></div>\n`;
  });
  return html`<h2>Tensors to look at <span>all finite values, counts by their logarithm</span></h2><div class="grid">${cards}</div>${more(MOST_ODD, all.length, 'tensors')}`;
};

const hashes = ({ hashes: all }: AuditReport): SafeHtml => {
  const rows = all.map(
    ({ path, sha256, expected, from }) =>
      html`<tr><td>${name(path)}</td><td><code>${sha256}</code></td><td>${sha256 === expected ? html`as ${cut(from)} says` : html`<span class="severity error">differs</span> ${cut(from)} says <code>${cut(expected)}</code>`}</td></tr>\n`,
  );
  return html`<h2>SHA-256</h2><div class="scroll"><table><thead><tr><th>file</th><th>SHA-256</th><th></th></tr></thead><tbody>${rows}</tbody></table></div>`;
};

/** The verdict's sentence, the word it begins with in bold: "Damaged: …", "8 warnings". */
const verdictLine = (sentence: string): SafeHtml => {
  const colon = sentence.indexOf(': ');
  const word = colon > 0 && colon < 24 ? sentence.slice(0, colon) : cut(sentence);
  return html`<b>${word}</b>${colon > 0 && colon < 24 ? html`<span>${cut(sentence.slice(colon + 2))}</span>` : undefined}`;
};

/**
 * A report as one self-contained page: no script, nothing loaded, all text from files escaped.
 *
 * @param styleHash base64 of the SHA-256 of {@link REPORT_STYLE}, by which the page's policy allows its style sheet
 */
export const reportHtml = (report: AuditReport, styleHash: string): string => {
  const { program, created, path, summary } = report;
  const { verdict, sentence, format, files, tensors, parameters, dataBytes } = summary;
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  const facts = [
    ['format', cut(format)],
    ['files', formatInt(files.length)],
    ['tensors', formatInt(tensors)],
    ['parameters', formatParameters(parameters)],
    ['data', formatBytes(dataBytes)],
  ].map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  const title = elideMiddle(path.split(/[\\/]/).at(-1) ?? path, 120);
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${new SafeHtml(policy)}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer"><title>Audit of ${title}</title><style>${new SafeHtml(REPORT_STYLE)}</style></head>
<body><main>
<h1>${cut(path)}</h1>
<div class="verdict ${verdict}">${verdictLine(sentence)}</div>
<dl class="facts">${facts}</dl>
${findings(report)}
${report.odd.length > 0 ? odd(report) : undefined}
${report.profiles.length > 0 ? profiles(report) : undefined}
${summary.dtypes.length > 0 ? dtypes(report) : undefined}
${report.folders.length > 0 ? folders(report) : undefined}
${report.hashes.length > 0 ? hashes(report) : undefined}
<footer>${program} · ${created}</footer>
</main></body></html>
`;
  return page.text;
};
