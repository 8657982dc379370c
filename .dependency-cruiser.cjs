/** Which folder of src/ may import which others; the table of ARCHITECTURE.md. A folder may always import itself. */
const MAY_IMPORT = {
  shared: [],
  core: ['shared'],
  kernels: ['core'],
  node: ['core', 'kernels', 'shared'],
  rpc: ['shared'],
  main: ['node', 'rpc', 'shared'],
  preload: ['shared'],
  renderer: ['rpc', 'shared'],
  server: ['node', 'rpc', 'shared'],
  cli: ['node', 'core', 'shared', 'server'],
};

const folderRules = Object.entries(MAY_IMPORT).map(([folder, others]) => ({
  name: `${folder}-imports`,
  comment: `src/${folder} may import ${others.length > 0 ? others.join(', ') : 'nothing of the others'}`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...others].join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...folderRules,
    {
      name: 'index-imports',
      comment: 'src/index.ts, the library, may import core and node, and names the contract of shared',
      severity: 'error',
      from: { path: '^src/index\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(core|node|shared)/' },
    },
    {
      name: 'unknown-folder',
      comment: 'every folder of src/ has a row in the table',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/((${Object.keys(MAY_IMPORT).join('|')})/|index\\.ts$)` },
      to: {},
    },
    {
      name: 'kernels-import-types-only',
      comment: "kernels may import core's types, not its code",
      severity: 'error',
      from: { path: '^src/kernels/' },
      to: { path: '^src/core/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-node-modules-of-node-in-universal-code',
      comment: 'core, shared, rpc, kernels and the page run without Node',
      severity: 'error',
      from: { path: '^src/(shared|core|rpc|kernels|renderer)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'electron-only-in-its-shell',
      comment: 'Electron is called in src/main and src/preload alone',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(main|preload)/' },
      to: { path: '(^|/)node_modules/electron/|^electron$' },
    },
    {
      name: 'no-circular',
      comment: 'modules that need each other are one module, or a third',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-unresolvable',
      severity: 'error',
      from: { path: '^src/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'src-imports-no-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts|bench|fuzz|build)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.node.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
