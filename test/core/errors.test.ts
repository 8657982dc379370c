import { describe, expect, it } from 'vitest';
import {
  CheckpointError,
  ClosedError,
  FileChangedError,
  OpenFileError,
  OutOfRangeError,
  SliceError,
  TensorLookupError,
  UnreadableTensorError,
} from '../../src/core/errors.ts';
import { isLoupeError, LoupeError } from '../../src/shared/errors.ts';
import { finding } from '../../src/shared/findings.ts';

describe('every error', () => {
  it.each<readonly [LoupeError, string, string, string]>([
    [
      new OutOfRangeError('m', 8, 3, 10),
      'OutOfRangeError',
      'out-of-range',
      '3 bytes at offset 8 do not lie inside m, which has 10 bytes',
    ],
    [new ClosedError('m'), 'ClosedError', 'closed', 'm is closed'],
    [new FileChangedError('m shrank'), 'FileChangedError', 'file-changed', 'm shrank'],
    [new OpenFileError('not-found', 'there is no m'), 'OpenFileError', 'not-found', 'there is no m'],
    [
      new CheckpointError(finding('gap', 'a hole', { file: 'm', offset: 9, tensor: 'a' })),
      'CheckpointError',
      'gap',
      'm: a hole',
    ],
    [new TensorLookupError('no-such-tensor', 'no'), 'TensorLookupError', 'no-such-tensor', 'no'],
    [
      new UnreadableTensorError('a', 'cut off'),
      'UnreadableTensorError',
      'unreadable-tensor',
      'tensor "a" cannot be read: cut off',
    ],
    [new SliceError('step 0'), 'SliceError', 'bad-slice', 'step 0'],
  ])('%s derives from one class and keeps its code', (error, name, code, message) => {
    expect(error).toBeInstanceOf(LoupeError);
    expect(error).toBeInstanceOf(Error);
    expect(isLoupeError(error)).toBe(true);
    expect({ name: error.name, code: error.code, message: error.message }).toEqual({ name, code, message });
    expect(error.stack).toContain('errors.test.ts');
  });

  it('of a checkpoint carries the finding', () => {
    const found = finding('overlap', 'shares', { file: 'm', tensor: 'b', offset: 80 });
    const error = new CheckpointError(found);
    expect(error.finding).toBe(found);
    expect(error.details).toEqual({ file: 'm', tensor: 'b', offset: 80 });
  });
});
