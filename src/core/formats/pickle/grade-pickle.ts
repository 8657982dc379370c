import { type Finding, type FindingCode, finding } from '../../../shared/findings.ts';
import { quoteName } from '../../quote-name.ts';
import { type Judgement, judgeRun, tellMost } from './judge-run.ts';
import { DEEPEST_NESTED_PICKLE, MOST_STACKED_PICKLES } from './limits.ts';
import { readsAsPickle } from './looks-like-pickle.ts';
import { loaderCalls, type NestedBytes, pickleStack } from './nested-pickles.ts';
import type { CallNode } from './nodes.ts';
import type { LoggedPickle, PickleLog } from './pickle-log.ts';
import { type PickleOutcome, runPickle } from './run-pickle.ts';
import { importText, shortText } from './short-text.ts';

/** Where a pickle lies. */
export interface PickleWhere {
  /** Base name of the file. */
  readonly file: string;
  /** The member of an archive that it is. */
  readonly member?: string;
  /** Absolute byte of the file at which `outcome.bytes` begins; left out where the file has them compressed. */
  readonly base?: number;
  /** In a TorchScript archive `__torch__.…` are classes of the archive itself and no imports of Python (FIELD-CASES B26). */
  readonly torchScript?: boolean;
  /** Whether the bytes after STOP are the caller's business, as in PyTorch's legacy files. False by default. */
  readonly ignoreTrailing?: boolean;
}

/**
 * What is to be said about a pickle: one finding for each distinct import that is not allowed, dangerous calls, whatever
 * hides an import, where the stream is broken or a bound was hit. Pickles after STOP and pickles in byte strings handed
 * to loaders are run and graded too. Bytes in messages count from the pickle's own bytes, offsets of findings from the file.
 *
 * @param log keeps every pickle that was graded; findings then name their place in it.
 */
export const gradePickle = (outcome: PickleOutcome, where: PickleWhere, log?: PickleLog): Finding[] => {
  const findings: Finding[] = [];
  const told = new Set<string>();
  const follow = where.ignoreTrailing !== true;
  const queue: GradedPickle[] = [{ outcome, where, label: '', depth: 0, follow, otherWay: false }];
  // A queue and no recursion: nested pickles and those that follow come after what holds them.
  for (let next = 0; next < queue.length; next += 1) {
    const one = queue[next];
    if (one === undefined) {
      break;
    }
    const { more, judgements, blind } = judgePickle(one);
    const place = log?.add(loggedAs(one, blind));
    for (const { code, offset, message } of judgements) {
      const item = makeFinding(one, code, offset, message, place);
      const key = `${code} ${item.offset ?? offset} ${message}`;
      // Reading the same bytes in the other way says most things again, and that the frames are wrong has been said.
      if (!one.otherWay || !(told.has(key) || code === 'pickle-broken')) {
        findings.push(item);
      }
      told.add(key);
    }
    queue.push(...more);
  }
  return findings;
};

/** One pickle on its way to findings. */
interface GradedPickle {
  readonly outcome: PickleOutcome;
  readonly where: PickleWhere;
  /** Which nested or following pickle it is: `in the pickle handed to "pickle.loads" at byte 7: `. */
  readonly label: string;
  readonly depth: number;
  /** Whether pickles behind it are still to be looked for. */
  readonly follow: boolean;
  /** Whether these bytes have been judged before, with frames read in the other way. */
  readonly otherWay: boolean;
}

/** What is to be said, and the pickles found inside and behind. */
interface Judged {
  readonly judgements: readonly Judgement[];
  readonly more: readonly GradedPickle[];
}

/** Of one pickle, also the calls of loaders in which no bytes can be seen. */
interface JudgedPickle extends Judged {
  readonly blind: readonly CallNode[];
}

const makeFinding = (
  { where, label }: GradedPickle,
  code: FindingCode,
  offset: number,
  message: string,
  place: number | undefined,
): Finding => {
  const { file, member, base } = where;
  const inside = member === undefined ? '' : `${quoteName(member)}: `;
  return finding(code, `${inside}${label}${message}`, {
    file,
    ...(base === undefined ? {} : { offset: base + offset }),
    ...(place === undefined ? {} : { pickle: { place, byte: offset } }),
  });
};

