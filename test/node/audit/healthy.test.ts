import { describe, expect, it } from 'vitest';
import { auditTensors, codeCounts } from '../../support/audit-tensors.ts';
import { HEALTHY, llamaLike, SMALL_LLAMA } from '../../support/healthy-models.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();

/** Notes that say nothing but what is so: a tied head, biases of zeros, norms of ones. They leave the verdict clean. */
const NOTES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Llama: { 'identical-tensors': 1 },
  BERT: { 'all-zero': 1 },
  'GPT-2': { 'all-zero': 8 },
  LoRA: { 'all-zero': 16 },
  untrained: { 'all-zero': 16, constant: 8 },
  GPTQ: { constant: 6 },
};

describe('the audit stays quiet about healthy checkpoints', () => {
  it.each([...HEALTHY])('%s', async (name, make) => {
    const findings = await auditTensors(folders.make(), make());
    expect(codeCounts(findings)).toEqual(NOTES[name] ?? {});
    expect(findings.every(({ severity }) => severity === 'note')).toBe(true);
  });

  it.each([100, 101, 102, 103])('of another seed: %i', async (seed) => {
    const findings = await auditTensors(folders.make(), llamaLike({ ...SMALL_LLAMA, layers: 8 }, seed));
    expect(codeCounts(findings)).toEqual({ 'identical-tensors': 1 });
  });

  it('the tied head is named with its embedding, and what it takes', async () => {
    const [finding] = await auditTensors(folders.make(), llamaLike());
    expect(finding).toMatchObject({
      code: 'identical-tensors',
      tensor: 'lm_head.weight',
      message:
        'tensors "model.embed_tokens.weight", "lm_head.weight" hold the same 15,360 values; stored once they would take 30.7 kB less',
    });
  });
});
