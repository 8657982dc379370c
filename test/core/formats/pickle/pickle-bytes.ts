import { OPCODES, type OpcodeName } from '../../../../src/core/formats/pickle/opcodes.ts';
import { type PickleOutcome, runPickle } from '../../../../src/core/formats/pickle/run-pickle.ts';
import { OracleDump } from './oracle-tree.ts';

/** A part of a stream: an opcode by its name, text as Latin-1, bytes. */
export type Part = { readonly op: OpcodeName } | string | readonly number[] | Uint8Array;

export const op = (name: OpcodeName): Part => ({ op: name });

/** Parts joined to a stream. */
export const stream = (...parts: readonly Part[]): Uint8Array =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => {
        if (typeof part === 'string') {
          return Buffer.from(part, 'latin1');
        }
        return 'op' in part ? Buffer.of(OPCODES[part.op]) : Buffer.from(part);
      }),
    ),
  );

/** `length` in `size` little-endian bytes. */
export const little = (length: number, size: number): readonly number[] =>
  Array.from({ length: size }, (_, index) => Math.floor(length / 256 ** index) % 256);

/** Opcodes that push a text of protocol 4. */
export const shortText = (text: string): Uint8Array => {
  const bytes = Buffer.from(text, 'utf8');
  return stream(op('SHORT_BINUNICODE'), [bytes.length], bytes);
};

/** Opcodes that push bytes. */
export const bytesOpcode = (bytes: Uint8Array): Uint8Array => stream(op('BINBYTES'), little(bytes.length, 4), bytes);

/** GLOBAL with its two names. */
export const global = (module: string, name: string): Uint8Array => stream(`c${module}\n${name}\n`);

export const run = (...parts: readonly Part[]): PickleOutcome => runPickle(stream(...parts));

/** The value in the oracle's form; the problem where there is no value. */
export const tree = (outcome: PickleOutcome): unknown =>
  outcome.root === undefined ? outcome.problem : new OracleDump().tree(outcome.root);

/** Imports as `module name`. */
export const names = (outcome: PickleOutcome): readonly string[] =>
  outcome.imports.map(({ module, name }) => `${module} ${name}`);
