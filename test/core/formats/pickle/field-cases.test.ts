/** The recipes of FIELD-CASES.md B33 to B40 and B56, and the bypass classes of FORMATS.md 3.4, as far as one pickle goes. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { gradePickle } from '../../../../src/core/formats/pickle/grade-pickle.ts';
import { looksLikePickle } from '../../../../src/core/formats/pickle/looks-like-pickle.ts';
import { runPickle } from '../../../../src/core/formats/pickle/run-pickle.ts';
import { CALL, codes, DANGER, grade, UNKNOWN } from './graded.ts';
import { global, little, names, type Part, run, shortText, stream } from './pickle-bytes.ts';

const fixture = (name: string): Uint8Array =>
  readFileSync(new URL(`../../../fixtures/pickle/${name}`, import.meta.url));

describe('B33: a pickle under any name', () => {
  it('protocol 0 as text, and one with a header, look like pickles; other text does not', () => {
    expect(looksLikePickle(stream("cos\nsystem\n(S'x'\ntR."))).toBe(true);
    expect(looksLikePickle(stream("(dp0\nS'lr'\np1\nF0.1\ns."))).toBe(true);
    expect(looksLikePickle(stream('\x80\x02}q\x00.'))).toBe(true);
    for (const text of ['lr: 0.1\n', '{"a": 1}', 'I', 'N.', 'config', '', '((((((((', '<!DOCTYPE html>']) {
      expect(looksLikePickle(stream(text)), text).toBe(false);
    }
  });
});

describe('B34: names', () => {
  it.each([
    ['asyncio.unix_events', '_UnixSubprocessTransport'],
    ['__builtin__', 'eval'],
    ['builtins', 'getattr'],
    ['builtins', '__import__'],
    ['posix', 'system'],
    ['nt', 'system'],
    ['commands', 'getoutput'],
    ['pkgutil', 'resolve_name'],
    ['importlib', 'import_module'],
    ['operator', 'attrgetter'],
    ['functools', 'partial'],
    ['__builtin__', 'reduce'],
    ['pip', 'main'],
    ['torch.utils.collect_env', 'run'],
    ['torch._dynamo.guards', 'GuardBuilder.get'],
    ['torch.serialization', 'os.system'],
    ['torch.serialization.os', 'system'],
    ['numpy', 'prod.__globals__'],
    ['numpy', '__builtins__'],
    ['collections', 'OrderedDict.fromkeys'],
    ['numpy.testing._private.utils', 'runstring'],
    ['picklescan.scanner', 'scan'],
  ])('%s %s is dangerous, though it is never called', (module, name) => {
    const [only, ...rest] = grade(stream(shortText(module), shortText(name), '\x93.'));
    expect([only?.code, rest]).toEqual([DANGER, []]);
    expect(only?.message).toMatch(/not called/);
  });

  it.each([
    ['numpy', 'load\u2028'],
    ['c\u043ellections', 'OrderedDict'],
    ['torch.FloatStorage', 'x'],
    ['torch._utils', '_rebuild_tensor_v4'],
    ['collections', 'OrderedDict '],
    ['Collections', 'OrderedDict'],
    ['torch', ''],
    ['__main__', 'Net'],
    ['argparse', 'Namespace'],
  ])('%s %s is merely unknown: nothing is trusted for a prefix', (module, name) => {
    expect(codes(shortText(module), shortText(name), '\x93.')).toEqual([UNKNOWN]);
  });

  it.each([
    ['collections', 'OrderedDict'],
    ['torch._utils', '_rebuild_tensor_v2'],
    ['torch', 'FloatStorage'],
    ['__builtin__', 'set'],
    ['copy_reg', '_reconstructor'],
    ['numpy._core.multiarray', 'scalar'],
  ])('%s %s is allowed', (module, name) => {
    expect(codes(global(module, name), '.')).toEqual([]);
  });

  it('imports that are called are told from those that are not, with how often', () => {
    const [first, second] = grade(stream(global('m', 'f'), ')R0', global('m', 'f'), ')R0', global('m', 'g'), '.'));
    expect(first?.message).toMatch(/"m\.f".*GLOBAL at byte 0; imported 2 times, called 2 times/);
    expect(second?.message).toMatch(/"m\.g".*imported once, not called/);
  });

  it('no message has the word that a scanner must not use', () => {
    const all = [global('os', 'system'), global('m', 'f'), global('torch', 'Size')].flatMap((one) =>
      grade(stream(one, '.')),
    );
    expect(all.map(({ message }) => message).join()).not.toMatch(/safe/i);
  });
});

describe('B35: memo confusion', () => {
  it('the fixture: os.system, whatever the decoys say', () => {
    const outcome = runPickle(fixture('b35_memo.pkl'));
    expect(names(outcome)).toEqual(['os system']);
    expect(gradePickle(outcome, { file: 'x' }).map(({ code }) => code)).toEqual([DANGER]);
  });

  it('names from the memo, and by DUP', () => {
    expect(names(runPickle(fixture('pickle_stackglobal_memo.pkl')))).toEqual(['builtins print']);
    expect(names(run(shortText('os'), '2\x93.'))).toEqual(['os os']);
  });

  it('an empty slot breaks the stream; earlier imports count', () => {
    const findings = grade(stream(global('os', 'system'), 'h\x63.'));
    expect(findings.map(({ code }) => code)).toEqual([DANGER, 'pickle-broken']);
    expect(findings[1]).toEqual(
      expect.objectContaining({
        offset: 11,
        message:
          'the pickle is broken at byte 11: memo slot 99 is empty, after 1 import; that takes effect when it is loaded',
      }),
    );
  });

  it.each<readonly [string, Part]>([
    ['an int', 'K\x01'],
    ['bytes', 'C\x02os'],
    ['None', 'N'],
    ['a result', stream('cm\nf\n)R')],
  ])('STACK_GLOBAL over %s is a computed import, and what follows is read', (_, operand) => {
    expect(codes(operand, shortText('system'), '\x93)R0', global('os', 'system'), '.')).toEqual(
      expect.arrayContaining(['pickle-computed-import', CALL, DANGER]),
    );
  });
});

describe('B36: what is done to an imported object', () => {
  it('BUILD with attributes, then a dotted name', () => {
    const bytes = stream('\x80\x04', global('numpy', 'prod'), 'N}', shortText('a'), shortText('os'), 's\x86b0');
    expect(codes(bytes, global('numpy', 'prod.a'), '.')).toEqual([DANGER, UNKNOWN, 'pickle-build-on-global']);
  });

  it.each(['}b.', 'NNs.', '(NNu.', 'Na.', '(Ne.', '(N\x90.'])('%j on a bare global, however well known', (ops) => {
    expect(codes(global('torch', 'Tensor'), ops)).toEqual(['pickle-build-on-global']);
  });

  it('BUILD on an instance is ordinary', () => {
    expect(codes(global('collections', 'OrderedDict'), ')R}b.')).toEqual([]);
    expect(codes(global('torch.nn.parameter', 'Parameter'), ')\x81(NNNtb.')).toEqual([]);
  });
});

describe('B37: broken tails and rare opcodes', () => {
  it('the import before the break counts', () => {
    const findings = grade(stream("cos\nsystem\n(S'echo'\ntR\xff\xff\xff"));
    expect(findings.map(({ code }) => code)).toEqual([DANGER, CALL, 'pickle-broken']);
    expect(findings[1]?.message).toBe('calls os.system("echo") (REDUCE at byte 21)');
    expect(findings[2]).toEqual(
      expect.objectContaining({
        offset: 22,
        message: expect.stringMatching(/at byte 22: 0xff is no opcode, after 1 import/),
      }),
    );
  });

  it('cut in the middle of a text', () => {
    const [, broken] = grade(stream(global('os', 'system'), 'X', little(100, 4), 'abc'));
    expect(broken?.message).toMatch(/ends too early at byte 11: needs 100 bytes, and 3 remain, after 1 import/);
  });

  it.each([
    ['pickle_broken_after_call.pkl', ['pickle-broken']],
    ['pickle_calls_print.pkl', []],
    ['pickle_inst_print.pkl', []],
    ['pickle_obj_print.pkl', []],
    ['pickle_int_hex_prefix.pkl', []],
    ['pickle_stackglobal_memo.pkl', []],
  ])('%s: print, called', (name, more) => {
    expect(grade(fixture(name)).map(({ code }) => code)).toEqual([DANGER, CALL, ...more]);
    expect(names(runPickle(fixture(name)))).toEqual(['builtins print']);
  });

  it('a call that is dropped from the result', () => {
    expect(codes(global('os', 'system'), ')R0N.')).toEqual([DANGER, CALL]);
  });

  it.each(['\x82\x01', '\x83\x01\x00', '\x84\x01\x00\x00\x00'])('extension %j hides a name', (ops) => {
    expect(codes(ops, '.')).toEqual(['pickle-extension-code']);
    expect(codes(ops, ')R.')).toEqual(['pickle-extension-code', CALL]);
  });

  it('a wrong frame is ignored, and said', () => {
    expect(codes('\x80\x04\x95', little(99, 8), 'N.')).toEqual(['pickle-broken']);
  });

  it('a frame that ends inside a text makes another pickle of the stream for loaders that read from files', () => {
    // In memory: a text of 40 bytes. From a file: the 5 bytes left of the frame are lost, and the text is read 5 later.
    const evil = stream(global('os', 'system'), shortText('x'), '\x85R.');
    const text = stream('.'.repeat(5), 'x'.repeat(40 - 5 - 5), 'yyyyy');
    const bytes = stream('\x80\x04\x95', little(10, 8), 'X', little(40, 4), text, '0N.00', evil);
    expect(names(runPickle(bytes))).toEqual([]);
    expect(names(runPickle(bytes, { frames: 'buffered' }))).toEqual(['os system']);
    expect(looksLikePickle(stream(bytes.subarray(0, 60), [0xff], bytes.subarray(61)))).toBe(true);
    const findings = grade(bytes);
    expect(findings.map(({ code }) => code)).toEqual(['pickle-broken', DANGER, CALL]);
    expect(findings[1]?.message).toMatch(/^as read from a file, frame by frame: the import "os\.system"/);
  });

  it('text and binary floats, bytearrays, buffers and ids raise nothing', () => {
    expect(codes('F1.5\n.')).toEqual([]);
    expect(codes('\x80\x05\x96', little(1, 8), 'a.')).toEqual([]);
    expect(codes('\x97\x98.')).toEqual([]);
    expect(codes('P1\n.')).toEqual([]);
  });

  it('pickles after STOP are graded too', () => {
    const findings = grade(stream('N.N.', global('os', 'system'), '.'));
    expect(findings.map(({ code }) => code)).toEqual(['pickle-trailing', DANGER]);
    expect(findings[1]).toEqual(
      expect.objectContaining({ offset: 4, message: expect.stringMatching(/^in the pickle from byte 4: /) }),
    );
  });

  it('also a broken one, and one that a frame leads to', () => {
    expect(codes('N.', global('os', 'system'), '\xff')).toEqual(['pickle-trailing', DANGER, 'pickle-broken']);
    expect(codes('\x80\x04\x95', little(5, 8), 'N.\xff\xff\xff', global('os', 'system'), '.')).toEqual([
      'pickle-broken',
      'pickle-trailing',
      DANGER,
    ]);
  });

  it('a hundred trivial ones cannot hide another', () => {
    const findings = grade(stream('N.'.repeat(200), global('os', 'system'), '.'));
    expect(findings.map(({ code }) => code)).toEqual(['pickle-limit']);
  });

  it('neither of the two places is forgotten that a frame beyond STOP gives the next pickle', () => {
    const both = ['\x80\x04\x95', little(4, 8), 'N.', 'N.', global('os', 'system'), '.'] as const;
    expect(codes(...both)).toEqual(['pickle-broken', 'pickle-trailing', DANGER]);
  });

  it('other bytes after STOP are the caller’s business, and all of them where he says so', () => {
    expect(codes('N.\0\0\0\0')).toEqual([]);
    expect(grade(stream('N.', global('os', 'system'), '.'), { ignoreTrailing: true })).toEqual([]);
  });

  it('the five pickles of a legacy file are read one after another', () => {
    const bytes = fixture('legacy.pt');
    const kinds: (string | undefined)[] = [];
    let at = 0;
    for (let count = 0; count < 5; count += 1) {
      const outcome = runPickle(bytes, { start: at });
      kinds.push(outcome.root?.kind);
      expect(gradePickle(outcome, { file: 'legacy.pt', ignoreTrailing: true })).toEqual([]);
      at = outcome.end;
    }
    expect(kinds).toEqual(['int', 'int', 'dict', expect.any(String), 'list']);
    expect(looksLikePickle(bytes, at)).toBe(false);
  });

  it('SETITEM on what is no container is malformed at its byte (B25)', () => {
    const [finding] = grade(stream(global('torch._utils', '_rebuild_tensor_v2'), ')RNNs.'));
    expect(finding).toEqual(
      expect.objectContaining({ code: 'pickle-broken', message: expect.stringMatching(/^malformed at byte 37/) }),
    );
  });
});

describe('B40: ordinary checkpoints', () => {
  it.each([
    'zip_mixed',
    'zip_p4',
    'zip_odd_rebuilds',
    'zip_numpy',
    'zip_numpy_p5',
    'zip_optimizer',
    'zip_quant',
    'zip_sparse',
    'zip_deflated',
  ])('%s raises nothing', (name) => {
    const outcome = runPickle(fixture(`${name}.data.pkl`));
    expect(outcome.outcome).toBe('complete');
    expect(gradePickle(outcome, { file: name })).toEqual([]);
  });

  it('TorchScript: its own classes are no imports where the caller knows the archive', () => {
    const bytes = fixture('torchscript.data.pkl');
    expect(grade(bytes, { torchScript: true })).toEqual([]);
    expect(new Set(grade(bytes).map(({ code }) => code))).toEqual(new Set([UNKNOWN]));
  });

  it('Namespace: one line, with its count', () => {
    const one = stream(global('argparse', 'Namespace'), ')\x81}b0');
    const findings = grade(stream(one, one, 'N.'));
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([[UNKNOWN, 'warning']]);
    expect(findings[0]?.message).toMatch(/imported 2 times, called 2 times/);
  });

  it('an unreferenced record of five bytes that are a pickle is one; floats that begin so are not', () => {
    expect(looksLikePickle(stream('\x80\x02K\x01.'))).toBe(true);
    expect(looksLikePickle(stream('\x80\x02\x4b\x01\x41\x00\x00'))).toBe(false);
    expect(looksLikePickle(new Uint8Array(4096))).toBe(false);
    for (let byte = 0; byte < 256; byte += 1) {
      expect(looksLikePickle(new Uint8Array(4096).fill(byte)), `all ${byte}`).toBe(false);
    }
  });

  it('random storages look like none', () => {
    let state = 1;
    for (let round = 0; round < 2000; round += 1) {
      const bytes = Uint8Array.from({ length: 64 }, () => {
        state = (Math.imul(state, 1103515245) + 12345) >>> 0;
        return state >>> 24;
      });
      expect(looksLikePickle(bytes)).toBe(false);
    }
  });
});

describe('B56: hostile text', () => {
  it('names of any length and kind are told whole or cut, never thrown over', () => {
    for (const name of ['x'.repeat(1_000_000), '\u202e\u2066\u200b', '\x1b]8;;', '\ud800', '<img src=x>', '\0']) {
      const text = Buffer.from(name, 'utf8');
      const [only] = grade(stream('X', little(1, 4), 'm', 'X', little(text.length, 4), text, '\x93.'));
      expect(only?.code).toBe(UNKNOWN);
      expect(only?.message.length).toBeLessThan(400);
    }
  });
});
