/** Converts a checkpoint and prints the most memory this process ever held, in bytes. */
import { inspectPath } from '../../../../src/node/open-checkpoint.ts';
import { convertCheckpoint } from '../../../../src/node/writing/convert-checkpoint.ts';

const [input = '', output = ''] = process.argv.slice(2);
const checkpoint = await inspectPath(input);
await convertCheckpoint({ checkpoint, options: { output } });
checkpoint.close();
process.stdout.write(`${process.resourceUsage().maxRSS * 1024}\n`);
