import { LoupeError } from '../../shared/errors.ts';
import type { DtypeInfo } from '../dtypes/dtype-table.ts';

/** Bytes a window of a dtype is a multiple of: an element, or the fewest elements that fill whole bytes (F6: 3 bytes). */
export const windowUnit = ({ bits }: DtypeInfo): number => (bits === 6 ? 3 : Math.ceil(bits / 8));

/**
 * @throws LoupeError `bytes-not-whole-elements` when a window ends inside an element
 */
export const requireWholeElements = (info: DtypeInfo, bytes: Uint8Array): void => {
  const unit = windowUnit(info);
  if (bytes.length % unit !== 0) {
    throw new LoupeError(
      'bytes-not-whole-elements',
      `${bytes.length} bytes are no whole number of ${info.name} elements; windows are multiples of ${unit} bytes`,
      { dtype: info.name, bytes: bytes.length, unit },
    );
  }
};
