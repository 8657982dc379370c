import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectReport } from '../../../../src/core/audit/report/collect-report.ts';
import { reportHtml } from '../../../../src/core/audit/report/report-html.ts';
import { reportJson } from '../../../../src/core/audit/report/report-json.ts';
import { markdownCode, markdownText, reportMarkdown } from '../../../../src/core/audit/report/report-markdown.ts';
import { REPORT_STYLE } from '../../../../src/core/audit/report/report-style.ts';
import type { AuditReport } from '../../../../src/core/audit/report/report-types.ts';
import { escapeHtml, html } from '../../../../src/core/audit/report/safe-html.ts';
import { newDistribution } from '../../../../src/core/distribution/new-distribution.ts';
import { FolderFold, type FolderStats } from '../../../../src/core/scan/folder-fold.ts';
import { folderTree } from '../../../../src/core/scan/folder-tree.ts';
import { summariseCheckpoint } from '../../../../src/core/summarise-checkpoint.ts';
import { finding } from '../../../../src/shared/findings.ts';
import { f32, safetensorsBytes } from '../../../e2e/support/make-safetensors.ts';
import { inspectBytes } from '../../../support/inspect-bytes.ts';

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "' onmouseover='alert(1)",
  '</style></title></svg><svg onload=alert(1)>',
  '[x](javascript:alert(1)) ![i](http://h/i.png) <http://h> http://h www.h.example a@h.example',
  '`code` ``more`` |cell| **bold** __b__ ~~s~~ $x$ # h & &lt; \\| \\',
  'line\nbreak\r\u2028\u2029 \u202e\u2066rtl \u200b\u0000\u001b[2J',
  '{{x}} %3Cscript%3E',
  '__proto__',
  '',
];

/** A report on a model whose every text is hostile. */
const reportOf = async (texts: readonly string[]): Promise<AuditReport> => {
  const tensors = texts.flatMap((text) =>
    [0, 1, 2].map((layer) => ({
      name: `${text}.${layer}.w`,
      dtype: 'F32',
      shape: [2, 2],
      bytes: f32(layer, Number.NaN, -0, 2),
    })),
  );
  const { content } = await inspectBytes(safetensorsBytes(tensors));
  const { table } = content;
  const stats = Array.from({ length: table.length }, (_, tensorId) => {
    const distribution = newDistribution('F32');
    distribution.add(f32(tensorId, Number.NaN, -0, 2));
    return {
      tensorId,
      boolOutOfRange: 0,
      stats: distribution.summarise(table.name(tensorId), 8),
      data: distribution.toData(),
    };
  });
  const folders: FolderStats[] = [];
  const fold = new FolderFold(
    folderTree(table.length, (id) => table.name(id)),
    8,
    (folder) => folders.push(folder),
  );
  for (const { tensorId, data } of stats) {
    fold.add(tensorId, data);
  }
  const findings = stats.map(({ tensorId, stats: own }) =>
    finding('layer-outlier', `tensor "${own.name}" differs`, {
      file: texts[0] ?? '',
      tensor: own.name,
      tensorId,
      offset: 5,
    }),
  );
  content.findings.add(...findings);
  const summary = summariseCheckpoint(content, [{ path: texts[0] ?? '', bytes: 5, present: true }]);
  return collectReport({
    program: 'Tensor Loupe 0',
    created: '2026-01-01T00:00:00.000Z',
    path: `/models/${texts.join('')}`,
    summary: { ...summary, sentence: `Damaged: ${texts.join(' ')}`, format: texts[1] ?? 'x' },
    findings,
    table,
    facts: new Map(stats.map((fact) => [fact.tensorId, fact])),
    folders,
    hashes: texts.map((text) => ({ path: text, sha256: 'a'.repeat(64), expected: text, from: text })),
  });
};

const HASH = createHash('sha256').update(REPORT_STYLE).digest('base64');

/** What a page holds besides text: its tags and attributes, as the parser's rules for plain markup see them. */
const tagsOf = (page: string): string[] => {
  const body = page.replace(REPORT_STYLE, '');
  return body.match(/<[^>]*>/g) ?? [];
};

