// Starts the application in the folder that the command line names, as the default application of a plain Electron does. For
// runtimes that came as part of a packaged program and have none: see plain-runtime.mjs.
const { app } = require('electron');
const { readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

process.defaultApp = true;
const folder = process.argv.slice(1).find((argument) => !argument.startsWith('-'));
if (folder === undefined) {
  process.stderr.write('no application was given\n');
  app.exit(2);
} else {
  const at = resolve(folder);
  const { name, productName, version, main } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
  app.setName(productName ?? name);
  app.setVersion(version);
  app.setAppPath(at);
  require(join(at, main));
}
