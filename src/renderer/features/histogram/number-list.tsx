import { Copy } from 'lucide-react';
import type { JSX } from 'react';
import { type Int, QUANTILES } from '../../../shared/checkpoint-types.ts';
import { formatFloat64, formatInt, formatStatistic } from '../../../shared/format-number.ts';
import { useWorkspace } from '../../state/context.tsx';
import type { TensorNumbers } from '../../state/tensor-numbers.ts';
import { IconButton } from '../../widgets/button.tsx';
import { writeClipboard } from '../commands/copy-text.ts';

interface Line {
  readonly label: string;
  /** As shown. */
  readonly text: string;
  /** As copied: every digit. */
  readonly exact: string;
}

const value = (label: string, number: Int | undefined): Line => ({
  label,
  text: formatStatistic(number, 6),
  exact: number === undefined ? '' : typeof number === 'number' ? formatFloat64(number) : String(number),
});

const counted = (label: string, count: number): Line => ({ label, text: formatInt(count), exact: String(count) });

const percentName = (share: number): string => (share === 0.5 ? 'Median' : `${share * 100} %`);

/** Statistics as labelled lines, in reading order. */
export const numberLines = (
  numbers: TensorNumbers,
): { readonly values: readonly Line[]; readonly counts: readonly Line[] } => ({
  values: [
    value('Min', numbers.min),
    value('Max', numbers.max),
    value('Mean', numbers.mean),
    value('Std', numbers.std),
    ...QUANTILES.map((share, index) => value(percentName(share), numbers.quantiles?.[index])),
  ],
  counts: [
    counted('Count', numbers.count),
    counted('NaN', numbers.nan),
    counted('+Inf', numbers.posInf),
    counted('−Inf', numbers.negInf),
    counted('Zeros', numbers.zeros),
    counted('of these −0', numbers.negZeros),
    counted('Subnormals', numbers.subnormals),
    ...(numbers.distinct === undefined ? [] : [counted('Distinct', numbers.distinct)]),
  ],
});

const Lines = ({ lines }: { readonly lines: readonly Line[] }): JSX.Element => (
  <dl className="number-list">
    {lines.map(({ label, text, exact }) => (
      <div key={label} className={/NaN|Inf/.test(label) && exact !== '0' ? 'number-line marked' : 'number-line'}>
        <dt>{label}</dt>
        <dd className="num" title={exact}>
          {text}
        </dd>
      </div>
    ))}
  </dl>
);

/** A tensor's statistics in figures, with a button that copies them with all digits. */
export const NumberList = ({ numbers }: { readonly numbers: TensorNumbers }): JSX.Element => {
  const { toasts } = useWorkspace();
  const { values, counts } = numberLines(numbers);
  const copy = (): void => {
    const text = [...values, ...counts].map(({ label, exact }) => `${label}\t${exact}`).join('\n');
    writeClipboard(text).then(
      () => toasts.info('Copied the numbers'),
      (error: unknown) => toasts.fail('Copying failed', error),
    );
  };
  return (
    <section className="numbers" aria-label="Numbers">
      <header className="numbers-head">
        <span className="muted">
          {numbers.exact ? 'All numbers exact' : 'Quantiles approximate, within 2⁻⁸ of the value'}
        </span>
        <IconButton label="Copy numbers" onClick={copy}>
          <Copy size={13} aria-hidden />
        </IconButton>
      </header>
      <div className="numbers-columns">
        <Lines lines={values} />
        <Lines lines={counts} />
      </div>
    </section>
  );
};