describe('a report in HTML', () => {
  it('holds no markup but its own, whatever the texts in the file are', async () => {
    const hostile = reportHtml(await reportOf(HOSTILE), HASH);
    const plain = reportHtml(await reportOf(HOSTILE.map((_, at) => `plain${at}`)), HASH);
    const kinds = (page: string): string[] =>
      [...new Set(tagsOf(page).map((tag) => tag.split(/[ >/]/)[0] ?? ''))].sort();
    // The one with an empty name has a folder less.
    expect(kinds(hostile)).toEqual(kinds(plain));
    for (const tag of tagsOf(hostile)) {
      expect(tag).not.toMatch(/\son\w+\s*=|javascript:|\ssrc=|\shref=|\sstyle=/i);
    }
    expect(hostile).not.toMatch(/<script|<img|<iframe|<link|<a |@import|url\(/i);
    expect(hostile).toMatch(/&lt;img src=x onerror=alert\(1\)&gt;/);
    // Nothing invisible or that turns text around, but for the line ends of the page itself.
    expect(hostile).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/);
    expect(hostile).toContain('\\u{202e}');
  });

  it('allows its own style sheet and nothing else', async () => {
    const page = reportHtml(await reportOf(['a']), HASH);
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${HASH}'; base-uri 'none'; form-action 'none'">`,
    );
    expect(page).toContain(`<style>${REPORT_STYLE}</style>`);
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
  });

  it('cuts what is endless', async () => {
    const page = reportHtml(await reportOf(['x'.repeat(100_000)]), HASH);
    expect(page.length).toBeLessThan(60_000);
  });

  it('escapes what is put into a template, and nothing twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"']/);
        expect(html`<b title="${text}">${[text, html`${text}`]}</b>`.text).toBe(
          `<b title="${escaped}">${escaped}${escaped}</b>`,
        );
      }),
    );
  });
});

describe('a report in Markdown', () => {
  it('keeps hostile text from being markup', async () => {
    const text = reportMarkdown(await reportOf(HOSTILE));
    const outside = text.replace(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, '');
    // Whatever is left outside of code is escaped.
    expect(outside).not.toMatch(/(?<!\\)[<>[\]]/);
    expect(outside).not.toMatch(/https?:\/|www\.|a@h/);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u200b-\u200f\u2028-\u202e]/);
  });

  it('has as many cells in each row of a table as in its head', async () => {
    const lines = reportMarkdown(await reportOf(HOSTILE)).split('\n');
    let cells = 0;
    for (const line of lines) {
      const own = line.startsWith('|') ? line.replace(/\\[\s\S]/g, '').split('|').length : 0;
      if (own > 0 && cells > 0) {
        expect(own, line).toBe(cells);
      }
      cells = own;
    }
  });

  it.each([
    ['a_b*c', 'a\\_b\\*c'],
    ['plain: text (1.5)', 'plain: text (1.5)'],
    ['http://x', 'http\\://x'],
    ['WWW.x', 'WWW\\.x'],
    ['<b>&amp;', '\\<b\\>\\&amp;'],
    ['a\nb', 'a\\\\nb'],
  ])('%j as text is %s', (text, markdown) => {
    expect(markdownText(text)).toBe(markdown);
  });

  it.each([
    ['model.layers.0', '`model.layers.0`'],
    ['a`b', '``a`b``'],
    ['``', '``` `` ```'],
    ['a|b', 'a\\|b'],
    ['a\\|b', 'a\\\\\\|b'],
    [' x ', '`  x  `'],
    ['', '(no name)'],
    ['a\nb', '`a\\nb`'],
  ])('%j as code is %s', (text, markdown) => {
    expect(markdownCode(text)).toBe(markdown);
  });
});

describe('a report in JSON', () => {
  it('is strict, and holds everything', async () => {
    const report = await reportOf(HOSTILE);
    const form = JSON.parse(reportJson(report));
    expect(form).toMatchObject({
      format: HOSTILE[1],
      verdict: report.summary.verdict,
      findings: { length: report.findings.length },
      tensors: { length: HOSTILE.length * 3 },
    });
    expect(form.tensors[0]).toMatchObject({ name: `${HOSTILE[0]}.0.w`, nan: 1 });
    expect(form.profiles[0]).toMatchObject({ layers: [0, 1, 2], outliers: [0, 1, 2], statistic: 'root mean square' });
    expect(form.folders[0]).toMatchObject({ folder: null, tensors: HOSTILE.length * 3, integers: null });
  });
});