const loggedAs = ({ outcome, where, label }: GradedPickle, blind: readonly CallNode[]): LoggedPickle => ({
  file: where.file,
  member: where.member,
  base: where.base,
  label: label.replace(/: $/, ''),
  torchScript: where.torchScript === true,
  outcome,
  blind: new Set(blind),
});

const judgePickle = (one: GradedPickle): JudgedPickle => {
  const own = judgeRun(one.outcome, one.where.torchScript === true);
  const inside = judgeNested(one);
  const behind = one.follow ? judgeFollowing(one) : { judgements: [], more: [] };
  return {
    judgements: [...own, ...inside.judgements, ...behind.judgements],
    more: [...inside.more, ...behind.more, ...readOtherWay(one)],
    blind: inside.blind,
  };
};

/** The same bytes with frames read as loaders do that read from a file: a wrong frame can make another pickle of them. */
const readOtherWay = (one: GradedPickle): readonly GradedPickle[] => {
  const { bytes, start, frames, framesWrong } = one.outcome;
  if (framesWrong.length === 0 || frames === 'buffered') {
    return [];
  }
  const outcome = runPickle(bytes, { start, frames: 'buffered' });
  return [{ ...one, outcome, label: `${one.label}as read from a file, frame by frame: `, otherWay: true }];
};

/** Pickles in bytes that are handed to loaders. */
const judgeNested = (one: GradedPickle): JudgedPickle => {
  const { nested, blind } = loaderCalls(one.outcome);
  const blindly = tellMost(blind, (call) => ({
    code: 'pickle-dangerous-call',
    offset: call.offset,
    message: `what ${shortText(call)} loads shows only when the pickle runs (at byte ${call.offset})`,
  }));
  const unscanned: Judgement[] = [];
  const more: GradedPickle[] = [];
  for (const { bytes, offset, use } of nested) {
    const name = quoteName(importText(use.module, use.name));
    const outcome = runPickle(bytes);
    if (!readsAsPickle(outcome)) {
      const message = `the ${bytes.length} bytes handed to ${name} at byte ${offset} are no pickle`;
      unscanned.push({ code: 'not-scanned', offset, message });
    } else if (one.depth >= DEEPEST_NESTED_PICKLE) {
      const message = `a pickle nested over ${DEEPEST_NESTED_PICKLE} deep, at byte ${offset}, was not scanned`;
      unscanned.push({ code: 'pickle-limit', offset, message });
    } else {
      const label = `${one.label}in the pickle handed to ${name} at byte ${offset}: `;
      more.push({ ...one, outcome, where: placeInside(one, bytes), label, depth: one.depth + 1, follow: true });
    }
  }
  return { judgements: [...blindly, ...tellMost(unscanned, (item) => item)], more, blind };
};

/** A nested pickle's own place: known only where its bytes are a view of these. */
const placeInside = ({ where, outcome }: GradedPickle, bytes: NestedBytes['bytes']): PickleWhere => {
  const { file, member, base } = where;
  const inView = bytes.buffer === outcome.bytes.buffer && bytes.length > 0;
  return {
    file,
    ...(member === undefined ? {} : { member }),
    ...(base === undefined || !inView ? {} : { base: base + bytes.byteOffset - outcome.bytes.byteOffset }),
  };
};

/** Pickles behind STOP. */
const judgeFollowing = (one: GradedPickle): Judged => {
  const { outcome, label, depth } = one;
  const { following, unread } = pickleStack(outcome);
  const [first] = following;
  const judgements: Judgement[] = [];
  // What loaders are handed may be a stack of pickles by right: PyTorch's legacy format is one.
  if (depth === 0 && first !== undefined) {
    const what = following.length === 1 ? 'another pickle' : `${following.length} more pickles`;
    const message = `${what} after the end of the pickle, at byte ${first.start}`;
    judgements.push({ code: 'pickle-trailing', offset: first.start, message });
  }
  if (unread !== undefined) {
    const message = `too many pickles one after another (over ${MOST_STACKED_PICKLES}); none was scanned from byte ${unread}`;
    judgements.push({ code: 'pickle-limit', offset: unread, message });
  }
  const more = following.map((next) => ({
    ...one,
    outcome: next,
    label: `${label}in the pickle from byte ${next.start}: `,
    follow: false,
  }));
  return { judgements, more };
};
