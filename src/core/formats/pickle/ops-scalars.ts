import type { OpcodeRow, PickleMachine } from './machine.ts';
import { OPCODES } from './opcodes.ts';
import { longOfBytes, parseFloatText, parseInt0, parseLong } from './pickle-numbers.ts';
import { quotedBytes, rawUnicodeEscape, utf8SurrogatePass } from './pickle-text.ts';

const addInt = (machine: PickleMachine, value: number | bigint): void =>
  machine.add({ kind: 'int', offset: machine.opcodeAt, value });

const addBool = (machine: PickleMachine, value: boolean): void =>
  machine.add({ kind: 'bool', offset: machine.opcodeAt, value });

const addFloat = (machine: PickleMachine, value: number): void =>
  machine.add({ kind: 'float', offset: machine.opcodeAt, value });

const addString = (machine: PickleMachine, value: string): void =>
  machine.add({ kind: 'string', offset: machine.opcodeAt, value });

const addUtf8 = (machine: PickleMachine, length: number): void => {
  const start = machine.reader.skip(length);
  addString(machine, utf8SurrogatePass(machine.reader.bytes, start, start + length));
};

type BytesKind = 'bytes' | 'byte-string';

const addBytes = (machine: PickleMachine, kind: BytesKind, value: Uint8Array): void =>
  machine.add({ kind, offset: machine.opcodeAt, value });

const int: OpcodeRow[1] = (machine) => {
  const value = parseInt0(machine.reader.line());
  if (typeof value === 'boolean') {
    addBool(machine, value);
  } else {
    addInt(machine, value);
  }
};

/** Opcodes that push one number, text or string of bytes. */
export const SCALAR_ROWS: readonly OpcodeRow[] = [
  [OPCODES.NONE, (machine) => machine.add({ kind: 'none', offset: machine.opcodeAt })],
  [OPCODES.NEWTRUE, (machine) => addBool(machine, true)],
  [OPCODES.NEWFALSE, (machine) => addBool(machine, false)],
  [OPCODES.INT, int],
  [OPCODES.LONG, (machine) => addInt(machine, parseLong(machine.reader.line()))],
  [OPCODES.BININT, (machine) => addInt(machine, machine.reader.i4())],
  [OPCODES.BININT1, (machine) => addInt(machine, machine.reader.u1())],
  [OPCODES.BININT2, (machine) => addInt(machine, machine.reader.u2())],
  [OPCODES.LONG1, (machine) => addInt(machine, longOfBytes(machine.reader.take(machine.reader.u1())))],
  [OPCODES.LONG4, (machine) => addInt(machine, longOfBytes(machine.reader.take(machine.reader.lengthI4())))],
  [OPCODES.FLOAT, (machine) => addFloat(machine, parseFloatText(machine.reader.line()))],
  [OPCODES.BINFLOAT, (machine) => addFloat(machine, machine.reader.f8())],
  [OPCODES.UNICODE, (machine) => addString(machine, rawUnicodeEscape(machine.reader.line()))],
  [OPCODES.SHORT_BINUNICODE, (machine) => addUtf8(machine, machine.reader.u1())],
  [OPCODES.BINUNICODE, (machine) => addUtf8(machine, machine.reader.u4())],
  [OPCODES.BINUNICODE8, (machine) => addUtf8(machine, machine.reader.u8())],
  [OPCODES.STRING, (machine) => addBytes(machine, 'byte-string', quotedBytes(machine.reader.line()))],
  [OPCODES.SHORT_BINSTRING, (machine) => addBytes(machine, 'byte-string', machine.reader.take(machine.reader.u1()))],
  [OPCODES.BINSTRING, (machine) => addBytes(machine, 'byte-string', machine.reader.take(machine.reader.lengthI4()))],
  [OPCODES.SHORT_BINBYTES, (machine) => addBytes(machine, 'bytes', machine.reader.takeAcross(machine.reader.u1()))],
  [OPCODES.BINBYTES, (machine) => addBytes(machine, 'bytes', machine.reader.takeAcross(machine.reader.u4()))],
  [OPCODES.BINBYTES8, (machine) => addBytes(machine, 'bytes', machine.reader.takeAcross(machine.reader.u8()))],
  [
    OPCODES.BYTEARRAY8,
    (machine) => {
      const value = machine.reader.takeAcross(machine.reader.u8());
      machine.add({ kind: 'bytearray', offset: machine.opcodeAt, value, changedAt: machine.opcodeAt });
    },
  ],
];
