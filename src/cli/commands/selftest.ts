import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectPath } from '../../node/open-checkpoint.ts';
import type { LoupeCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { type BatteryCase, safetensorsBattery } from '../selftest/safetensors-battery.ts';

/** What went otherwise than it must; undefined when the case passed. */
const fault = async (path: string, { file, codes, readable }: BatteryCase): Promise<string | undefined> => {
  await writeFile(path, file);
  const checkpoint = await inspectPath(path);
  try {
    const found = checkpoint.findings.map(({ code }) => code).sort();
    const expected = [...codes].sort();
    if (found.join() !== expected.join()) {
      return `found [${found.join(', ')}], expected [${expected.join(', ')}]`;
    }
    const usable = [...checkpoint.tensors].filter((tensor) => tensor.readable);
    if (usable.length !== readable) {
      return `${usable.length} tensors readable, expected ${readable}`;
    }
    for (const tensor of usable) {
      // Whatever is called readable must really decode.
      await tensor.toFloat32();
    }
    return undefined;
  } finally {
    checkpoint.close();
  }
};

export const selftest: LoupeCommand = {
  register: (program, run) => {
    program
      .command('selftest')
      .description('builds files that lie in every known way, and checks that each lie is caught')
      .option('--json', 'print JSON')
      .action(({ json }: { json?: boolean }) =>
        run(json, async (output) => {
          const folder = await mkdtemp(join(tmpdir(), 'loupe-selftest-'));
          const results: { name: string; passed: boolean; fault?: string }[] = [];
          try {
            const cases = safetensorsBattery();
            for (const [index, one] of cases.entries()) {
              const wrong = await fault(join(folder, `case-${index}.safetensors`), one);
              results.push({
                name: one.name,
                passed: wrong === undefined,
                ...(wrong === undefined ? {} : { fault: wrong }),
              });
              if (!output.json) {
                output.line(wrong === undefined ? `ok      ${one.name}` : `FAILED  ${one.name}: ${wrong}`);
              }
            }
          } finally {
            await rm(folder, { recursive: true, force: true });
          }
          const passed = results.filter((result) => result.passed).length;
          const failed = results.length - passed;
          if (output.json) {
            output.value({ passed, failed, cases: results });
          } else {
            output.line(`${passed} passed, ${failed} failed`);
          }
          return failed === 0 ? EXIT.done : EXIT.strictWarnings;
        }),
      );
  },
};
