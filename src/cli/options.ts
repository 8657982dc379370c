import { InvalidArgumentError, Option } from 'commander';

/** A number of things on the command line. @throws InvalidArgumentError for anything but a plain non-negative integer. */
export const parseCount = (text: string): number => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('expected a non-negative integer');
  }
  return value;
};

/** A TCP port to listen on, 0 for a free one. @throws InvalidArgumentError for anything but an integer from 0 to 65,535. */
export const parsePort = (text: string): number => {
  const port = parseCount(text);
  if (port > 65_535) {
    throw new InvalidArgumentError('expected a port from 0 to 65535');
  }
  return port;
};

/** The bit order of 6-bit dtypes, which safetensors leaves undefined. */
export const f6OrderOption = (): Option =>
  new Option('--f6-order <order>', 'decode F6 tensors by this bit order, which the format leaves undefined').choices([
    'lsb',
    'msb',
  ]);

/** Gathers the values of an option that may be given several times. */
export const repeated = (value: string, before: readonly string[] | undefined): string[] => [...(before ?? []), value];
