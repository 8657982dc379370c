import type { OpcodeRow, PickleMachine } from './machine.ts';
import { NEWEST_PROTOCOL, OPCODES } from './opcodes.ts';
import { parseSlot } from './pickle-numbers.ts';
import { broken, overLimit } from './pickle-stop.ts';

const get = (machine: PickleMachine, slot: number): void =>
  machine.push(machine.memo.get(slot) ?? broken(`memo slot ${slot} is empty`));

const put = (machine: PickleMachine, slot: number): void => {
  machine.memo.put(slot, machine.top());
  if (machine.memo.size > machine.limits.memo) {
    overLimit(`over ${machine.limits.memo} slots of the memo in use`);
  }
};

const proto: OpcodeRow[1] = (machine) => {
  const version = machine.reader.u1();
  machine.protocol = version;
  if (version > NEWEST_PROTOCOL) {
    machine.misuse(`protocol ${version}, and ${NEWEST_PROTOCOL} is the newest there is`);
  }
};

/** A frame only says how far to read ahead; a wrong one is noted, and what it may change is up to the reader. */
const frame: OpcodeRow[1] = (machine) => {
  const wrong = machine.reader.frame(machine.reader.u8());
  if (wrong !== undefined) {
    machine.frameWrong(machine.opcodeAt, wrong);
  }
};

/** Opcodes that move objects between stack and memo, and those that make nothing. */
export const STACK_ROWS: readonly OpcodeRow[] = [
  [OPCODES.MARK, (machine) => machine.mark()],
  [OPCODES.POP, (machine) => machine.drop()],
  [OPCODES.POP_MARK, (machine) => void machine.sinceMark()],
  [OPCODES.DUP, (machine) => machine.push(machine.top())],
  [OPCODES.GET, (machine) => get(machine, parseSlot(machine.reader.line()))],
  [OPCODES.BINGET, (machine) => get(machine, machine.reader.u1())],
  [OPCODES.LONG_BINGET, (machine) => get(machine, machine.reader.u4())],
  [OPCODES.PUT, (machine) => put(machine, parseSlot(machine.reader.line()))],
  [OPCODES.BINPUT, (machine) => put(machine, machine.reader.u1())],
  [OPCODES.LONG_BINPUT, (machine) => put(machine, machine.reader.u4())],
  [OPCODES.MEMOIZE, (machine) => put(machine, machine.memo.size)],
  [OPCODES.PROTO, proto],
  [OPCODES.FRAME, frame],
];
