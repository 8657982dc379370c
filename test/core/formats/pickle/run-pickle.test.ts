import { describe, expect, it } from 'vitest';
import { OPCODES, opcodeName } from '../../../../src/core/formats/pickle/opcodes.ts';
import { runPickle } from '../../../../src/core/formats/pickle/run-pickle.ts';
import { little, names, op, type Part, run, shortText, stream, tree } from './pickle-bytes.ts';

const call = (
  args: readonly unknown[],
  rest: {
    readonly kwargs?: unknown;
    readonly items?: unknown;
    readonly pairs?: unknown;
    readonly states?: unknown;
  } = {},
): unknown => ({ call: ['m', 'f'], args, kwargs: [], items: [], pairs: [], states: [], ...rest });

const one = { int: '0x1' };
const two = { int: '0x2' };
const three = { int: '0x3' };
const f = 'cm\nf\n';

/** For every opcode a stream that uses it (STOP is added), and the value it makes. */
const STREAMS: Readonly<Record<keyof typeof OPCODES, readonly [parts: readonly Part[], value: unknown]>> = {
  MARK: [['(K\x01l'], { list: [one] }],
  EMPTY_TUPLE: [[')'], { tuple: [] }],
  STOP: [['N'], null],
  POP: [['K\x01N0'], one],
  POP_MARK: [['K\x01(NN1'], one],
  DUP: [[']2\x86'], { tuple: [{ list: [] }, { again: 0 }] }],
  BINBYTES: [['B', little(2, 4), 'a\xff'], { bytes: '61ff' }],
  SHORT_BINBYTES: [['C\x01\xff'], { bytes: 'ff' }],
  FLOAT: [['F1.5\n'], { float: '3ff8000000000000' }],
  BINFLOAT: [['G', [0x3f, 0xf8, 0, 0, 0, 0, 0, 0]], { float: '3ff8000000000000' }],
  INT: [['I-3\n'], { int: '-0x3' }],
  BININT: [['J\xfe\xff\xff\xff'], { int: '-0x2' }],
  BININT1: [['K\xff'], { int: '0xff' }],
  LONG: [['L18446744073709551616L\n'], { int: '0x10000000000000000' }],
  BININT2: [['M\x01\x02'], { int: '0x201' }],
  NONE: [['N'], null],
  PERSID: [['P17\n'], { persistent: '17' }],
  BINPERSID: [['K\x01Q'], { persistent: one }],
  REDUCE: [[f, 'K\x01\x85R'], call([one])],
  STRING: [["S'a\\n'\n"], { bytes: '610a' }],
  BINSTRING: [['T', little(1, 4), '\xff'], { bytes: 'ff' }],
  SHORT_BINSTRING: [['U\x01a'], { bytes: '61' }],
  UNICODE: [['V\\u00e9\xe9\n'], 'éé'],
  BINUNICODE: [['X', little(2, 4), '\xc3\xa9'], 'é'],
  EMPTY_LIST: [[']'], { list: [] }],
  APPEND: [[']K\x01a'], { list: [one] }],
  BUILD: [[f, ')RK\x01b'], call([], { states: [one] })],
  GLOBAL: [[f], { global: ['m', 'f'] }],
  DICT: [['(K\x01K\x02d'], { dict: [[one, two]] }],
  APPENDS: [['](K\x01K\x02e'], { list: [one, two] }],
  GET: [['K\x01p9\n0g9\n'], one],
  BINGET: [['K\x01q\x09', '0h\x09'], one],
  INST: [['(K\x01im\nf\n'], call([one])],
  LONG_BINGET: [['K\x01r\x09\0\0\0', '0j\x09\0\0\0'], one],
  LIST: [['(K\x01K\x02l'], { list: [one, two] }],
  OBJ: [['(', f, 'K\x01o'], call([one])],
  PUT: [['K\x01p9\n0h\x09'], one],
  BINPUT: [['K\x01q\x09', '0g9\n'], one],
  LONG_BINPUT: [['K\x01r\xff\xff\xff\xff', '0j\xff\xff\xff\xff'], one],
  SETITEM: [['}K\x01K\x02s'], { dict: [[one, two]] }],
  TUPLE: [['(K\x01K\x02t'], { tuple: [one, two] }],
  SETITEMS: [
    ['}(K\x01K\x02K\x02K\x03u'],
    {
      dict: [
        [one, two],
        [two, three],
      ],
    },
  ],
  EMPTY_DICT: [['}'], { dict: [] }],
  PROTO: [['\x80\x05N'], null],
  NEWOBJ: [[f, ')\x81'], call([])],
  EXT1: [['\x82\x01'], 'extension'],
  EXT2: [['\x83\x01\x01'], 'extension'],
  EXT4: [['\x84\x01\x01\x01\x01'], 'extension'],
  TUPLE1: [['K\x01\x85'], { tuple: [one] }],
  TUPLE2: [['K\x01K\x02\x86'], { tuple: [one, two] }],
  TUPLE3: [['K\x01K\x02K\x03\x87'], { tuple: [one, two, three] }],
  NEWTRUE: [['\x88'], true],
  NEWFALSE: [['\x89'], false],
  LONG1: [['\x8a\x02\x00\x80'], { int: '-0x8000' }],
  LONG4: [['\x8b', little(9, 4), '\0\0\0\0\0\0\0\0\x01'], { int: '0x10000000000000000' }],
  SHORT_BINUNICODE: [[shortText('é')], 'é'],
  BINUNICODE8: [['\x8d', little(3, 8), '\xed\xa0\x80'], '\ud800'],
  BINBYTES8: [['\x8e', little(1, 8), 'a'], { bytes: '61' }],
  EMPTY_SET: [['\x8f'], { set: [] }],
  ADDITEMS: [['\x8f(\x88N\x90'], { set: ['null', 'true'] }],
  FROZENSET: [['(\x88N\x91'], { frozenset: ['null', 'true'] }],
  NEWOBJ_EX: [[f, 'K\x01\x85}', shortText('k'), 'K\x02s\x92'], call([one], { kwargs: [['k', two]] })],
  STACK_GLOBAL: [[shortText('m'), shortText('f'), '\x93'], { global: ['m', 'f'] }],
  MEMOIZE: [['K\x01\x94K\x02\x94h\x00h\x01\x86'], { tuple: [one, two] }],
  FRAME: [['\x95', little(2, 8), 'N'], null],
  BYTEARRAY8: [['\x96', little(1, 8), 'a'], { bytearray: '61' }],
  NEXT_BUFFER: [['\x97'], 'out-of-band buffer'],
  READONLY_BUFFER: [['\x97\x98'], 'out-of-band buffer'],
};

