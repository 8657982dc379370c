import { memorySource } from '../../src/core/bytes/memory-source.ts';
import type { CheckpointContent } from '../../src/core/checkpoint-content.ts';
import type { ReadOptions } from '../../src/core/formats/read-options.ts';
import { readCheckpoint } from '../../src/core/formats/registry.ts';
import type { TensorRow } from '../../src/shared/checkpoint-types.ts';
import type { Finding, FindingCode, Verdict } from '../../src/shared/findings.ts';

/** What the program makes of some bytes, ready to be compared. */
export interface Inspected {
  readonly content: CheckpointContent;
  readonly rows: readonly TensorRow[];
  readonly findings: readonly Finding[];
  /** Codes of the findings, in the order they were found. */
  readonly codes: readonly FindingCode[];
  readonly verdict: Verdict;
  /** Names of the rows whose values can be decoded. */
  readonly readable: readonly string[];
}

/** Reads bytes as `inspect` does. */
export const inspectBytes = async (
  bytes: Uint8Array,
  name = 'model.safetensors',
  options: ReadOptions = {},
): Promise<Inspected> => {
  const content = await readCheckpoint(memorySource(bytes, name), options);
  const rows = content.table.rows();
  const findings = content.findings.list();
  return {
    content,
    rows,
    findings,
    codes: findings.map(({ code }) => code),
    verdict: content.findings.verdict(),
    readable: rows.filter(({ readable }) => readable).map((row) => row.name),
  };
};

/** The one finding with this code. */
export const onlyFinding = (findings: readonly Finding[], code: FindingCode): Finding => {
  const found = findings.filter((item) => item.code === code);
  const [first] = found;
  if (first === undefined || found.length > 1) {
    throw new Error(`${found.length} findings ${code}, expected one, among: ${findings.map((f) => f.code).join(' ')}`);
  }
  return first;
};
