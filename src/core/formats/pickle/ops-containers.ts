import type { OpcodeRow, PickleMachine } from './machine.ts';
import { type Additions, type CallNode, NOTHING, type PickleNode } from './nodes.ts';
import { OPCODES } from './opcodes.ts';
import { broken } from './pickle-stop.ts';

/** Kinds that Python cannot hash: a loader fails on them as keys and as items of sets. */
const checkHashable = (node: PickleNode): void => {
  if (node.kind === 'list' || node.kind === 'dict' || node.kind === 'set' || node.kind === 'bytearray') {
    broken(`a ${node.kind} as a key, which cannot be hashed`);
  }
};

const checkAllHashable = (nodes: readonly PickleNode[]): void => {
  for (const node of nodes) {
    checkHashable(node);
  }
};

/** `items`, which nobody else holds, behind `held`, which may be the shared empty array. */
const joined = (held: PickleNode[], items: PickleNode[]): PickleNode[] => {
  if (held === NOTHING) {
    return items;
  }
  for (const item of items) {
    held.push(item);
  }
  return held;
};

/** The place for what the opcode at hand puts into the result of a call. */
export const additionsOf = (machine: PickleMachine, call: CallNode): Additions => {
  call.added ??= { states: [], items: [], keys: [], values: [], changedAt: 0 };
  call.added.changedAt = machine.opcodeAt;
  return call.added;
};

/** Whether an opcode changes an imported object itself, as hardly any pickler writes it (FIELD-CASES B36). */
export const changesGlobal = (machine: PickleMachine, target: PickleNode): boolean => {
  if (target.kind !== 'global' && target.kind !== 'computed-global' && target.kind !== 'extension') {
    return false;
  }
  machine.events.changed('assign-to-global', machine.opcodeAt, target);
  return true;
};

/** Notes that an object is no longer what it was made with, although what it is now is not followed. */
const noteChange = (machine: PickleMachine, target: PickleNode): void => {
  if (target.kind === 'bytearray' || target.kind === 'list') {
    target.changedAt = machine.opcodeAt;
  }
};

const addList = (machine: PickleMachine, items: PickleNode[]): void =>
  machine.add({ kind: 'list', offset: machine.opcodeAt, items, changedAt: machine.opcodeAt });

const addDict = (machine: PickleMachine): void =>
  machine.add({
    kind: 'dict',
    offset: machine.opcodeAt,
    keys: NOTHING,
    values: NOTHING,
    changedAt: machine.opcodeAt,
  });

const addSet = (machine: PickleMachine): void =>
  machine.add({ kind: 'set', offset: machine.opcodeAt, items: NOTHING, changedAt: machine.opcodeAt });

const appendTo = (machine: PickleMachine, target: PickleNode, items: PickleNode[]): void => {
  if (target.kind === 'list') {
    target.items = joined(target.items, items);
    target.changedAt = machine.opcodeAt;
  } else if (target.kind === 'call') {
    joined(additionsOf(machine, target).items, items);
  } else if (target.kind === 'bytearray' || target.kind === 'persistent' || target.kind === 'buffer') {
    noteChange(machine, target);
    machine.misuse(`items appended to a ${target.kind}, which is no list`);
  } else if (!changesGlobal(machine, target)) {
    broken(`items appended to a ${target.kind}, which is no list`);
  }
};

const everySecond = (pairs: readonly PickleNode[], first: number): PickleNode[] => {
  const out: PickleNode[] = [];
  for (let index = first; index < pairs.length; index += 2) {
    const node = pairs[index];
    if (node !== undefined) {
      out.push(node);
    }
  }
  return out;
};

const setItems = (machine: PickleMachine, target: PickleNode, pairs: readonly PickleNode[]): void => {
  const keys = everySecond(pairs, 0);
  const values = everySecond(pairs, 1);
  if (target.kind === 'dict') {
    checkAllHashable(keys);
    target.keys = joined(target.keys, keys);
    target.values = joined(target.values, values);
    target.changedAt = machine.opcodeAt;
  } else if (target.kind === 'call') {
    const added = additionsOf(machine, target);
    joined(added.keys, keys);
    joined(added.values, values);
    if (isTensor(target)) {
      machine.misuse('items set in a tensor, which is no dict');
    }
  } else if (MAY_TAKE_ITEMS.has(target.kind)) {
    noteChange(machine, target);
    machine.misuse(`items set in a ${target.kind}, which is no dict`);
  } else if (!changesGlobal(machine, target)) {
    broken(`items set in a ${target.kind}, which is no dict`);
  }
};

