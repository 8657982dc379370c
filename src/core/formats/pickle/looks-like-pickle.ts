import { SNIFF_STEPS } from './limits.ts';
import { OPCODES } from './opcodes.ts';
import { type PickleOutcome, runPickle } from './run-pickle.ts';

/**
 * Whether bytes of which nothing is known look like a pickle. Never asked about bytes that are known to be a storage:
 * those may begin like one by chance (FIELD-CASES B40). Takes at most {@link SNIFF_STEPS} opcodes.
 */
export const looksLikePickle = (bytes: Uint8Array, start = 0): boolean =>
  readsAsPickle(runPickle(bytes, { start, limits: { steps: SNIFF_STEPS } }));

/** Opcodes behind the header after which a stream that ends too early counts as a pickle that was cut off. */
const ENOUGH_STEPS = 4;

/** A module and a name as programs have them. Random bytes hardly make two such lines in a row. */
const PLAUSIBLE_NAME = /^[\p{L}_][\p{L}\p{N}_.]*$/u;

/**
 * Whether a run over bytes of which nothing was known shows that they are a pickle:
 * - any that imports something, however it ends: what is imported takes effect before a stream breaks;
 * - with a header of protocol 2 to 5, one that reaches STOP, a bound or the end of the bytes, or begins with a sound frame;
 * - without a header, one that reaches STOP and either calls something or fills the bytes exactly.
 *
 * Where frames are wrong, either way of reading them will do.
 */
export const readsAsPickle = (run: PickleOutcome): boolean => {
  if (readsOneWay(run)) {
    return true;
  }
  const { bytes, start, frames, framesWrong } = run;
  return (
    framesWrong.length > 0 &&
    frames === 'ignored' &&
    readsOneWay(runPickle(bytes, { start, frames: 'buffered', limits: { steps: SNIFF_STEPS } }))
  );
};

const readsOneWay = (run: PickleOutcome): boolean => {
  const { bytes, start, outcome, problem, steps } = run;
  if (run.imports.some(({ module, name }) => PLAUSIBLE_NAME.test(module) && PLAUSIBLE_NAME.test(name))) {
    return true;
  }
  const version = bytes[start] === OPCODES.PROTO ? (bytes[start + 1] ?? 0) : 0;
  if (version < 2 || version > 5) {
    return outcome === 'complete' && (run.events.length > 0 || (run.end === bytes.length && steps > 2));
  }
  const framed = version >= 4 && bytes[start + 2] === OPCODES.FRAME && run.framesWrong.length === 0 && steps > 2;
  return outcome !== 'broken' || framed || (problem?.cutOff === true && steps > ENOUGH_STEPS);
};
