import { describe, expect, it } from 'vitest';
import type { PickleNode } from '../../../../src/core/formats/pickle/nodes.ts';
import { argumentsInShort, shortText as inShort } from '../../../../src/core/formats/pickle/short-text.ts';
import { childCount, childrenOf } from '../../../../src/core/formats/pickle/tree-view.ts';
import { bytesOpcode, global, little, op, type Part, run, shortText, stream } from './pickle-bytes.ts';

const rootOf = (...parts: readonly Part[]): PickleNode => {
  const { root, problem } = run(...parts, op('STOP'));
  if (root === undefined) {
    throw new Error(problem?.message);
  }
  return root;
};

describe('short texts', () => {
  it.each<readonly [string, readonly Part[]]>([
    ['None', ['N']],
    ['True', ['\x88']],
    ['-3', ['I-3\n']],
    ['18446744073709551616', ['L18446744073709551616\n']],
    ['an integer of over 512 bits', [`L1${'0'.repeat(200)}\n`]],
    ['1.0', ['F1\n']],
    ['-0.0', ['F-0.0\n']],
    ['1e+300', ['F1e300\n']],
    ['nan', ['Fnan\n']],
    ['-inf', ['F-inf\n']],
    ['"é"', [shortText('é')]],
    ['"é"', ['U\x02\xc3\xa9']],
    ['"ÿ"', ['U\x01\xff']],
    ['bytes of length 0', ['C\x00']],
    ['bytes of length 9: 00 01 02 03 04 05 06 07 …', [bytesOpcode(Uint8Array.from({ length: 9 }, (_, at) => at))]],
    ['bytearray of length 1: 61', ['\x96', little(1, 8), 'a']],
    ['[]', [']']],
    ['()', [')']],
    ['(None,)', ['N\x85']],
    ['(None, None)', ['NN\x86']],
    ['set()', ['\x8f']],
    ['{1}', ['\x8f(K\x01\x90']],
    ['frozenset({1})', ['(K\x01\x91']],
    ['{}', ['}']],
    ['{"a": 1, 2: [3]}', ['}', shortText('a'), 'K\x01sK\x02]K\x03as']],
    ['[1, 2, 3, 4, 5, 6, … 7 in all]', ['(K\x01K\x02K\x03K\x04K\x05K\x06K\x07l']],
    ['os.system', [global('os', 'system')]],
    ['os.system("x")', [global('os', 'system'), shortText('x'), '\x85R']],
    ['m.f(*[])', [global('m', 'f'), ']R']],
    ['m.f((), {})', [global('m', 'f'), ')}\x92']],
    ['import of ("os", 1)', [shortText('os'), 'K\x01\x93']],
    ['extension 7', ['\x82\x07']],
    ['persistent id "17"', ['P17\n']],
    ['buffer 0', ['\x97']],
  ])('%s', (text, parts) => {
    expect(inShort(rootOf(...parts))).toBe(text);
  });

  it('arguments alone', () => {
    expect(argumentsInShort(rootOf(global('os', 'system'), shortText('x'), '\x85R'))).toBe('("x")');
    expect(argumentsInShort(rootOf('N'))).toBe('');
  });

  it('are bounded, whatever hangs on the node', () => {
    const cycle = rootOf(']q\x00h\x00a');
    expect(inShort(cycle)).toBe('[[[[…]]]]');
    const doubling = rootOf('N', '2\x86'.repeat(5000));
    expect(inShort(doubling).length).toBeLessThanOrEqual(160);
    const calls = rootOf(global('m', 'f'), ')R'.repeat(50_000));
    expect(inShort(calls).length).toBeLessThanOrEqual(160);
    const ids = rootOf('N', 'Q'.repeat(50_000));
    expect(inShort(ids).length).toBeLessThanOrEqual(160);
    const long = rootOf('X', little(100_000, 4), 'x'.repeat(100_000));
    expect(inShort(long).length).toBeLessThanOrEqual(62);
    const wide = rootOf(
      '(',
      shortText('y'.repeat(200)),
      shortText('z'.repeat(200)),
      shortText('x'.repeat(200)),
      'N'.repeat(10),
      't',
    );
    expect(inShort(wide).length).toBeLessThanOrEqual(160);
  });
});

describe('children', () => {
  const dict = rootOf('}(', shortText('a'), 'K\x01', shortText('b'), 'K\x02', shortText('c'), ']K\x03au');

  it('of a dict: a page, with keys', () => {
    expect(childCount(dict)).toBe(3);
    expect(childrenOf(dict, 1, 1).map(({ role, label, text }) => [role, label, text])).toEqual([['entry', '"b"', '2']]);
    expect(childrenOf(dict, 1, 99).map(({ index, children }) => [index, children])).toEqual([
      [1, 0],
      [2, 1],
    ]);
    expect(childrenOf(dict, 3, 99)).toEqual([]);
    expect(childrenOf(dict, 0, 0)).toEqual([]);
  });

  const call = rootOf(
    stream(global('m', 'f'), 'K\x01K\x02\x86}', shortText('k'), 'K\x03s\x92'),
    'K\x04a(K\x05e',
    shortText('key'),
    'K\x06s',
    'K\x07b',
  );

  it('of a call: callee, arguments, keywords, items, entries, states', () => {
    const rows = childrenOf(call, 0, 99).map(({ role, index, label, text }) => [role, index, label, text]);
    expect(rows).toEqual([
      ['callee', 0, '0', 'm.f'],
      ['argument', 0, '0', '1'],
      ['argument', 1, '1', '2'],
      ['keyword', 0, '"k"', '3'],
      ['item', 0, '0', '4'],
      ['item', 1, '1', '5'],
      ['entry', 0, '"key"', '6'],
      ['state', 0, '0', '7'],
    ]);
    expect(childCount(call)).toBe(rows.length);
  });

  it('pages put together are the whole', () => {
    const whole = childrenOf(call, 0, 99);
    for (const size of [1, 2, 3, 5]) {
      const pages = Array.from({ length: 9 }, (_, page) => childrenOf(call, page * size, size)).flat();
      expect(pages).toEqual(whole);
    }
  });

  it('of ids and computed imports', () => {
    expect(childrenOf(rootOf('N\x85Q'), 0, 9).map(({ role, text }) => [role, text])).toEqual([
      ['persistent-id', '(None,)'],
    ]);
    expect(childrenOf(rootOf('NK\x01\x93'), 0, 9).map(({ role, text }) => [role, text])).toEqual([
      ['module', 'None'],
      ['name', '1'],
    ]);
    expect(childrenOf(rootOf('N'), 0, 9)).toEqual([]);
  });

  it('what is its own ancestor is marked and has no children', () => {
    const outer = rootOf(']q\x00]h\x00aa');
    const [inner] = childrenOf(outer, 0, 1);
    expect([inner?.cycle, inner?.children]).toEqual([false, 1]);
    const [again] = inner === undefined ? [] : childrenOf(inner.node, 0, 1, [outer]);
    expect([again?.node === outer, again?.cycle, again?.children]).toEqual([true, true, 0]);
    const [self] = childrenOf(rootOf(']q\x00h\x00a'), 0, 1);
    expect(self?.cycle).toBe(true);
  });
});
