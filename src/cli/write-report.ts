import { createHash } from 'node:crypto';
import { collectReport } from '../core/audit/report/collect-report.ts';
import { reportHtml } from '../core/audit/report/report-html.ts';
import { reportJson } from '../core/audit/report/report-json.ts';
import { reportMarkdown } from '../core/audit/report/report-markdown.ts';
import { REPORT_STYLE } from '../core/audit/report/report-style.ts';
import type { AuditReport } from '../core/audit/report/report-types.ts';
import { type AtomicOptions, writeAtomically } from '../node/writing/atomic-file.ts';
import { packageFiles } from '../server/package-files.ts';
import { verifyFile } from './verify-file.ts';

/** What a report can be written as. */
export type ReportFormat = 'html' | 'md' | 'json';

/** Bins of the histograms in a report. */
const REPORT_BINS = 64;

/** The format that a report's name asks for; undefined for other names. */
export const reportFormat = (path: string): ReportFormat | undefined => {
  const [, ending] = /\.(html?|md|json)$/i.exec(path) ?? [];
  switch (ending?.toLowerCase()) {
    case 'html':
    case 'htm':
      return 'html';
    case 'md':
      return 'md';
    case 'json':
      return 'json';
    default:
      return undefined;
  }
};

const reportText = (report: AuditReport, format: ReportFormat): string => {
  switch (format) {
    case 'html':
      return reportHtml(report, createHash('sha256').update(REPORT_STYLE).digest('base64'));
    case 'md':
      return reportMarkdown(report);
    case 'json':
      return reportJson(report);
  }
};

/**
 * Verifies a file with all its values and checksums beside it, and writes a report; the report is there whole or not at all.
 *
 * @param path what to audit
 * @param output absolute path of the report
 * @throws OpenFileError; LoupeError `file-exists`, `write-failed`
 */
export const writeReport = async (
  path: string,
  output: string,
  format: ReportFormat,
  options: AtomicOptions,
): Promise<{ readonly report: AuditReport; readonly bytes: number }> => {
  const { checkpoint, facts, folders, hashes } = await verifyFile(path, {
    checksums: 'if-there',
    valueBins: REPORT_BINS,
    folders: true,
  });
  try {
    const report = collectReport({
      program: `Tensor Loupe ${packageFiles().version}`,
      created: new Date().toISOString(),
      path,
      summary: checkpoint.summary,
      findings: checkpoint.findings,
      table: checkpoint.table,
      facts,
      folders,
      hashes: hashes.map(({ path: hashed, sha256, expected }) => ({
        path: hashed,
        sha256,
        expected: expected.sha256,
        from: expected.from,
      })),
    });
    const text = reportText(report, format);
    const bytes = await writeAtomically(output, options, (target) => target.write(new TextEncoder().encode(text)));
    return { report, bytes };
  } finally {
    checkpoint.close();
  }
};
