import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TensorFacts } from '../../src/core/audit/tensor-facts.ts';
import { valueFindings } from '../../src/core/scan/value-findings.ts';
import { auditFollowUp } from '../../src/node/audit/follow-up.ts';
import { inspectPath } from '../../src/node/open-checkpoint.ts';
import { inlineEngine } from '../../src/node/scan/inline-engine.ts';
import { scanTensors } from '../../src/node/scan/scan-tensors.ts';
import type { Finding } from '../../src/shared/findings.ts';
import { type MadeTensor, safetensorsBytes } from '../e2e/support/make-safetensors.ts';

/** What a scan and the audit after it find in a file. */
export const auditPath = async (path: string): Promise<readonly Finding[]> => {
  const checkpoint = await inspectPath(path);
  try {
    const { table, sources } = checkpoint;
    const engine = inlineEngine();
    const facts = new Map<number, TensorFacts>();
    const failed: string[] = [];
    await scanTensors(engine, {
      table,
      ids: Array.from({ length: table.length }, (_, id) => id),
      sources,
      bins: 8,
      keep: false,
      onTensor: (scanned) => facts.set(scanned.tensorId, scanned),
      onFailed: (_id, error) => failed.push(error.message),
    });
    if (failed.length > 0) {
      throw new Error(failed.join('; '));
    }
    const single = [...facts.values()].flatMap((fact) => valueFindings(fact, table));
    const { findings } = await auditFollowUp(engine, { checkpoint, facts });
    return [...checkpoint.findings, ...single, ...findings];
  } finally {
    checkpoint.close();
  }
};

/** The same of a file made of these tensors, in a folder of its own. */
export const auditTensors = async (
  folder: string,
  tensors: readonly MadeTensor[],
  name = 'model.safetensors',
): Promise<readonly Finding[]> => {
  const path = join(folder, name);
  writeFileSync(path, safetensorsBytes(tensors));
  return auditPath(path);
};

/** How many findings there are of each code. */
export const codeCounts = (findings: readonly Finding[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { code } of findings) {
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
};
