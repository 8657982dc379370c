import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gradePickle } from '../../../../src/core/formats/pickle/grade-pickle.ts';
import { looksLikePickle } from '../../../../src/core/formats/pickle/looks-like-pickle.ts';
import { OPCODES } from '../../../../src/core/formats/pickle/opcodes.ts';
import { type PickleOutcome, runPickle } from '../../../../src/core/formats/pickle/run-pickle.ts';
import { shortText } from '../../../../src/core/formats/pickle/short-text.ts';
import { childrenOf } from '../../../../src/core/formats/pickle/tree-view.ts';
import { OracleDump } from './oracle-tree.ts';
import { stream } from './pickle-bytes.ts';
import { writable, writePickle } from './pickle-writer.ts';

describe('values written and read', () => {
  it('come back the same by whichever opcodes they are written, and the stream ends exactly', () => {
    fc.assert(
      fc.property(writable, fc.infiniteStream(fc.nat()), fc.uint8Array({ maxLength: 5 }), (value, choices, tail) => {
        const choose = (count: number): number => (choices.next().value ?? 0) % count;
        const bytes = stream(writePickle(value, choose), '.');
        const outcome = runPickle(stream(bytes, tail));
        const tree = outcome.root === undefined ? outcome.problem : new OracleDump().tree(outcome.root);
        expect(tree).toEqual(value);
        expect(outcome.end).toBe(bytes.length);
        expect(outcome.misuses).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

/** What holds of every outcome, whatever the bytes. */
const checkOutcome = (bytes: Uint8Array, outcome: PickleOutcome): void => {
  const complete = outcome.outcome === 'complete';
  expect(outcome.root !== undefined).toBe(complete);
  expect(outcome.problem === undefined).toBe(complete);
  expect(outcome.end).toBeLessThanOrEqual(bytes.length);
  // Work is bounded by the bytes: a step takes one at least, and makes no more than three nodes (INST: name, tuple, call).
  expect(outcome.steps).toBeLessThanOrEqual(bytes.length);
  expect(outcome.nodes).toBeLessThanOrEqual(3 * outcome.steps);
  expect(outcome.events.length).toBeLessThanOrEqual(2 * outcome.steps);
  for (const { offset, opcode, node } of outcome.events) {
    expect(bytes[offset]).toBe(OPCODES[opcode]);
    expect(shortText(node).length).toBeLessThanOrEqual(160);
    childrenOf(node, 0, 3);
  }
  for (const { severity, offset = 0 } of gradePickle(outcome, { file: 'fuzz', base: 0 })) {
    expect(severity).not.toBe('note');
    expect(offset).toBeLessThanOrEqual(bytes.length);
  }
  looksLikePickle(bytes);
};

const folder = new URL('../../../fixtures/pickle/', import.meta.url);
const samples = readdirSync(folder)
  .filter((name) => name.endsWith('.pkl'))
  .map((name) => readFileSync(new URL(name, folder)));

describe('any bytes', () => {
  it('random ones give an outcome', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => checkOutcome(bytes, runPickle(bytes))),
      { numRuns: 1000 },
    );
  });

  it('random opcodes give an outcome', () => {
    const byte = fc.oneof(fc.constantFrom(...Object.values(OPCODES)), fc.nat(255), fc.constantFrom(0, 1, 10, 0x61));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 200 }), (bytes) => {
        const array = Uint8Array.from(bytes);
        checkOutcome(array, runPickle(array));
      }),
      { numRuns: 2000 },
    );
  });

  it('real pickles with bytes changed give an outcome, and what lies before the change is kept', () => {
    const change = fc.record({ at: fc.nat(), byte: fc.nat(255) });
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 4 }), (sample, changes) => {
        const bytes = Uint8Array.from(sample);
        const places = changes.map(({ at, byte }) => {
          const place = at % bytes.length;
          bytes[place] = byte;
          return place;
        });
        const outcome = runPickle(bytes);
        checkOutcome(bytes, outcome);
        const first = Math.min(...places);
        // INST has its names behind its byte; every other call is that byte alone.
        const callsSeen = ({ events }: PickleOutcome): unknown =>
          [...events]
            .filter(({ node, offset }) => node.kind === 'call' && node.opcode !== 'INST' && offset < first)
            .map(({ kind, offset }) => [kind, offset]);
        expect(callsSeen(outcome)).toEqual(callsSeen(runPickle(Uint8Array.from(sample))));
      }),
      { numRuns: 1500 },
    );
  });

  it('real pickles cut anywhere are broken at their end, what came before kept', () => {
    for (const sample of samples) {
      const whole = runPickle(sample);
      for (let length = 0; length < whole.end - 1; length += 7) {
        const outcome = runPickle(sample.subarray(0, length));
        expect(outcome.problem?.cutOff).toBe(true);
        const expected = [...whole.events].filter(({ offset }) => offset < outcome.end).length;
        expect(outcome.events.length).toBe(expected);
      }
    }
  });
});
