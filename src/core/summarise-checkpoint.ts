import type { CheckpointSummary, ShardEntry } from '../shared/checkpoint-types.ts';
import type { CheckpointContent } from './checkpoint-content.ts';
import { verdictSentence } from './verdict-sentence.ts';

/** A file of a checkpoint, by the table's file index. */
export interface SummarisedFile extends Omit<ShardEntry, 'tensors'> {
  /** It lies inside the file before it, and its tensors count as that one's. */
  readonly inside?: boolean;
}

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
  const shards: { path: string; bytes: number; present: boolean; tensors: number }[] = [];
  files.forEach(({ path, bytes, present, inside }, index) => {
    const tensors = counts[index] ?? 0;
    const outer = shards.at(-1);
    if (inside === true && outer !== undefined) {
      outer.tensors += tensors;
    } else {
      shards.push({ path, bytes, present, tensors });
    }
  });
  return {
    format: content.format,
    files: shards.filter(({ present }) => present).map(({ path, bytes }) => ({ path, bytes })),
    shards: shards.length > 1 || shards.some(({ present }) => !present) ? shards : [],
    tensors: content.table.length,
    parameters: content.totals.parameters,
    dataBytes: content.claimedBytes,
    dtypes: content.totals.dtypes,
    metadata: content.metadata,
    ...(content.code === undefined ? {} : { code: content.code }),
    pickles: content.pickleLog?.pickles.length ?? 0,
    valueTrees: content.pickles?.length ?? 0,
    findings: content.findings.counts(),
    verdict,
    sentence: verdictSentence(content, verdict),
  };
};
