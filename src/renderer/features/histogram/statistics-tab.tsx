import { type JSX, useMemo, useState } from 'react';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { formatInt, formatStatistic } from '../../../shared/format-number.ts';
import { describeFailure } from '../../state/failure.ts';
import { usePreferences } from '../../state/preferences.ts';
import type { TensorNumbers } from '../../state/tensor-numbers.ts';
import { Button } from '../../widgets/button.tsx';
import { EmptyMessage, FailureMessage, Skeleton } from '../../widgets/message.tsx';
import { RefusedTensor } from '../details/refused-tensor.tsx';
import { HistogramChart } from './histogram-chart.tsx';
import { type HistogramRange, quantileOf } from './histogram-range.ts';
import type { Mark } from './make-chart.ts';
import { NumberList } from './number-list.tsx';
import { RangePicker } from './range-picker.tsx';
import { useHistogram } from './use-histogram.ts';
import { useTensorNumbers } from './use-tensor-numbers.ts';

const marksOf = (numbers: TensorNumbers): readonly Mark[] => {
  const { mean, std } = numbers;
  const median = quantileOf(numbers, 0.5);
  return [
    ...(mean === undefined || std === undefined
      ? []
      : [{ value: mean - std, kind: 'sigma' } as const, { value: mean + std, kind: 'sigma' } as const]),
    ...(median === undefined ? [] : [{ value: median, kind: 'median' } as const]),
    ...(mean === undefined ? [] : [{ value: mean, kind: 'mean' } as const]),
  ];
};

/** Why there is no histogram, in words. */
const nothingFinite = ({ count, nan, posInf, negInf }: TensorNumbers): string => {
  if (count === 0) {
    return 'This tensor is empty: it has no elements.';
  }
  if (nan === count) {
    return `All ${formatInt(count)} elements are NaN.`;
  }
  return `No element is finite: ${formatInt(nan)} NaN, ${formatInt(posInf)} +Inf, ${formatInt(negInf)} −Inf.`;
};

const Legend = (): JSX.Element => (
  <ul className="mark-legend" aria-label="Marks">
    <li className="mark-mean">mean</li>
    <li className="mark-median">median</li>
    <li className="mark-sigma">±1σ</li>
  </ul>
);

const Histogram = ({ row, numbers }: { readonly row: TensorRow; readonly numbers: TensorNumbers }): JSX.Element => {
  const [range, setRange] = useState<HistogramRange>({ kind: 'all' });
  const log = usePreferences((state) => state.logCounts);
  const { data, error, refetch } = useHistogram(row.id, numbers, range);
  const marks = useMemo(() => marksOf(numbers), [numbers]);
  if (error !== null) {
    return (
      <FailureMessage where="The histogram could not be made" failure={describeFailure(error)}>
        <Button onClick={() => void refetch()}>Try again</Button>
      </FailureMessage>
    );
  }
  return (
    <>
      <RangePicker range={range} onRange={setRange} />
      {data === undefined ? (
        <div className="histogram-space">
          <Skeleton label="Loading the histogram" lines={5} />
        </div>
      ) : (
        <HistogramChart
          histogram={data}
          nonFinite={numbers}
          marks={marks}
          total={numbers.count}
          log={log}
          onRange={(low, high) => setRange({ kind: 'custom', low, high })}
        />
      )}
      <Legend />
      {numbers.min === numbers.max ? (
        <p className="muted constant-note">Every finite element is {formatStatistic(numbers.min, 9)}.</p>
      ) : null}
    </>
  );
};

/** Statistics of the selected tensor: histogram and figures, or why there are none. */
export const StatisticsTab = ({ row }: { readonly row: TensorRow }): JSX.Element => {
  const { numbers, failure, retry } = useTensorNumbers(row);
  if (!row.readable) {
    return <RefusedTensor row={row} />;
  }
  if (failure !== undefined) {
    return (
      <FailureMessage where="This tensor could not be scanned" failure={failure}>
        <Button onClick={retry}>Try again</Button>
      </FailureMessage>
    );
  }
  if (numbers === undefined) {
    return <Skeleton label="Scanning the tensor" lines={9} />;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="statistics" tabIndex={0} aria-label="Statistics of the tensor">
      {numbers.min === undefined ? (
        <div className="histogram-space">
          <EmptyMessage title={nothingFinite(numbers)} />
        </div>
      ) : (
        <Histogram row={row} numbers={numbers} />
      )}
      <NumberList numbers={numbers} />
    </section>
  );
};
