const LOOPS = [
  'countBytes',
  'countHalves',
  'scanFloat32',
  'scanFloat64',
  'scanSigned32',
  'scanSigned64',
  'scanUnsigned32',
  'scanUnsigned64',
] as const;
const DRAINS = [
  'drainBytes',
  'drainHalves',
  'drainFloat32',
  'drainFloat64',
  'drainIntegers32',
  'drainIntegers64',
] as const;
const ADDRESSES = [
  'COUNTS',
  'KEYS',
  'SQUARES',
  'STAGE',
  'STAGE_BYTES',
  'SUMS',
  'TALLY',
  'WINDOW',
  'WINDOW_BYTES',
] as const;

/** Takes in elements that lie at an address. */
type Scan = (at: number, elements: number) => void;
/** Lists what was counted; returns the number of keys. */
type Drain = () => number;

/** What assembly/index.ts exports. */
export type LoopExports = { readonly memory: { readonly buffer: ArrayBuffer } } & {
  readonly [Name in (typeof LOOPS)[number]]: Scan;
} & { readonly [Name in (typeof DRAINS)[number]]: Drain } & {
  readonly [Name in (typeof ADDRESSES)[number]]: { readonly value: number };
};

const isAddress = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'value' in value && typeof value.value === 'number';

/** Whether a module's exports are those. */
export const isLoopExports = (exports: Readonly<Record<string, unknown>>): exports is LoopExports => {
  const { memory } = exports;
  return (
    typeof memory === 'object' &&
    memory !== null &&
    'buffer' in memory &&
    memory.buffer instanceof ArrayBuffer &&
    [...LOOPS, ...DRAINS].every((name) => typeof exports[name] === 'function') &&
    ADDRESSES.every((name) => isAddress(exports[name]))
  );
};
