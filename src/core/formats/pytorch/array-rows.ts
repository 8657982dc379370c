import { formatInt } from '../../../shared/format-number.ts';
import { elementCount } from '../../checked-arithmetic.ts';
import { rowMajorStrides } from '../../tensor/strided-layout.ts';
import type { NumpyArray } from './numpy-array.ts';
import { addPlaced, addRefused, ints, type Refusal, type RowContext } from './row-context.ts';

/** Strides of an array whose first dimension varies fastest. */
const columnMajorStrides = (shape: readonly number[]): number[] => rowMajorStrides([...shape].reverse()).reverse();

/** The row of a numpy array: as many bytes as its dtype and shape need, no more and no fewer, or a refusal. */
export const addArrayRow = (context: RowContext, name: string, array: NumpyArray): void => {
  const { dtype, size, bigEndian } = array;
  const refuse = (code: Refusal['code'], why: string): void =>
    addRefused(context, name, { dtype, shape: array.shape, why, code });
  const sizes = ints(array.shape);
  const count = elementCount(sizes);
  const placed = context.inline.place(array.data);
  if (placed === undefined) {
    refuse('field-invalid', 'its bytes are written as a text with other characters than bytes have');
    return;
  }
  if (typeof count !== 'number') {
    refuse('shape-overflow', `its shape [${array.shape.join(', ')}] has more elements than can be read`);
    return;
  }
  const needed = BigInt(count) * BigInt(size);
  if (needed !== BigInt(placed.bytes)) {
    const held = `the pickle holds ${formatInt(placed.bytes)} for it`;
    refuse('size-mismatch', `its dtype and shape need ${formatInt(needed)} bytes, ${held}`);
    return;
  }
  const shape = sizes.map(Number);
  const strides = array.fortran ? columnMajorStrides(shape) : rowMajorStrides(shape);
  const content = { name, dtype, bigEndian, negated: false, conjugated: false };
  addPlaced(context, content, placed, { sizes, count, size, reach: [0, placed.bytes], first: 0, strides });
};
