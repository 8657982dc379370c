import { gradeImport, type ImportGrade } from './grade-imports.ts';
import type { CallNode, ImportUse } from './nodes.ts';
import type { PickleOutcome } from './run-pickle.ts';

/** One distinct import of a pickle with its grade, for a list of what would run. */
export interface ImportSummary {
  readonly module: string;
  readonly name: string;
  readonly grade: ImportGrade;
  /** A clause that goes on from the name; empty when allowed. */
  readonly why: string;
  readonly opcode: ImportUse['opcode'];
  /** Times it is imported, and times it is called; 0 means that it is only referenced. */
  readonly count: number;
  readonly calls: number;
  /** Byte offset of the first import. */
  readonly firstOffset: number;
  /** Its first direct call, of which `argumentsInShort` gives the arguments; undefined if there is none. */
  readonly firstCall: CallNode | undefined;
}

/** One summary for each distinct import, in order. Names of TorchScript classes are left out where `torchScript` is set. */
export const summariseImports = (outcome: PickleOutcome, torchScript = false): readonly ImportSummary[] =>
  outcome.imports
    .filter(({ module }) => !torchScript || (module !== '__torch__' && !module.startsWith('__torch__.')))
    .map(({ module, name, opcode, count, calls, firstOffset, firstCall }) => ({
      module,
      name,
      ...gradeImport(module, name),
      opcode,
      count,
      calls,
      firstOffset,
      firstCall,
    }));
