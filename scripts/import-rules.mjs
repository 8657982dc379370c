// Checks who imports whom (.dependency-cruiser.cjs). Fails also when nothing was looked at: with a TypeScript it does not
// know, dependency-cruiser cruises no module and reports success.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { root } from './run.mjs';

const configuration = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs'));

const { output } = await cruise(
  ['src'],
  { ...configuration.options, baseDir: root, validate: true, ruleSet: { forbidden: configuration.forbidden } },
  undefined,
  { tsConfig: extractTsConfig(join(root, configuration.options.tsConfig.fileName)) },
);

const isSource = (name) => /(?<!\.d)\.tsx?$/.test(name);
const files = readdirSync(join(root, 'src'), { recursive: true }).filter(isSource);
const sources = output.modules.filter(
  ({ source, couldNotResolve }) => source.startsWith('src/') && isSource(source) && !couldNotResolve,
);
for (const { rule, from, to } of output.summary.violations) {
  process.stdout.write(`${rule.severity} ${rule.name}: ${from} → ${to}\n`);
}
process.stdout.write(
  `import rules: ${sources.length} of ${files.length} modules, ${output.summary.totalDependenciesCruised} imports, ` +
    `${output.summary.violations.length} violations\n`,
);
if (sources.length === 0 || sources.length < files.length) {
  process.stdout.write('not every module was looked at\n');
  process.exitCode = 1;
} else if (output.summary.error > 0) {
  process.exitCode = 1;
}
