import { type JSX, useState } from 'react';
import type { GridLayout } from './grid-layout.ts';
import type { CellPlace } from './next-cell.ts';

/** The cell that typed text names: `12` or `12, 7` in a matrix, an element's index in one dimension. */
export const parsePlace = (text: string, layout: GridLayout): CellPlace | undefined => {
  const numbers = text
    .split(/[\s,;[\]]+/)
    .filter((part) => part !== '')
    .map(Number);
  if (numbers.length === 0 || numbers.some((value) => !Number.isSafeInteger(value) || value < 0)) {
    return undefined;
  }
  if (layout.kind === 'matrix') {
    const [row = 0, column = 0] = numbers.slice(-2);
    return row < layout.rows && column < layout.columns ? { row, column } : undefined;
  }
  const index = numbers.at(-1) ?? 0;
  return index < layout.length
    ? { row: Math.floor(index / layout.columns), column: index % layout.columns }
    : undefined;
};

/** A field that goes to an index. */
export const GoTo = ({
  layout,
  hint,
  onGo,
}: {
  readonly layout: GridLayout;
  readonly hint: string;
  onGo(place: CellPlace): void;
}): JSX.Element | null => {
  const [text, setText] = useState('');
  const place = parsePlace(text, layout);
  return layout.kind === 'scalar' ? null : (
    <input
      className="go-to"
      type="text"
      inputMode="numeric"
      aria-label={`Go to ${hint}`}
      title={`Go to ${hint}`}
      placeholder="Go to…"
      value={text}
      aria-invalid={text !== '' && place === undefined}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && place !== undefined) {
          onGo(place);
        }
      }}
    />
  );
};
