import type { Verdict } from '../shared/findings.ts';

/** What the command line exits with (REQUIREMENTS 5). */
export const EXIT = { done: 0, strictWarnings: 1, usage: 2, incomplete: 3, damaged: 4, dangerous: 5 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code of `verify` for a verdict; warnings count only when `strict`. */
export const exitOfVerdict = (verdict: Verdict, strict: boolean): ExitCode => {
  switch (verdict) {
    case 'dangerous':
      return EXIT.dangerous;
    case 'damaged':
      return EXIT.damaged;
    case 'incomplete':
      return EXIT.incomplete;
    case 'warnings':
      return strict ? EXIT.strictWarnings : EXIT.done;
    case 'clean':
      return EXIT.done;
  }
};

/** The exit code for an error that ended a command, by its code. */
export const exitOfError = (code: string): ExitCode => {
  switch (code) {
    case 'no-such-tensor':
    case 'ambiguous-name':
    case 'not-found':
    case 'not-a-file':
    case 'not-permitted':
    case 'bad-slice':
    case 'usage':
    case 'file-exists':
    case 'unsupported-export':
    case 'too-many-shards':
    case 'bad-name':
    case 'port-in-use':
    case 'cannot-listen':
    case 'not-built':
      return EXIT.usage;
    case 'cancelled':
    case 'f6-bit-order':
    case 'write-failed':
    case 'unrecognised':
      return EXIT.incomplete;
    default:
      return EXIT.damaged;
  }
};
