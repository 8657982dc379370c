import type { CheckpointSummary, ShardEntry } from '../shared/checkpoint-types.ts';
import type { CheckpointContent } from './checkpoint-content.ts';
import { verdictSentence } from './verdict-sentence.ts';

/** A file of a checkpoint, by the table's file index. */
export type SummarisedFile = Omit<ShardEntry, 'tensors'>;

const tensorsByFile = ({ table }: CheckpointContent, files: number): Uint32Array => {
  const counts = new Uint32Array(files);
  for (const file of table.data.fileOf) {
    counts[file] = (counts[file] ?? 0) + 1;
  }
  return counts;
};

/** What `info` prints and the header strip shows. */
export const summariseCheckpoint = (
  content: CheckpointContent,
  files: readonly SummarisedFile[],
): CheckpointSummary => {
  const verdict = content.findings.verdict();
  const counts = tensorsByFile(content, files.length);
  const shards = files.map((file, index) => ({ ...file, tensors: counts[index] ?? 0 }));
  return {
    format: content.format,
    files: files.filter(({ present }) => present).map(({ path, bytes }) => ({ path, bytes })),
    shards: shards.length > 1 || shards.some(({ present }) => !present) ? shards : [],
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
