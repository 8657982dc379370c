import type { PickleEventRowKind, PickleGrade } from '../../../shared/pickle-types.ts';
import type { PickleEvent, PickleEventKind } from './event-log.ts';
import { gradeImport } from './grade-imports.ts';
import { calledByCallee, calledImport } from './machine.ts';
import type { CallNode, ImportUse, PickleNode } from './nodes.ts';
import type { LoggedPickle } from './pickle-log.ts';
import { argumentsInShort, importText, shortText } from './short-text.ts';

/** What is thought of one event. */
export interface GradedEvent {
  readonly grade: PickleGrade;
  /** A clause that goes on from what is imported or called. */
  readonly why: string;
}

const danger = (why: string): GradedEvent => ({ grade: 'dangerous', why });

const ALLOWED: GradedEvent = { grade: 'allowed', why: 'only builds data' };
const OWN_CLASS: GradedEvent = { grade: 'allowed', why: 'is a class of the archive itself, not of Python' };
const GIVEN: GradedEvent = { grade: 'unknown', why: 'is whatever the loading program supplies' };
const COMPUTED = danger('shows only when the pickle runs');
const BY_NUMBER = danger('stands in a table that only the loading program has');
const CHANGED = danger('is an import that the pickle changes itself');
const INDIRECT = danger('is called although it is no plain import');
const BLIND = danger('loads what shows only when the pickle runs');

/** How an event is listed; undefined for asking the loading program for an object, which imports and calls nothing. */
export const ROW_KINDS: Readonly<Record<PickleEventKind, PickleEventRowKind | undefined>> = {
  import: 'import',
  'computed-import': 'computed-import',
  extension: 'extension',
  call: 'call',
  build: 'state',
  'assign-to-global': 'changed-import',
  'persistent-id': undefined,
};

const RANK: Readonly<Record<PickleGrade, number>> = { dangerous: 0, unknown: 1, allowed: 2 };

/** Grades the events of one pickle as its findings do: by the import that is made, called or given its state. */
export class EventGrader {
  readonly #torchScript: boolean;
  readonly #blind: ReadonlySet<CallNode>;
  readonly #known = new Map<ImportUse, GradedEvent>();

  constructor({ torchScript, blind }: Pick<LoggedPickle, 'torchScript' | 'blind'>) {
    this.#torchScript = torchScript;
    this.#blind = blind;
  }

  /** @returns undefined for events that are not listed. */
  grade({ kind, node }: Pick<PickleEvent, 'kind' | 'node'>): GradedEvent | undefined {
    switch (kind) {
      case 'import':
        return node.kind === 'global' ? this.#import(node.use) : undefined;
      case 'computed-import':
        return COMPUTED;
      case 'extension':
        return BY_NUMBER;
      case 'call':
        return node.kind === 'call' ? this.#call(node) : undefined;
      case 'build':
        return node.kind === 'call' ? this.#callee(node.callee) : GIVEN;
      case 'assign-to-global':
        return CHANGED;
      case 'persistent-id':
        return undefined;
    }
  }

  #import(use: ImportUse): GradedEvent {
    const known = this.#known.get(use);
    if (known !== undefined) {
      return known;
    }
    const { module, name } = use;
    const isOwn = this.#torchScript && (module === '__torch__' || module.startsWith('__torch__.'));
    const { grade, why } = gradeImport(module, name);
    const graded = isOwn ? OWN_CLASS : grade === 'allowed' ? ALLOWED : { grade, why };
    this.#known.set(use, graded);
    return graded;
  }

  #callee(callee: PickleNode): GradedEvent {
    const use = calledImport(callee);
    return use === undefined ? INDIRECT : this.#import(use);
  }

  #call(node: CallNode): GradedEvent {
    if (this.#blind.has(node)) {
      return BLIND;
    }
    const own = this.#callee(node.callee);
    const passed = calledByCallee(node);
    const other = passed === undefined ? own : this.#import(passed);
    if (passed === undefined || RANK[other.grade] >= RANK[own.grade]) {
      return own;
    }
    return { grade: other.grade, why: `calls ${importText(passed.module, passed.name)}, which ${other.why}` };
  }
}

const calleeText = (callee: PickleNode): string => {
  const use = calledImport(callee);
  return use === undefined ? shortText(callee) : importText(use.module, use.name);
};

/** State that was given to an object. Which of several an event gave is not kept. */
const stateText = ({ added }: CallNode): string => {
  const states = added?.states ?? [];
  const [only] = states;
  return only === undefined || states.length > 1 ? `one of ${states.length} states` : shortText(only);
};

/** What an event is about, and what goes with it, in one line each. Raw text. */
export const eventTexts = ({ kind, node }: PickleEvent): { readonly what: string; readonly args: string } => {
  if (node.kind === 'call') {
    return { what: calleeText(node.callee), args: kind === 'build' ? stateText(node) : argumentsInShort(node) };
  }
  return { what: shortText(node), args: '' };
};
