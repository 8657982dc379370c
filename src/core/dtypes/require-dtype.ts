import { LoupeError } from '../../shared/errors.ts';
import { type DtypeInfo, dtypeInfo } from './dtype-table.ts';

/**
 * The dtype of that name, for callers that cannot go on without one.
 *
 * @throws LoupeError `unknown-dtype`
 */
export const requireDtype = (name: string): DtypeInfo => {
  const info = dtypeInfo(name);
  if (info === undefined) {
    throw new LoupeError('unknown-dtype', `no dtype is called ${JSON.stringify(name)}`, { dtype: name });
  }
  return info;
};
