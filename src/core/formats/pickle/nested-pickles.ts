import { gradeImport } from './grade-imports.ts';
import { LOADERS } from './import-lists.ts';
import { MOST_STACKED_PICKLES } from './limits.ts';
import { looksLikePickle, readsAsPickle } from './looks-like-pickle.ts';
import { argumentsOf, bytesOf } from './node-values.ts';
import type { CallNode, ImportUse, PickleNode } from './nodes.ts';
import { python3Name } from './python2-names.ts';
import { type PickleOutcome, runPickle } from './run-pickle.ts';

/** Bytes that a pickle hands to a function which may make objects of them. */
export interface NestedBytes {
  readonly bytes: Uint8Array;
  /** Byte offset of the call. */
  readonly offset: number;
  readonly use: ImportUse;
  /** Whether the function is known to load what it is given. */
  readonly loader: boolean;
}

/** What the calls of a pickle hand to loaders. */
export interface LoaderCalls {
  readonly nested: readonly NestedBytes[];
  /** Calls of known loaders in which no bytes can be seen. */
  readonly blind: readonly CallNode[];
}

/** Arguments of one call that are looked at. */
const MOST_ARGUMENTS = 16;

/** Whether a function is known to make objects of bytes. */
const isLoader = ({ module, name }: ImportUse): boolean => {
  const now = python3Name(module, name);
  return LOADERS.has(`${module}.${name}`) || LOADERS.has(`${now.module}.${now.name}`);
};

/** Arguments of a call, and those of calls among them: `torch.load(io.BytesIO(b"…"))`. */
const argumentsBelow = (call: CallNode): readonly PickleNode[] => {
  const own = [...argumentsOf(call).slice(0, MOST_ARGUMENTS), ...keywords(call)];
  return own.flatMap((node) =>
    node.kind === 'call' && bytesOf(node) === undefined ? argumentsOf(node).slice(0, MOST_ARGUMENTS) : [node],
  );
};

const keywords = ({ kwargs }: CallNode): readonly PickleNode[] =>
  kwargs?.kind === 'dict' ? kwargs.values.slice(0, MOST_ARGUMENTS) : [];

/**
 * Bytes handed to known loaders, and bytes that look like a pickle handed to any function that is not allowed. The same
 * object is taken once, however often it is handed over, so that the work stays within the size of the stream.
 */
export const loaderCalls = (outcome: PickleOutcome): LoaderCalls => {
  const nested: NestedBytes[] = [];
  const blind: CallNode[] = [];
  const suspects = new Map<ImportUse, boolean>();
  for (const use of outcome.imports) {
    if (use.calls > 0 && gradeImport(use.module, use.name).grade !== 'allowed') {
      suspects.set(use, isLoader(use));
    }
  }
  if (suspects.size === 0) {
    return { nested, blind };
  }
  const taken = new Set<PickleNode>();
  for (const { kind, node, offset } of outcome.events) {
    const use = kind === 'call' && node.kind === 'call' && node.callee.kind === 'global' ? node.callee.use : undefined;
    const loader = use === undefined ? undefined : suspects.get(use);
    if (use === undefined || loader === undefined || node.kind !== 'call') {
      continue;
    }
    let seen = false;
    for (const argument of argumentsBelow(node)) {
      const known = taken.has(argument);
      const bytes = known ? undefined : bytesOf(argument);
      seen ||= known || bytes !== undefined;
      if (bytes !== undefined) {
        taken.add(argument);
        if (loader || looksLikePickle(bytes)) {
          nested.push({ bytes, offset, use, loader });
        }
      }
    }
    if (loader && !seen) {
      blind.push(node);
    }
  }
  return { nested, blind };
};

/** The pickles behind a pickle. */
export interface PickleStack {
  readonly following: readonly PickleOutcome[];
  /** Where one may begin that was not read, because there are too many. */
  readonly unread: number | undefined;
}

/** How many times over the bytes may be read in looking for pickles that follow: frames can lead to the same ones again. */
const MOST_READINGS = 4;

/**
 * The pickles that follow one another after a pickle's STOP, as far as they read as pickles; trivial ones such as `N.` are
 * stepped over, since a loader does that too. Where a frame goes on beyond STOP, a loader goes on at the frame's end, and
 * both places are looked at.
 */
export const pickleStack = (first: PickleOutcome): PickleStack => {
  const { bytes, frames } = first;
  const following: PickleOutcome[] = [];
  const starts = startsAfter(first);
  const known = new Set(starts);
  let budget = MOST_READINGS * bytes.length;
  for (let next = 0; next < starts.length; next += 1) {
    const start = starts[next];
    if (start === undefined || next >= MOST_STACKED_PICKLES || budget <= 0) {
      return { following, unread: start };
    }
    const outcome = runPickle(bytes, { start, frames });
    budget -= outcome.end - start;
    if (readsAsPickle(outcome)) {
      following.push(outcome);
    }
    for (const later of startsAfter(outcome)) {
      if (!known.has(later)) {
        known.add(later);
        starts.push(later);
      }
    }
  }
  return { following, unread: undefined };
};

const startsAfter = ({ bytes, outcome, end, frameEnd }: PickleOutcome): number[] =>
  outcome === 'complete' ? [...new Set([end, frameEnd ?? end])].filter((start) => start < bytes.length) : [];
