#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { EXIT } from './exit-codes.ts';
import { runProgram } from './program.ts';

const version = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
};

/** A reader that has gone away (`loupe dump … | head`) is no failure. */
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  if (fault.code === 'EPIPE') {
    process.exit(EXIT.done);
  }
  throw fault;
});

process.exitCode = await runProgram(process.argv.slice(2), version());