describe('every opcode', () => {
  it('is there, all 68 of them', () => {
    expect(Object.keys(OPCODES)).toHaveLength(68);
    expect(new Set(Object.values(OPCODES)).size).toBe(68);
  });

  for (const [name, [parts, value]] of Object.entries(STREAMS)) {
    it(`${name} makes its value, in a stream that has it`, () => {
      const bytes = stream(...parts, op('STOP'));
      const outcome = runPickle(bytes);
      expect(tree(outcome)).toEqual(value);
      expect(outcome.end).toBe(bytes.length);
      expect(outcome.outcome).toBe('complete');
      expect([...bytes].map(opcodeName)).toContain(name);
    });
  }

  it('cut off anywhere, no stream throws or is complete', () => {
    for (const [parts] of Object.values(STREAMS)) {
      const bytes = stream(...parts, op('STOP'));
      for (let length = 0; length < bytes.length; length += 1) {
        const outcome = runPickle(bytes.subarray(0, length));
        expect(outcome.outcome).toBe('broken');
        expect(outcome.root).toBeUndefined();
      }
    }
  });

  it('every other byte is no opcode and breaks the stream there', () => {
    const known = new Set<number>(Object.values(OPCODES));
    for (let byte = 0; byte < 256; byte += 1) {
      if (!known.has(byte)) {
        const { problem } = run('N', [byte]);
        expect(problem?.offset).toBe(1);
        expect(problem?.message).toMatch(/is no opcode/);
      }
    }
  });
});

describe('where the pickle ends', () => {
  it('exactly after STOP, from any start; offsets count from the first byte', () => {
    const bytes = stream('xxK\x01.K\x02.');
    const first = runPickle(bytes, { start: 2 });
    expect([first.end, first.root?.offset]).toEqual([5, 2]);
    const second = runPickle(bytes, { start: first.end });
    expect([second.end, second.root?.offset, second.start]).toEqual([8, 5, 5]);
    expect(runPickle(bytes, { start: second.end }).problem).toEqual({
      offset: 8,
      message: 'the stream ends without STOP',
      cutOff: true,
    });
  });

  it('what is left on the stack is counted', () => {
    expect(run('NNK\x01.').leftover).toBe(2);
  });

  it('the last PROTO counts', () => {
    expect([run('N.').protocol, run('\x80\x02\x80\x04N.').protocol]).toEqual([0, 4]);
  });
});

describe('frames', () => {
  it('exact ones raise nothing', () => {
    const outcome = run('\x80\x04\x95', little(2, 8), 'N.');
    expect([outcome.framesWrong, outcome.frameEnd]).toEqual([[], undefined]);
  });

  it.each([
    ['longer than the stream', ['\x95', little(9, 8), 'N.'], 0],
    ['beyond any file', ['\x95\xff\xff\xff\xff\xff\xff\xff\xff', 'N.'], 0],
    ['ending inside an opcode', ['\x95', little(2, 8), 'M\x01\x020N.'], 12],
    ['inside another', ['\x95', little(12, 8), '\x95', little(2, 8), 'NN.'], 9],
    ['going on beyond STOP', ['\x95', little(4, 8), 'N.NN'], 10],
  ])('%s: noted, and nothing else changes', (_, parts, at) => {
    const outcome = run(...parts);
    expect(outcome.outcome).toBe('complete');
    expect(outcome.root?.kind).toBe('none');
    expect(outcome.framesWrong.map(({ offset }) => offset)).toContain(at);
  });

  it('one that goes on beyond STOP says where loaders go on', () => {
    const outcome = run('\x95', little(4, 8), 'N.NN');
    expect([outcome.end, outcome.frameEnd]).toEqual([11, 13]);
  });
});

