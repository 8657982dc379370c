// Prints the most memory, in bytes, that a process took that opened a file, listed it and read 8 values; without a path,
// that of a process that only loaded the library.
import { existsSync, readFileSync } from 'node:fs';
import { open } from '../out/lib/index.js';

const [path] = process.argv.slice(2);
if (path !== undefined) {
  const checkpoint = await open(path);
  const { table } = checkpoint;
  for (let id = 0; id < table.length; id += 1) {
    table.name(id);
    table.shape(id);
  }
  const last = checkpoint.tensor(table.length - 1);
  await last.toFloat32({ range: { start: Number(table.count(table.length - 1)) - 8, count: 8 } });
  checkpoint.close();
}
/** In kilobytes. `maxRSS` of a child begins with what its parent had, so Linux is asked for the high-water mark itself. */
const peak = () =>
  existsSync('/proc/self/status')
    ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
    : process.resourceUsage().maxRSS;
process.stdout.write(String(peak() * 1024));
