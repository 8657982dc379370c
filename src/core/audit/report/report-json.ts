import { type JsonInput, strictJson } from '../../../shared/strict-json.ts';
import { statsJson } from '../../../shared/tensor-forms.ts';
import { findingJson, summaryJson } from '../../json-forms.ts';
import { folderJson } from '../../scan/folder-json.ts';
import type { AuditReport } from './report-types.ts';

/** A report as strict JSON: what `info` prints, and everything that was computed. */
export const reportJson = (report: AuditReport): string => {
  const { program, created, path, summary, findings, hashes, folders, profiles, odd, tensors } = report;
  const form: JsonInput = {
    program,
    created,
    path,
    verdict: summary.verdict,
    sentence: summary.sentence,
    ...summaryJson(summary),
    findings: findings.map(findingJson),
    hashes: hashes.map(({ path: hashed, sha256, expected, from }) => ({ path: hashed, sha256, expected, from })),
    folders: folders.map(folderJson),
    profiles: profiles.map(({ label, pattern, parameters, points, outliers }) => ({
      role: label,
      pattern,
      parameters,
      statistic: 'root mean square',
      layers: points.map(({ index }) => index),
      values: points.map(({ value }) => value),
      low: points.map(({ low }) => low),
      high: points.map(({ high }) => high),
      outliers,
    })),
    odd: odd.map(({ stats, codes }) => ({ name: stats.name, codes })),
    tensors: tensors.map(statsJson),
  };
  return `${strictJson(form)}\n`;
};
