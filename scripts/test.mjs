// npm test: types, lint, build, then every test. Stops at the first stage that fails and leaves with its code.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binOf, root, runNode } from './run.mjs';

const folder = mkdtempSync(join(tmpdir(), 'tensor-loupe-test-'));
const report = join(folder, 'vitest.json');
const script = (name) => [join(root, 'scripts', name)];
const vitest = [
  binOf('vitest'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
];

const stages = [
  ['types', script('types.mjs')],
  ['lint', [binOf('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.']],
  ['import rules', script('import-rules.mjs')],
  ['build', script('build.mjs')],
  ['tests', vitest],
];

/** Runs the stages in order; resolves with the exit code of the first that fails, or 0. */
const runStages = async () => {
  for (const [name, command] of stages) {
    process.stdout.write(`\n── ${name}\n`);
    const code = await runNode(command);
    if (code !== 0) {
      process.stdout.write(`\nfailed: ${name} (exit code ${code})\n`);
      return code;
    }
  }
  return 0;
};

/** Counts of vitest's report. A stage that failed before the tests ran counts as one failure. */
const counts = () => {
  if (!existsSync(report)) {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const result = JSON.parse(readFileSync(report, 'utf8'));
  // A file that could not be loaded holds no tests: one failure, so that the line cannot look clean.
  const broken = result.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + broken.length,
    skipped: result.numPendingTests + result.numTodoTests,
  };
};

try {
  const code = await runStages();
  const { passed, failed, skipped } = counts();
  process.exitCode = code === 0 && (failed > 0 || passed === 0) ? 1 : code;
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
