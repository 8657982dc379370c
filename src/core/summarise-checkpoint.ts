import type { CheckpointSummary } from '../shared/checkpoint-types.ts';
import type { CheckpointContent } from './checkpoint-content.ts';
import { verdictSentence } from './verdict-sentence.ts';

/** What `info` prints and the header strip shows. */
export const summariseCheckpoint = (
  content: CheckpointContent,
  files: CheckpointSummary['files'],
): CheckpointSummary => {
  const verdict = content.findings.verdict();
  return {
    format: content.format,
    files,
    tensors: content.table.length,
    parameters: content.totals.parameters,
    dataBytes: content.claimedBytes,
    dtypes: content.totals.dtypes,
    metadata: content.metadata,
    findings: content.findings.counts(),
    verdict,
    sentence: verdictSentence(content, verdict),
  };
};
