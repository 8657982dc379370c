/** Writes half of a file that replaces another, says so, and never finishes: whoever started this process kills it. */
import { writeAtomically } from '../../../../src/node/writing/atomic-file.ts';

const [path = ''] = process.argv.slice(2);
await writeAtomically(path, { overwrite: true }, async ({ write }) => {
  await write(new Uint8Array(100_000).fill(0x6e));
  process.stdout.write('half\n');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
