/** What CPython 3.11's own loader makes of the same bytes (test/oracle/pickles.py). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type PickleOutcome, runPickle } from '../../../../src/core/formats/pickle/run-pickle.ts';
import { OracleDump } from './oracle-tree.ts';

interface OracleCase {
  readonly name: string;
  readonly base64: string;
  /** Why the loader refuses it. */
  readonly error?: string;
  /** Where the loader stops reading, and what it has made. */
  readonly end?: number;
  readonly tree?: unknown;
}

const { cases }: { readonly cases: readonly OracleCase[] } = JSON.parse(
  readFileSync(new URL('../../../fixtures/pickle/oracle.json', import.meta.url), 'utf8'),
);

// The oracle reads from a BytesIO, as torch.load does.
const run = ({ base64 }: OracleCase): PickleOutcome => runPickle(Buffer.from(base64, 'base64'), { frames: 'buffered' });

const text = ({ name, base64 }: OracleCase): string =>
  `${name}: ${JSON.stringify(Buffer.from(base64, 'base64').toString('latin1'))}`;

/** Where we go on although CPython does not: what cannot be known without running, and what changes nothing. */
const goesOn = (outcome: PickleOutcome): boolean =>
  outcome.misuses.length > 0 ||
  [...outcome.events].some(
    ({ kind, node }) =>
      kind === 'computed-import' || kind === 'extension' || (node.kind === 'call' && node.callee.kind === 'call'),
  );

const loaded = cases.filter(({ error }) => error === undefined);
const refused = cases.filter(({ error }) => error !== undefined);

describe('pickles that CPython loads', () => {
  it('are many, of every protocol', () => {
    expect(loaded.length).toBeGreaterThan(400);
    const protocols = new Set(loaded.map((one) => run(one).protocol));
    expect([...protocols].sort()).toEqual([0, 2, 3, 4, 5]);
  });

  it('give the same tree, shared objects and cycles included', () => {
    const dump = ({ root }: PickleOutcome): unknown => (root === undefined ? 'no root' : new OracleDump().tree(root));
    for (const one of loaded) {
      expect(dump(run(one)), text(one)).toEqual(one.tree);
    }
  });

  it('end at the same byte, unless a frame leads the loader beyond STOP', () => {
    for (const one of loaded) {
      const { end, frameEnd } = run(one);
      expect(frameEnd ?? end, text(one)).toBe(one.end);
    }
  });

  it('are complete and without remarks, frames apart', () => {
    for (const one of loaded) {
      const { outcome, misuses } = run(one);
      expect({ outcome, misuses }, text(one)).toEqual({ outcome: 'complete', misuses: [] });
    }
  });
});

describe('pickles that CPython refuses', () => {
  it('are many', () => {
    expect(refused.length).toBeGreaterThan(500);
  });

  it('are broken for us as well, except where stopping would hide what follows', () => {
    const taken = refused.filter((one) => {
      const outcome = run(one);
      return outcome.outcome === 'complete' && !goesOn(outcome);
    });
    expect(taken.map(text)).toEqual([]);
  });
});

describe('frames', () => {
  const games = cases.filter(({ name }) => name.startsWith('frames '));
  const shown = ({ outcome, root }: PickleOutcome): unknown => [
    outcome,
    root === undefined ? undefined : new OracleDump().tree(root),
  ];

  it('that make two pickles of one stream are noticed when they are ignored', () => {
    const two = games.filter((one) => {
      const ignored = runPickle(Buffer.from(one.base64, 'base64'));
      const differs = JSON.stringify(shown(ignored)) !== JSON.stringify(shown(run(one)));
      expect(!differs || ignored.framesWrong.length > 0, text(one)).toBe(true);
      return differs;
    });
    expect(two.length).toBeGreaterThan(20);
  });
});
