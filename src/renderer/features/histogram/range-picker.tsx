import { ToggleGroup } from 'radix-ui';
import type { JSX } from 'react';
import { usePreferences } from '../../state/preferences.ts';
import type { HistogramRange } from './histogram-range.ts';

const CHOICES = [
  { kind: 'all', title: 'All', hint: 'From the smallest to the largest value' },
  { kind: 'p0.1', title: '0.1–99.9 %', hint: 'Without the outermost 0.1 % on each side' },
  { kind: 'p1', title: '1–99 %', hint: 'Without the outermost 1 % on each side' },
] as const;

const rangeFrom = (kind: string): HistogramRange | undefined => CHOICES.find((choice) => choice.kind === kind);

/** Chooses the histogram's range and the scale of its counts. */
export const RangePicker = ({
  range,
  onRange,
}: {
  readonly range: HistogramRange;
  onRange(range: HistogramRange): void;
}): JSX.Element => {
  const log = usePreferences((state) => state.logCounts);
  const { set } = usePreferences.getState();
  return (
    <div className="range-picker">
      <ToggleGroup.Root
        type="single"
        className="segments"
        aria-label="Range of the histogram"
        value={range.kind}
        onValueChange={(kind) => {
          const next = rangeFrom(kind);
          if (next !== undefined) {
            onRange(next.kind === 'custom' ? range : { kind: next.kind });
          }
        }}
      >
        {CHOICES.map(({ kind, title, hint }) => (
          <ToggleGroup.Item key={kind} value={kind} className="segment" title={hint}>
            {title}
          </ToggleGroup.Item>
        ))}
        {range.kind === 'custom' ? (
          <ToggleGroup.Item value="custom" className="segment" title="Dragged out on the histogram">
            Custom
          </ToggleGroup.Item>
        ) : null}
      </ToggleGroup.Root>
      <button
        type="button"
        className="segment lone"
        aria-pressed={log}
        title="Logarithmic counts"
        onClick={() => set({ logCounts: !log })}
      >
        Log
      </button>
    </div>
  );
};
