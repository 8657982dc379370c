import type { JSX } from 'react';
import type { DtypeShare } from '../../../shared/checkpoint-types.ts';
import { escapeText } from '../../../shared/escape-text.ts';
import { formatBytes, formatInt, formatParameters } from '../../../shared/format-number.ts';
import { Hint } from '../../widgets/hint.tsx';
import { percent } from '../tree/dtype-mix.ts';

/** Dtypes beyond this many share one part of the bar. */
const PARTS = 5;
const NAMED = 2;

/** A dtype as it is shown; tensors of a missing shard have none. */
const dtypeName = ({ dtype }: DtypeShare): string => (dtype === '' ? 'absent' : escapeText(dtype));

const Legend = ({ shares, total }: { readonly shares: readonly DtypeShare[]; readonly total: number }): JSX.Element => (
  <table className="dtype-legend">
    <tbody>
      {shares.slice(0, 24).map((share, index) => (
        <tr key={share.dtype}>
          <td>
            <i className={`dtype-part part-${Math.min(index, PARTS - 1) + 1}`} />
          </td>
          <th scope="row">{dtypeName(share)}</th>
          <td className="num">
            {formatInt(share.tensors)} {share.tensors === 1 ? 'tensor' : 'tensors'}
          </td>
          <td className="num">{formatParameters(share.parameters)}</td>
          <td className="num">{formatBytes(share.bytes)}</td>
          <td className="num">{percent(share.bytes, total)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The dtype mix by bytes as a bar; the legend with all numbers is its tooltip. */
export const DtypeBar = ({ shares }: { readonly shares: readonly DtypeShare[] }): JSX.Element | null => {
  const total = shares.reduce((sum, { bytes }) => sum + bytes, 0);
  if (shares.length === 0) {
    return null;
  }
  const words = shares.map((share) => `${dtypeName(share)} ${percent(share.bytes, total)}`).join(', ');
  const named = shares.filter(({ dtype }) => dtype !== '');
  return (
    <Hint text={<Legend shares={shares} total={total} />}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the legend is in the tooltip, which the keyboard must reach */}
      <div className="dtype-mix" role="img" aria-label={`Dtypes by bytes: ${words}`} tabIndex={0}>
        <span className="dtype-names">
          {named.slice(0, NAMED).map(({ dtype }, index) => (
            <span key={dtype}>
              <i className={`dtype-part part-${index + 1}`} />
              {escapeText(dtype)}
            </span>
          ))}
          {named.length > NAMED ? <span className="muted">+{named.length - NAMED}</span> : null}
        </span>
        <span className="dtype-bar">
          {shares.map(({ dtype, bytes }, index) => (
            <i
              key={dtype}
              className={`dtype-part part-${Math.min(index, PARTS - 1) + 1}`}
              style={{ flexGrow: total === 0 ? 1 : bytes, flexBasis: bytes > 0 ? 2 : 0 }}
            />
          ))}
        </span>
      </div>
    </Hint>
  );
};
