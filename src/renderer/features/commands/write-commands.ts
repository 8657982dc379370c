import type { ExportFormat } from '../../../shared/checkpoint-types.ts';
import { shellQuote } from './shell-quote.ts';

/** What `loupe export` writes of many tensors. */
export interface ExportLine {
  readonly path: string;
  readonly include: string;
  readonly folder: string;
  readonly format: ExportFormat;
  readonly dtype?: 'native' | 'f32';
}

/** What `loupe convert` does. */
export interface ConvertLine {
  readonly path: string;
  readonly output: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** As `--max-shard-size` takes it; one file when left out. */
  readonly shardSize?: string;
  readonly metadata: readonly (readonly [string, string])[];
}

/** An option with its value; one that starts with a dash is joined to it, so that it is not read as another option. */
const option = (name: string, value: string): string =>
  value.startsWith('-') ? shellQuote(`${name}=${value}`) : `${name} ${shellQuote(value)}`;

const line = (command: string, path: string, options: readonly string[]): string => {
  const words = options.join(' ');
  return path.startsWith('-')
    ? `loupe ${command} ${words} -- ${shellQuote(path)}`
    : `loupe ${command} ${shellQuote(path)} ${words}`;
};

/** The command line that exports what matches. */
export const exportCommand = ({ path, include, folder, format, dtype }: ExportLine): string =>
  line('export', path, [
    option('--include', include),
    option('--format', format),
    ...(dtype === undefined ? [] : [option('--dtype', dtype)]),
    option('--output', folder),
  ]);

/** The command line that converts. */
export const convertCommand = ({ path, output, include, exclude, shardSize, metadata }: ConvertLine): string =>
  line('convert', path, [
    ...include.map((pattern) => option('--include', pattern)),
    ...exclude.map((pattern) => option('--exclude', pattern)),
    ...(shardSize === undefined ? [] : [option('--max-shard-size', shardSize)]),
    ...metadata.map(([key, value]) => option('--metadata', `${key}=${value}`)),
    option('--output', output),
  ]);
