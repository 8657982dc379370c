import { findingJson, summaryJson } from '../core/json-forms.ts';
import type { CheckpointSummary } from '../shared/checkpoint-types.ts';
import type { Finding } from '../shared/findings.ts';
import type { JsonInput } from '../shared/strict-json.ts';

/** `info`'s form. */
export const infoJson = (summary: CheckpointSummary, findings: readonly Finding[]): JsonInput => ({
  ...summaryJson(summary),
  findings: findings.map(findingJson),
  verdict: summary.verdict,
  sentence: summary.sentence,
});
