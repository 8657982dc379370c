import { type JSX, useState } from 'react';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { formatInt } from '../../../shared/format-number.ts';
import { EmptyMessage } from '../../widgets/message.tsx';
import { RefusedTensor } from '../details/refused-tensor.tsx';
import { ValueGrid } from './value-grid.tsx';
import './values.css';

const Slider = ({
  axis,
  size,
  value,
  onChange,
}: {
  readonly axis: number;
  readonly size: number;
  readonly value: number;
  onChange(value: number): void;
}): JSX.Element => {
  const clamp = (next: number): number => Math.max(0, Math.min(size - 1, Math.trunc(next) || 0));
  return (
    <div className="index-slider">
      <span>Dimension {axis}</span>
      <input
        type="range"
        aria-label={`Index of dimension ${axis}`}
        min={0}
        max={size - 1}
        value={value}
        onChange={(event) => onChange(clamp(event.target.valueAsNumber))}
      />
      <input
        type="number"
        aria-label={`Index of dimension ${axis}, as a number`}
        min={0}
        max={size - 1}
        value={value}
        onChange={(event) => onChange(clamp(event.target.valueAsNumber))}
      />
      <span className="muted">of {formatInt(size)}</span>
    </div>
  );
};

/** Values of the selected tensor: sliders for the outer dimensions, a grid over the last two. */
export const ValuesTab = ({ row }: { readonly row: TensorRow }): JSX.Element => {
  const leading = row.shape.slice(0, -2).map(Number);
  const [indices, setIndices] = useState<readonly number[]>(() => leading.map(() => 0));
  if (!row.readable) {
    return <RefusedTensor row={row} />;
  }
  if (row.shape.some((size) => Number(size) === 0)) {
    return <EmptyMessage title="No values">This tensor is empty: one of its dimensions is 0.</EmptyMessage>;
  }
  return (
    <div className="values">
      {leading.length === 0 ? null : (
        <fieldset className="index-sliders" aria-label="Indices of the outer dimensions">
          {leading.map((size, axis) => (
            <Slider
              // biome-ignore lint/suspicious/noArrayIndexKey: a dimension is its place
              key={axis}
              axis={axis}
              size={size}
              value={indices[axis] ?? 0}
              onChange={(value) => setIndices(indices.map((old, at) => (at === axis ? value : old)))}
            />
          ))}
        </fieldset>
      )}
      <ValueGrid row={row} indices={indices} />
    </div>
  );
};
