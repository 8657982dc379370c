import { describe, expect, it } from 'vitest';
import { gradePickle } from '../../../../src/core/formats/pickle/grade-pickle.ts';
import { runPickle } from '../../../../src/core/formats/pickle/run-pickle.ts';
import { CALL, codes, DANGER, grade, UNKNOWN } from './graded.ts';
import { bytesOpcode, global, little, run, shortText, stream } from './pickle-bytes.ts';

describe('nested pickles', () => {
  const inner = stream("cos\nsystem\n(S'x'\ntR.");

  it.each([
    ['pickle', 'loads'],
    ['_pickle', 'loads'],
    ['cPickle', 'loads'],
    ['dill', 'loads'],
    ['torch.storage', '_load_from_bytes'],
    ['joblib', 'load'],
    ['mymodule', 'anything'],
  ])('%s.%s: its bytes are graded', (module, name) => {
    const all = grade(stream(global(module, name), bytesOpcode(inner), '\x85R.'));
    const inside = all.filter(({ message }) => message.startsWith('in the pickle handed to'));
    expect(inside.map(({ code }) => code)).toEqual([DANGER, CALL]);
    // The file's byte at which the inner GLOBAL lies.
    expect(inside[0]?.offset).toBe(global(module, name).length + 5);
  });

  it('through BytesIO, through latin1 text, and in a bytearray', () => {
    const latin1 = stream(
      global('_codecs', 'encode'),
      'X',
      little(inner.length, 4),
      inner,
      shortText('latin1'),
      '\x86R',
    );
    const wrapped = stream(global('io', 'BytesIO'), bytesOpcode(inner), '\x85R');
    const bytearray = stream(global('__builtin__', 'bytearray'), bytesOpcode(inner), '\x85R');
    for (const argument of [latin1, wrapped, bytearray]) {
      const all = grade(stream(global('torch', 'load'), argument, '\x85R.'));
      expect(all.filter(({ message }) => message.startsWith('in the')).map(({ code }) => code)).toEqual([DANGER, CALL]);
    }
  });

  it('three levels are followed, a fourth is announced', () => {
    let bytes = inner;
    for (let level = 1; level <= 4; level += 1) {
      bytes = stream(global('pickle', 'loads'), bytesOpcode(bytes), '\x85R.');
      const all = grade(bytes);
      expect(all.some(({ message }) => message.includes('os.system'))).toBe(level <= 3);
      expect(all.some(({ code }) => code === 'pickle-limit')).toBe(level > 3);
    }
  });

  it('bytes that are no pickle, and bytes nobody can see', () => {
    expect(codes(global('torch.storage', '_load_from_bytes'), bytesOpcode(stream('PK\x03\x04')), '\x85R.')).toEqual([
      UNKNOWN,
      'not-scanned',
    ]);
    expect(codes(global('torch.storage', '_load_from_bytes'), 'N\x85R.')).toEqual([UNKNOWN, CALL]);
  });

  it('one byte string handed over a thousand times is read once', () => {
    const bytes = stream(
      bytesOpcode(inner),
      'q\x000',
      global('pickle', 'loads'),
      'q\x010',
      'h\x01h\x00\x85R0'.repeat(1000),
      'N.',
    );
    expect(grade(bytes).filter(({ message }) => message.startsWith('in the'))).toHaveLength(2);
  });

  it('bytes given to what only builds data are data', () => {
    const raw = stream('\x80\x02K\x01.');
    expect(codes(global('numpy.core.multiarray', 'scalar'), 'N', bytesOpcode(raw), '\x86R.')).toEqual([]);
  });
});

describe('indirect calls', () => {
  it('the result of a call is called', () => {
    expect(codes(global('m', 'f'), ')R)R.')).toEqual([UNKNOWN, CALL]);
  });

  it('a function handed to one that calls it counts as called', () => {
    const { imports } = run(global('torch._tensor', '_rebuild_from_type_v2'), '(', global('os', 'system'), 'NNNtR.');
    expect(imports.find(({ name }) => name === 'system')?.calls).toBe(1);
  });
});

describe('findings', () => {
  it('findings name the member, and the file’s byte where it is known', () => {
    const bytes = stream(global('os', 'system'), '.');
    const [stored] = grade(bytes, { member: 'a/data.pkl', base: 100 });
    expect([stored?.offset, stored?.message.startsWith('"a/data.pkl": ')]).toEqual([100, true]);
    const [inflated] = gradePickle(runPickle(bytes), { file: 'x', member: 'a/data.pkl' });
    expect(inflated).not.toHaveProperty('offset');
  });

  it('thousands of imports are a thousand lines and a count', () => {
    const many = Array.from({ length: 1500 }, (_, index) => global('m', `f${index}`));
    const findings = grade(stream(...many, '.'));
    expect(findings).toHaveLength(1001);
    expect(findings.at(-1)?.message).toBe('500 more of this kind');
  });
});
