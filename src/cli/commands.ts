import type { LoupeCommand } from './command.ts';
import { audit } from './commands/audit.ts';
import { convert } from './commands/convert.ts';
import { dump } from './commands/dump.ts';
import { exportCommand } from './commands/export.ts';
import { head } from './commands/head.ts';
import { info } from './commands/info.ts';
import { merge } from './commands/merge.ts';
import { open } from './commands/open.ts';
import { selftest } from './commands/selftest.ts';
import { serve } from './commands/serve.ts';
import { stats } from './commands/stats.ts';
import { tensors } from './commands/tensors.ts';
import { tree } from './commands/tree.ts';
import { verify } from './commands/verify.ts';

/** Every command, in the order of the help. A new command is a file in `commands/` and a row here. */
export const COMMANDS: readonly LoupeCommand[] = [
  open,
  serve,
  info,
  tensors,
  stats,
  merge,
  head,
  dump,
  tree,
  exportCommand,
  convert,
  verify,
  audit,
  selftest,
];
