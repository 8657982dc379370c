import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventRows } from '../../../../src/core/formats/pickle/event-rows.ts';
import { gradePickle, type PickleWhere } from '../../../../src/core/formats/pickle/grade-pickle.ts';
import { PickleLog } from '../../../../src/core/formats/pickle/pickle-log.ts';
import { runPickle } from '../../../../src/core/formats/pickle/run-pickle.ts';
import { PICKLE_GRADES, type PickleEventRow, type PickleGrade } from '../../../../src/shared/pickle-types.ts';
import { bytesOpcode, global, op, type Part, shortText, stream } from './pickle-bytes.ts';

const noPause = async (): Promise<void> => undefined;

const listed = async (bytes: Uint8Array, where: Partial<PickleWhere> = { base: 100 }) => {
  const log = new PickleLog();
  const findings = gradePickle(runPickle(bytes), { file: 'm.pt', ...where }, log);
  const rows = await EventRows.of(log, noPause);
  return { log, findings, rows, all: rows.rows(PICKLE_GRADES, 0, 1000) };
};

const brief = ({ kind, what, args, opcode, byte, grade }: PickleEventRow): readonly unknown[] => [
  kind,
  what,
  args,
  opcode,
  byte,
  grade,
];

describe('events as rows', () => {
  const system = stream(global('os', 'system'), shortText('id'), '\x85R');

  it('tell what is imported and called, with what, where, and what is thought of it', async () => {
    const ordered = global('collections', 'OrderedDict');
    const mine = global('mine', 'Thing');
    const bytes = stream(ordered, ')R0', mine, ')\x81}b0', system, '.');
    const { all } = await listed(bytes);
    const at = ordered.length;
    const third = at + 3 + mine.length;
    expect(all.map(brief)).toEqual([
      ['import', 'collections.OrderedDict', '', 'GLOBAL', 0, 'allowed'],
      ['call', 'collections.OrderedDict', '()', 'REDUCE', at + 1, 'allowed'],
      ['import', 'mine.Thing', '', 'GLOBAL', at + 3, 'unknown'],
      ['call', 'mine.Thing', '()', 'NEWOBJ', third + 1, 'unknown'],
      ['state', 'mine.Thing', '{}', 'BUILD', third + 3, 'unknown'],
      ['import', 'os.system', '', 'GLOBAL', third + 5, 'dangerous'],
      ['call', 'os.system', '("id")', 'REDUCE', bytes.length - 2, 'dangerous'],
    ]);
    expect(all[5]?.offset).toBe(100 + third + 5);
    expect(all.map(({ why }) => why.length > 0)).not.toContain(false);
  });

  it.each<readonly [string, PickleEventRow['kind'], readonly Part[]]>([
    ['computed', 'computed-import', ['K\x01', shortText('x'), '\x93.']],
    ['by number', 'extension', ['\x82\x07.']],
    ['changed', 'changed-import', [global('collections', 'OrderedDict'), '}b.']],
  ])('an import that is %s is a danger', async (_how, kind, parts) => {
    const { all } = await listed(stream(...parts));
    expect(all.find((row) => row.kind === kind)?.grade).toBe('dangerous');
  });

  it('a call of what another call made is a danger, and so is an allowed function that calls a dangerous one', async () => {
    const indirect = await listed(stream(global('mine', 'make'), ')R)R.'));
    expect(indirect.all.map(({ grade }) => grade)).toEqual(['unknown', 'unknown', 'dangerous']);
    const passed = await listed(
      stream(global('torch._tensor', '_rebuild_from_type_v2'), '(', global('os', 'system'), 'NNNtR.'),
    );
    expect(passed.all.at(-1)).toMatchObject({ what: 'torch._tensor._rebuild_from_type_v2', grade: 'dangerous' });
    expect(passed.all.at(-1)?.why).toMatch(/^calls os\.system, which /);
  });

  it('a loader whose bytes nobody can see is a danger, as its finding says', async () => {
    const { all, findings } = await listed(stream(global('torch.storage', '_load_from_bytes'), 'N\x85R.'));
    expect(findings.map(({ code }) => code)).toContain('pickle-dangerous-call');
    expect(all.map(({ grade }) => grade)).toEqual(['unknown', 'dangerous']);
  });

  it('asking the loading program for a storage imports and calls nothing', async () => {
    expect((await listed(stream('P17\n.'))).all).toEqual([]);
  });

  it('classes of a TorchScript archive are its own', async () => {
    const bytes = stream(global('__torch__.m', 'Net'), ')\x81.');
    expect((await listed(bytes)).all.map(({ grade }) => grade)).toEqual(['unknown', 'unknown']);
    expect((await listed(bytes, { torchScript: true })).all.map(({ grade }) => grade)).toEqual(['allowed', 'allowed']);
  });

  it('nested pickles, those that follow and broken ones are listed too', async () => {
    const bytes = stream(global('pickle', 'loads'), bytesOpcode(stream(system, '.')), '\x85R.', system, '\xff');
    const { log, all, rows } = await listed(bytes);
    expect(log.pickles.map(({ label, outcome }) => [label, outcome.outcome])).toEqual([
      ['', 'complete'],
      [expect.stringMatching(/^in the pickle handed to "pickle.loads" at byte \d+$/), 'complete'],
      [expect.stringMatching(/^in the pickle from byte \d+$/), 'broken'],
    ]);
    expect(all.filter(({ what }) => what === 'os.system').map(({ pickle }) => pickle)).toEqual([1, 1, 2, 2]);
    expect(rows.counts(1)).toEqual({ dangerous: 2, unknown: 0, allowed: 0 });
  });

  it('name no offset in the file where the file has the pickle compressed', async () => {
    const { all } = await listed(stream(system, '.'), {});
    expect(all.map(({ offset }) => offset)).toEqual([undefined, undefined]);
  });

  it('are found from every finding that is about an event', async () => {
    const bytes = stream(op('EMPTY_LIST'), '0', global('collections', 'OrderedDict'), ')R0', system, '.');
    const { findings, rows, all } = await listed(bytes);
    expect(findings).toHaveLength(2);
    for (const { code, pickle } of findings) {
      const found = rows.find(pickle?.place ?? -1, pickle?.byte ?? -1, ['dangerous']);
      const row = rows.rows(['dangerous'], found?.index ?? -1, 1)[0];
      expect(row?.kind).toBe(code === 'pickle-dangerous-call' ? 'call' : 'import');
    }
    expect(rows.find(0, all[2]?.byte ?? -1, ['allowed'])).toEqual({ index: undefined, grade: 'dangerous' });
    // A byte between two events is the earlier one's; before the first there is none.
    expect(rows.find(0, (all[1]?.byte ?? 0) + 1, PICKLE_GRADES)?.index).toBe(1);
    expect(rows.find(0, 0, PICKLE_GRADES)).toBeUndefined();
    expect(rows.find(9, 0, PICKLE_GRADES)).toBeUndefined();
  });

  it('of one byte, as INST has two, the worst is found', async () => {
    const { rows } = await listed(stream('(', shortText('id'), 'ios\nsystem\n.'));
    expect(rows.find(0, 5, PICKLE_GRADES)).toMatchObject({ grade: 'dangerous' });
  });

  it('come by pages that put together are the whole, in any mixture of grades', async () => {
    const pieces: readonly Uint8Array[] = [
      stream(global('collections', 'OrderedDict'), '0'),
      stream(global('mine', 'Thing'), '0'),
      stream(global('os', 'system'), '0'),
      stream('P1\n0'),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5000, size: 'max' }),
        fc.subarray([...PICKLE_GRADES]),
        fc.integer({ min: 1, max: 700 }),
        async (chosen, grades: readonly PickleGrade[], page) => {
          const { rows } = await listed(stream(...chosen.map((at) => pieces[at] ?? ''), 'N.'));
          const wanted = rows.rows(PICKLE_GRADES, 0, 10_000).filter(({ grade }) => grades.includes(grade));
          const paged: PickleEventRow[] = [];
          for (let start = 0; start < rows.total(grades); start += page) {
            paged.push(...rows.rows(grades, start, page));
          }
          expect(paged).toEqual(wanted);
          expect(rows.total(grades)).toBe(wanted.length);
          const middle = wanted[Math.floor(wanted.length / 2)];
          if (middle !== undefined) {
            expect(rows.find(0, middle.byte, grades)?.index).toBe(wanted.indexOf(middle));
          }
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe('the log of pickles', () => {
  it('keeps a thousand and counts the rest; findings of those name no place', async () => {
    const log = new PickleLog();
    const bytes = stream(system(), '.');
    let last: readonly unknown[] = [];
    for (let index = 0; index < 1003; index += 1) {
      last = gradePickle(runPickle(bytes), { file: 'm.pt' }, log).map(({ pickle }) => pickle);
    }
    expect([log.pickles.length, log.unlisted]).toEqual([1000, 3]);
    expect(last).toEqual([undefined, undefined]);
  });

  it('joins the pickles of several files, with the new place of each', () => {
    const [first, second] = [new PickleLog(), new PickleLog()];
    for (const log of [first, second, second]) {
      gradePickle(runPickle(stream(system(), '.')), { file: 'm.pt' }, log);
    }
    expect(first.addAll(second)).toEqual([1, 2]);
  });
});

function system(): Uint8Array {
  return stream(global('os', 'system'), shortText('id'), '\x85R');
}
