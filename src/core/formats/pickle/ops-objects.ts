import type { OpcodeRow, PickleMachine } from './machine.ts';
import { textOf } from './node-values.ts';
import type { CallOpcode, PickleNode } from './nodes.ts';
import { OPCODES } from './opcodes.ts';
import { additionsOf, changesGlobal } from './ops-containers.ts';
import { broken, cutOff } from './pickle-stop.ts';
import { strictUtf8 } from './pickle-text.ts';

/** A line of GLOBAL and INST. Loaders want one byte at least and take any UTF-8. */
const nameLine = ({ reader }: PickleMachine): string => {
  const line = reader.line();
  return line.length > 0 ? strictUtf8(line, 0, line.length) : cutOff('an empty name in an import');
};

/** Results of calls and persistent objects may be anything; of plain data it is known that it cannot be called. */
const checkCallable = (callee: PickleNode): void => {
  switch (callee.kind) {
    case 'global':
    case 'computed-global':
    case 'extension':
    case 'call':
    case 'persistent':
      return;
    default:
      broken(`a ${callee.kind} is called`);
  }
};

const makeCall = (
  machine: PickleMachine,
  opcode: CallOpcode,
  callee: PickleNode,
  args: PickleNode,
  kwargs?: PickleNode,
): void => {
  checkCallable(callee);
  if (args.kind !== 'tuple' && args.kind !== 'call' && args.kind !== 'persistent') {
    machine.misuse(`a ${args.kind} where the arguments of a call should be a tuple`);
  }
  machine.call({ kind: 'call', offset: machine.opcodeAt, opcode, callee, args, kwargs, added: undefined });
};

const argumentTuple = (machine: PickleMachine, items: readonly PickleNode[]): PickleNode => {
  machine.count();
  return { kind: 'tuple', offset: machine.opcodeAt, items };
};

const global: OpcodeRow[1] = (machine) => {
  const module = nameLine(machine);
  const name = nameLine(machine);
  machine.push(machine.importName(module, name, 'GLOBAL'));
};

const stackGlobal: OpcodeRow[1] = (machine) => {
  const name = machine.pop();
  const module = machine.pop();
  const moduleText = textOf(module);
  const nameText = textOf(name);
  if (moduleText !== undefined && nameText !== undefined) {
    machine.push(machine.importName(moduleText, nameText, 'STACK_GLOBAL'));
    return;
  }
  machine.add({ kind: 'computed-global', offset: machine.opcodeAt, module, name });
  machine.events.made(machine.top());
};

const extension = (machine: PickleMachine, code: number): void => {
  if (code <= 0) {
    broken(`extension code ${code}; codes begin at 1`);
  }
  machine.add({ kind: 'extension', offset: machine.opcodeAt, code });
  machine.events.made(machine.top());
};

const inst: OpcodeRow[1] = (machine) => {
  const module = nameLine(machine);
  const name = nameLine(machine);
  const args = argumentTuple(machine, machine.sinceMark());
  makeCall(machine, 'INST', machine.importName(module, name, 'INST'), args);
};

const obj: OpcodeRow[1] = (machine) => {
  const [callee, ...items] = machine.sinceMark();
  if (callee === undefined) {
    broken('nothing on the stack to call');
  } else {
    makeCall(machine, 'OBJ', callee, argumentTuple(machine, items));
  }
};

const build: OpcodeRow[1] = (machine) => {
  const state = machine.pop();
  const target = machine.top();
  if (target.kind === 'call') {
    additionsOf(machine, target).states.push(state);
    machine.events.changed('build', machine.opcodeAt, target);
  } else if (target.kind === 'persistent') {
    machine.events.changed('build', machine.opcodeAt, target);
  } else if (!changesGlobal(machine, target) && state.kind !== 'none') {
    machine.misuse(`state given to a ${target.kind}, which takes none`);
  }
};

const persistent = (machine: PickleMachine, id: PickleNode): void => {
  machine.add({ kind: 'persistent', offset: machine.opcodeAt, id });
  machine.events.made(machine.top());
};

const persistentLine: OpcodeRow[1] = (machine) => {
  const line = machine.reader.line();
  if (line.some((byte) => byte >= 0x80)) {
    broken('a persistent id that is not ASCII');
  }
  machine.count();
  persistent(machine, { kind: 'string', offset: machine.opcodeAt, value: strictUtf8(line, 0, line.length) });
};

const readonlyBuffer: OpcodeRow[1] = (machine) => {
  const { kind } = machine.top();
  if (kind !== 'buffer' && kind !== 'bytearray' && kind !== 'bytes' && kind !== 'call' && kind !== 'persistent') {
    broken(`a ${kind} is no buffer`);
  }
};

/** Opcodes that import, call, build, or ask the loading program for something. */
export const OBJECT_ROWS: readonly OpcodeRow[] = [
  [OPCODES.GLOBAL, global],
  [OPCODES.STACK_GLOBAL, stackGlobal],
  [OPCODES.EXT1, (machine) => extension(machine, machine.reader.u1())],
  [OPCODES.EXT2, (machine) => extension(machine, machine.reader.u2())],
  [OPCODES.EXT4, (machine) => extension(machine, machine.reader.i4())],
  [OPCODES.INST, inst],
  [OPCODES.OBJ, obj],
  [
    OPCODES.REDUCE,
    (machine) => {
      const args = machine.pop();
      makeCall(machine, 'REDUCE', machine.pop(), args);
    },
  ],
  [
    OPCODES.NEWOBJ,
    (machine) => {
      const args = machine.pop();
      makeCall(machine, 'NEWOBJ', machine.pop(), args);
    },
  ],
  [
    OPCODES.NEWOBJ_EX,
    (machine) => {
      const kwargs = machine.pop();
      const args = machine.pop();
      makeCall(machine, 'NEWOBJ_EX', machine.pop(), args, kwargs);
    },
  ],
  [OPCODES.BUILD, build],
  [OPCODES.PERSID, persistentLine],
  [OPCODES.BINPERSID, (machine) => persistent(machine, machine.pop())],
  [
    OPCODES.NEXT_BUFFER,
    (machine) => {
      machine.add({ kind: 'buffer', offset: machine.opcodeAt, index: machine.buffers });
      machine.buffers += 1;
    },
  ],
  [OPCODES.READONLY_BUFFER, readonlyBuffer],
];
