import type { ValueKind, ValueRow } from '../../../shared/pickle-types.ts';

/** Words for kinds of values, as Python calls them where it has a name. */
export const KIND_WORDS: Readonly<Record<ValueKind, string>> = {
  none: 'None',
  bool: 'bool',
  int: 'int',
  float: 'float',
  string: 'str',
  'byte-string': 'str of Python 2',
  bytes: 'bytes',
  bytearray: 'bytearray',
  list: 'list',
  tuple: 'tuple',
  dict: 'dict',
  set: 'set',
  frozenset: 'frozenset',
  global: 'import',
  'computed-global': 'computed import',
  extension: 'import by number',
  call: 'object',
  persistent: 'persistent id',
  buffer: 'buffer',
};

const ROLE_WORDS: Readonly<Partial<Record<ValueRow['role'], string>>> = {
  callee: 'called',
  argument: 'argument',
  keyword: 'keyword',
  state: 'state',
  'persistent-id': 'id',
  module: 'module',
  name: 'name',
};

/** What stands before a value: its key without quotes, its number, or what it is to the object it belongs to. Raw text. */
export const keyText = ({ role, label }: Pick<ValueRow, 'role' | 'label'>): string => {
  const word = ROLE_WORDS[role];
  if (word === undefined) {
    return role === 'entry' ? label.replace(/^"(.*)"$/s, '$1') : label;
  }
  return role === 'keyword'
    ? label.replace(/^"(.*)"$/s, '$1')
    : role === 'argument' || role === 'state'
      ? `${word} ${label}`
      : word;
};

/** Whether a value has a text that may be longer than its line. */
export const hasLongText = ({ kind }: Pick<ValueRow, 'kind'>): boolean =>
  kind === 'string' || kind === 'byte-string' || kind === 'bytes' || kind === 'bytearray';
