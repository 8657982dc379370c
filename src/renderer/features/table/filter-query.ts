import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { viewWord } from '../views/view-text.ts';
import { compileGlob, isGlob } from './glob.ts';

/** A compiled filter: whether a row with this lower-cased visible name passes. */
export type RowTest = (row: TensorRow, searchName: string) => boolean;

const TERM = /(-?)(?:(\w+):)?(?:"([^"]*)"?|(\S*))/g;

const nameTest = (text: string): RowTest => {
  if (isGlob(text)) {
    const glob = compileGlob(text);
    // Names may hold these characters themselves.
    return (_row, name) => glob(name) || name.includes(text);
  }
  return (_row, name) => name.includes(text);
};

const fieldTest = (field: string, value: string): RowTest | undefined => {
  switch (field) {
    case 'dtype': {
      const wanted = value.split(',').filter((part) => part !== '');
      return wanted.length === 0 ? () => true : (row) => wanted.includes(row.dtype.toLowerCase());
    }
    case 'shape': {
      const wanted = value.replaceAll(/[x×]/g, ',').split(',').filter(Boolean).join(',');
      return (row) => `,${row.shape.join(',')},`.includes(`,${wanted},`);
    }
    case 'file':
      return (row) => row.file.toLowerCase().includes(value);
    case 'is':
      if (value !== '' && 'absent'.startsWith(value)) {
        return (row) => row.layout === 'absent';
      }
      if (value === 'view' || value === 'shared') {
        return (row) => viewWord(row) === value;
      }
      return 'unreadable'.startsWith(value) || 'damaged'.startsWith(value) ? (row) => !row.readable : undefined;
    default:
      return undefined;
  }
};

/**
 * Compiles what is typed into the filter box. Terms are separated by spaces and all must hold: plain text and globs look
 * at the name, `dtype:bf16,f32`, `shape:4096x1024`, `file:00002`, `is:unreadable`, `is:absent`, `is:view` and `is:shared`
 * at their column, and a leading `-` turns a term around. Case never matters. Undefined when there is nothing to filter by.
 */
export const compileFilter = (query: string): RowTest | undefined => {
  const tests: RowTest[] = [];
  for (const [whole, minus, field, quoted, bare] of query.toLowerCase().matchAll(TERM)) {
    const plain = minus === '' ? whole : whole.slice(1);
    if (plain === '') {
      continue;
    }
    const value = quoted ?? bare ?? '';
    const byField = field === undefined ? undefined : fieldTest(field, value);
    const test = byField ?? nameTest(field === undefined && quoted !== undefined ? quoted : plain);
    tests.push(minus === '' ? test : (row, name) => !test(row, name));
  }
  return tests.length === 0 ? undefined : (row, name) => tests.every((test) => test(row, name));
};
