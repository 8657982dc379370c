import { describe, expect, it } from 'vitest';
import { bytesOf, callOf, isGlobal, itemsOf, textOf } from '../../../../src/core/formats/pickle/node-values.ts';
import { python3Name } from '../../../../src/core/formats/pickle/python2-names.ts';
import { bytesOpcode, global, op, type Part, run, shortText } from './pickle-bytes.ts';

const root = (...parts: readonly Part[]) => run(...parts, op('STOP')).root;

const bytes = (...parts: readonly Part[]): string | undefined => {
  const found = bytesOf(root(...parts));
  return found === undefined ? undefined : Buffer.from(found).toString('latin1');
};

describe('texts', () => {
  it('of both Pythons, and of nothing else', () => {
    expect(textOf(root(shortText('é')))).toBe('é');
    expect(textOf(root('U\x02\xc3\xa9'))).toBe('é');
    expect(textOf(root('U\x01\xe9'))).toBe('é');
    expect(textOf(root('C\x01a'))).toBeUndefined();
    expect(textOf(undefined)).toBeUndefined();
  });
});

describe('bytes', () => {
  it('in every form that a pickler gives them', () => {
    const encode = global('_codecs', 'encode');
    expect(bytes('C\x02a\xff')).toBe('a\xff');
    expect(bytes('U\x02a\xff')).toBe('a\xff');
    expect(bytes(encode, shortText('aÿ'), shortText('latin1'), '\x86R')).toBe('a\xff');
    expect(bytes(encode, shortText('aÿ'), 'U\x07latin-1\x86R')).toBe('a\xff');
    expect(bytes(global('__builtin__', 'bytes'), ')R')).toBe('');
    expect(bytes(global('builtins', 'bytearray'), bytesOpcode(Buffer.from('ab')), '\x85R')).toBe('ab');
    expect(bytes(global('builtins', 'bytearray'), shortText('aÿ'), shortText('latin-1'), '\x86R')).toBe('a\xff');
    expect(bytes(global('builtins', 'bytearray'), encode, shortText('ÿ'), shortText('latin1'), '\x86R\x85R')).toBe(
      '\xff',
    );
  });

  it('are not guessed', () => {
    const encode = global('_codecs', 'encode');
    expect(bytes(encode, shortText('é'), shortText('utf-8'), '\x86R')).toBeUndefined();
    expect(bytes(encode, shortText('日'), shortText('latin1'), '\x86R')).toBeUndefined();
    expect(bytes(global('builtins', 'bytes'), 'K\x05\x85R')).toBeUndefined();
    expect(bytes(global('m', 'f'), 'C\x01a\x85R')).toBeUndefined();
    expect(bytes('N')).toBeUndefined();
  });
});

describe('imports', () => {
  it('are told by what they are in Python 3, and by any of the modules they had', () => {
    expect(isGlobal(root(global('__builtin__', 'set')), 'builtins', 'set')).toBe(true);
    expect(isGlobal(root(global('builtins', 'set')), 'builtins', 'list')).toBe(false);
    const both = ['numpy.core.multiarray', 'numpy._core.multiarray'];
    expect(isGlobal(root(global('numpy._core.multiarray', 'scalar')), both, 'scalar')).toBe(true);
    expect(isGlobal(root('N'), 'builtins', 'set')).toBe(false);
  });

  it('and so are their calls', () => {
    const node = root(global('m', 'f'), ')R');
    expect(callOf(node, 'm', 'f')).toBe(node);
    expect(callOf(node, 'm', 'g')).toBeUndefined();
  });

  it('items of the four containers that have them', () => {
    expect(
      ['](N', '(N', '\x8f(N', '(N'].map(
        (start, index) => itemsOf(root(start, ['e', 't', '\x90', '\x91'][index] ?? ''))?.length,
      ),
    ).toEqual([1, 1, 1, 1]);
    expect(itemsOf(root('}'))).toBeUndefined();
  });
});

describe('Python-2 names', () => {
  it.each([
    ['__builtin__', 'set', 'builtins', 'set'],
    ['__builtin__', 'xrange', 'builtins', 'range'],
    ['__builtin__', 'reduce', 'functools', 'reduce'],
    ['copy_reg', '_reconstructor', 'copyreg', '_reconstructor'],
    ['commands', 'getoutput', 'subprocess', 'getoutput'],
    ['exceptions', 'StandardError', 'builtins', 'Exception'],
    ['exceptions', 'ValueError', 'builtins', 'ValueError'],
    ['itertools', 'izip', 'builtins', 'zip'],
    ['UserDict', 'UserDict', 'collections', 'UserDict'],
    ['torch', 'Size', 'torch', 'Size'],
  ])('%s.%s is %s.%s', (module, name, newModule, newName) => {
    expect(python3Name(module, name)).toEqual({ module: newModule, name: newName });
  });
});