/** No dicts, but a loader's `target[key] = value` may succeed on them. */
const MAY_TAKE_ITEMS: ReadonlySet<PickleNode['kind']> = new Set(['list', 'bytearray', 'persistent', 'buffer']);

const isTensor = ({ callee }: CallNode): boolean =>
  callee.kind === 'global' && callee.use.name.startsWith('_rebuild_') && callee.use.module.startsWith('torch.');

const addItems = (machine: PickleMachine, target: PickleNode, items: PickleNode[]): void => {
  if (target.kind === 'set') {
    checkAllHashable(items);
    target.items = joined(target.items, items);
    target.changedAt = machine.opcodeAt;
  } else if (target.kind === 'call') {
    joined(additionsOf(machine, target).items, items);
  } else if (target.kind === 'persistent') {
    machine.misuse('items added to a persistent object, which may be no set');
  } else if (!changesGlobal(machine, target)) {
    broken(`items added to a ${target.kind}, which is no set`);
  }
};

const inBatch =
  (into: (machine: PickleMachine, target: PickleNode, items: PickleNode[]) => void): OpcodeRow[1] =>
  (machine) => {
    const items = machine.sinceMark();
    const target = machine.top();
    // Loaders do not look at the target of an empty batch.
    if (items.length > 0) {
      into(machine, target, items);
    }
  };

const checkPairs = (items: readonly PickleNode[]): void => {
  if (items.length % 2 !== 0) {
    broken('an odd number of keys and values');
  }
};

const tupleOf =
  (length: number): OpcodeRow[1] =>
  (machine) => {
    const items = new Array<PickleNode>(length);
    for (let index = length - 1; index >= 0; index -= 1) {
      items[index] = machine.pop();
    }
    machine.add({ kind: 'tuple', offset: machine.opcodeAt, items });
  };

/** Opcodes that make containers or put something into them. */
export const CONTAINER_ROWS: readonly OpcodeRow[] = [
  [OPCODES.EMPTY_LIST, (machine) => addList(machine, NOTHING)],
  [OPCODES.EMPTY_TUPLE, (machine) => machine.add({ kind: 'tuple', offset: machine.opcodeAt, items: NOTHING })],
  [OPCODES.EMPTY_SET, addSet],
  [OPCODES.EMPTY_DICT, addDict],
  [
    OPCODES.TUPLE1,
    (machine) => {
      machine.nest();
      machine.add({ kind: 'tuple', offset: machine.opcodeAt, items: [machine.pop()] });
    },
  ],
  [OPCODES.TUPLE2, tupleOf(2)],
  [OPCODES.TUPLE3, tupleOf(3)],
  [OPCODES.TUPLE, (machine) => machine.add({ kind: 'tuple', offset: machine.opcodeAt, items: machine.sinceMark() })],
  [OPCODES.LIST, (machine) => addList(machine, machine.sinceMark())],
  [
    OPCODES.DICT,
    (machine) => {
      const items = machine.sinceMark();
      checkPairs(items);
      addDict(machine);
      setItems(machine, machine.top(), items);
    },
  ],
  [
    OPCODES.FROZENSET,
    (machine) => {
      const items = machine.sinceMark();
      checkAllHashable(items);
      machine.add({ kind: 'frozenset', offset: machine.opcodeAt, items });
    },
  ],
  [
    OPCODES.APPEND,
    (machine) => {
      const item = machine.pop();
      appendTo(machine, machine.top(), [item]);
    },
  ],
  [OPCODES.APPENDS, inBatch(appendTo)],
  [
    OPCODES.SETITEM,
    (machine) => {
      const value = machine.pop();
      const key = machine.pop();
      setItems(machine, machine.top(), [key, value]);
    },
  ],
  [
    OPCODES.SETITEMS,
    inBatch((machine, target, items) => {
      checkPairs(items);
      setItems(machine, target, items);
    }),
  ],
  [OPCODES.ADDITEMS, inBatch(addItems)],
];