describe('sharing', () => {
  it('a get pushes the same node, and a list can hold itself', () => {
    const { root } = run(']q\x00h\x00a.');
    expect(root?.kind === 'list' && root.items[0] === root).toBe(true);
  });

  it('empty containers are not shared although they hold the same nothing', () => {
    expect(tree(run('](]]e.'))).toEqual({ list: [{ list: [] }, { list: [] }] });
    expect(tree(run(']q\x00]q\x01K\x01a0h\x01\x86.'))).toEqual({ tuple: [{ list: [] }, { list: [one] }] });
    expect(tree(run('}q\x00}K\x01K\x02s\x86.'))).toEqual({ tuple: [{ dict: [] }, { dict: [[one, two]] }] });
  });

  it('batches of one list and of one dict join in order', () => {
    expect(tree(run('](K\x01e(e(K\x02K\x03e.'))).toEqual({ list: [one, two, three] });
    expect(tree(run('}(K\x01Nu(u(K\x02Nu.'))).toEqual({
      dict: [
        [one, null],
        [two, null],
      ],
    });
  });

  it('offsets are those of the opcodes', () => {
    const { root } = run('\x80\x02(K\x01', f, ')Rt.');
    expect(root?.kind === 'tuple' ? [root.offset, ...root.items.map(({ offset }) => offset)] : []).toEqual([12, 3, 11]);
  });
});

describe('events', () => {
  it('are in order, with opcode and offset, also of what was dropped', () => {
    const outcome = run(f, 'K\x01\x85R0', shortText('m'), shortText('g'), '\x93', ')\x81}bK\x01Q0.');
    expect([...outcome.events].map(({ kind, opcode, offset }) => [kind, opcode, offset])).toEqual([
      ['import', 'GLOBAL', 0],
      ['call', 'REDUCE', 8],
      ['import', 'STACK_GLOBAL', 16],
      ['call', 'NEWOBJ', 18],
      ['build', 'BUILD', 20],
      ['persistent-id', 'BINPERSID', 23],
    ]);
    expect(outcome.events).toHaveLength(6);
    expect(outcome.events.at(6)).toBeUndefined();
  });

  it('one entry for each distinct import, with its count, first place and calls', () => {
    const { imports } = run(f, '0', f, ')R0(im\nf\n0cm\ng\n.');
    expect(
      imports.map(({ name, count, calls, firstOffset, opcode }) => [name, count, calls, firstOffset, opcode]),
    ).toEqual([
      ['f', 3, 2, 0, 'GLOBAL'],
      ['g', 1, 0, 21, 'GLOBAL'],
    ]);
  });

  it('names are kept apart however they are cut', () => {
    const both = run(shortText('a'), shortText('b c'), '\x930', shortText('a b'), shortText('c'), '\x93.');
    expect(both.imports).toHaveLength(2);
    const lines = run(shortText('a\nb'), shortText('c'), '\x930', shortText('a'), shortText('b\nc'), '\x93.');
    expect(names(lines)).toEqual(['a\nb c', 'a b\nc']);
  });

  it('a class wrapped in a "module" id, as in whole-model files, is what is called', () => {
    const { imports } = run('(', shortText('module'), f, shortText('file'), shortText('source'), 'tQ)\x81.');
    expect(imports[0]?.calls).toBe(1);
  });
});

describe('what is no container', () => {
  it.each([
    ['SETITEM on a number', 'K\x01NNs.', 4],
    ['SETITEMS on a text', stream(shortText('a'), '(NNu.'), 6],
    ['APPEND on a dict', '}Na.', 2],
    ['ADDITEMS on a list', '](N\x90.', 3],
    ['a call of a number', 'K\x01)R.', 3],
  ])('%s breaks the stream there', (_, bytes, at) => {
    const outcome = run(bytes);
    expect([outcome.outcome, outcome.problem?.offset]).toEqual(['broken', at]);
  });

  it.each([
    ['SETITEM on a list', ']K\x00Ns.'],
    ['BUILD on a dict', '}}b.'],
    ['a list as arguments', stream(f, ']R.')],
    ['SETITEM on a tensor', stream('ctorch._utils\n_rebuild_tensor_v2\n)RNNs.')],
    ['protocol 6', '\x80\x06N.'],
  ])('%s is noted, and what follows is read', (_, bytes) => {
    const outcome = run(bytes);
    expect(outcome.outcome).toBe('complete');
    expect(outcome.misuses).toHaveLength(1);
  });
});
