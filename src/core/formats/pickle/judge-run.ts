import type { FindingCode } from '../../../shared/findings.ts';
import { quoteName } from '../../quote-name.ts';
import type { PickleEvent } from './event-log.ts';
import { type ImportSummary, summariseImports } from './import-summary.ts';
import { MOST_REPORTED_IMPORTS } from './limits.ts';
import { calledImport, type PickleRemark } from './machine.ts';
import type { CallNode } from './nodes.ts';
import type { PickleOutcome } from './run-pickle.ts';
import { importText, shortText } from './short-text.ts';

/** Something to be said about a pickle, at a byte of it. */
export interface Judgement {
  readonly code: FindingCode;
  readonly offset: number;
  readonly message: string;
}

/** What one run by itself gives reason to say: imports, then events, then the stream. */
export const judgeRun = (outcome: PickleOutcome, torchScript: boolean): readonly Judgement[] => [
  ...judgeImports(summariseImports(outcome, torchScript)),
  ...judgeEvents(outcome),
  ...judgeStream(outcome),
];

/** Tells of the first thousand of many, and how many more there are. */
export const tellMost = <T>(all: readonly T[], tell: (item: T) => Judgement): readonly Judgement[] => {
  const told = all.slice(0, MOST_REPORTED_IMPORTS + 1).map(tell);
  const next = told[MOST_REPORTED_IMPORTS];
  if (next !== undefined) {
    told[MOST_REPORTED_IMPORTS] = { ...next, message: `${all.length - MOST_REPORTED_IMPORTS} more of this kind` };
  }
  return told;
};

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

const tellImport =
  (code: FindingCode) =>
  (one: ImportSummary): Judgement => {
    const name = quoteName(importText(one.module, one.name));
    const called = one.calls === 0 ? 'not called' : `called ${times(one.calls)}`;
    const how = `${one.opcode} at byte ${one.firstOffset}; imported ${times(one.count)}, ${called}`;
    return { code, offset: one.firstOffset, message: `the import ${name} ${one.why} (${how})` };
  };

const tellCall = (call: CallNode): Judgement => ({
  code: 'pickle-dangerous-call',
  offset: call.offset,
  message: `calls ${shortText(call)} (${call.opcode} at byte ${call.offset})`,
});

const judgeImports = (imports: readonly ImportSummary[]): readonly Judgement[] => {
  const dangerous = imports.filter(({ grade }) => grade === 'dangerous');
  const unknown = imports.filter(({ grade }) => grade === 'unknown');
  const calls = dangerous.flatMap(({ firstCall }) => (firstCall === undefined ? [] : [firstCall]));
  return [
    ...tellMost(dangerous, tellImport('pickle-dangerous-import')),
    ...tellMost(calls, tellCall),
    ...tellMost(unknown, tellImport('pickle-unknown-import')),
  ];
};

type HidingKind = 'computed-import' | 'extension' | 'assign-to-global' | 'indirect-call';

/** What hides an import, changes an imported object, or calls what another call made. */
const HIDING: Readonly<Record<HidingKind, { readonly code: FindingCode; readonly what: string }>> = {
  'computed-import': {
    code: 'pickle-computed-import',
    what: 'an import whose name shows only when the pickle runs',
  },
  extension: {
    code: 'pickle-extension-code',
    what: 'an import by number, out of a table that only the loading program has',
  },
  'assign-to-global': { code: 'pickle-build-on-global', what: 'an imported object is changed itself' },
  'indirect-call': { code: 'pickle-dangerous-call', what: 'calls what is no plain import' },
};

const hidingKind = ({ kind, node }: PickleEvent): HidingKind | undefined => {
  if (kind === 'computed-import' || kind === 'extension' || kind === 'assign-to-global') {
    return kind;
  }
  const indirect = kind === 'call' && node.kind === 'call' && calledImport(node.callee) === undefined;
  return indirect ? 'indirect-call' : undefined;
};

/** One judgement of each kind, with its first place. */
const judgeEvents = ({ events }: PickleOutcome): readonly Judgement[] => {
  const seen = new Map<HidingKind, { readonly first: PickleEvent; count: number }>();
  for (const event of events) {
    const kind = hidingKind(event);
    const known = kind === undefined ? undefined : seen.get(kind);
    if (known !== undefined) {
      known.count += 1;
    } else if (kind !== undefined) {
      seen.set(kind, { first: event, count: 1 });
    }
  }
  return [...seen].map(([kind, { first, count }]) => {
    const { code, what } = HIDING[kind];
    const also = count > 1 ? `, the first of ${count}` : '';
    const { offset } = first;
    return { code, offset, message: `${what}: ${shortText(first.node)} (${first.opcode} at byte ${offset}${also})` };
  });
};

const judgeStream = ({ outcome, problem, imports, framesWrong, misuses }: PickleOutcome): readonly Judgement[] => [
  ...(problem === undefined ? [] : [judgeEnd(outcome, problem, imports.length)]),
  ...remarks('a wrong frame, which loaders may refuse,', framesWrong),
  ...remarks('malformed', misuses),
];

const judgeEnd = (
  outcome: PickleOutcome['outcome'],
  { offset, message, cutOff }: NonNullable<PickleOutcome['problem']>,
  imports: number,
): Judgement => {
  const before = imports === 1 ? 'after 1 import; that takes' : `after ${imports} imports; those take`;
  const effect = imports === 0 ? '' : `, ${before} effect when it is loaded`;
  if (outcome === 'limit') {
    return { code: 'pickle-limit', offset, message: `not read beyond byte ${offset}: ${message}${effect}` };
  }
  const how = cutOff ? 'ends too early' : 'is broken';
  return { code: 'pickle-broken', offset, message: `the pickle ${how} at byte ${offset}: ${message}${effect}` };
};

const remarks = (what: string, all: readonly PickleRemark[]): readonly Judgement[] =>
  all.slice(0, 1).map(({ offset, message }) => {
    const more = all.length > 1 ? `, and ${all.length - 1} more` : '';
    return { code: 'pickle-broken', offset, message: `${what} at byte ${offset}: ${message}${more}` };
  });
