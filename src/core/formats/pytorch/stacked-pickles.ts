import { type PickleOutcome, runPickle } from '../pickle/run-pickle.ts';
import { integerOf } from './read-node.ts';

/** The first pickle of a legacy file is this number, in whatever protocol (FORMATS.md 2.11). */
const MAGIC = 0x1950a86a20f9469cfc6cn;
/** The second one. */
export const PROTOCOL_VERSION = 1001n;
/** Pickles before the storages: magic, version, system, object, keys. */
const PICKLES = 5;

/** Whether bytes begin with the magic pickle of the legacy format. The longest encoding of it has 28 bytes. */
export const beginsLikeLegacy = (head: Uint8Array): boolean => {
  const { root } = runPickle(head.subarray(0, 64));
  return integerOf(root) === MAGIC;
};

/** The pickles at the beginning, as many as can be read, up to five; the last one alone may be incomplete. */
export const stackedPickles = (bytes: Uint8Array): readonly PickleOutcome[] => {
  const outcomes: PickleOutcome[] = [];
  let at = 0;
  for (let number = 0; number < PICKLES; number += 1) {
    const outcome = runPickle(bytes, { start: at });
    outcomes.push(outcome);
    if (outcome.outcome !== 'complete') {
      break;
    }
    at = outcome.end;
  }
  return outcomes;
};
