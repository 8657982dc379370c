import { Search, X } from 'lucide-react';
import type { JSX } from 'react';

/** A filter field: Esc empties it, then leaves it. */
export const FilterBox = ({
  name,
  label,
  placeholder,
  value,
  onChange,
  onEnter,
}: {
  /** Which filter it is, for `/` and tests. */
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  onChange(value: string): void;
  /** Enter or Arrow Down: go to what was found. */
  onEnter?(): void;
}): JSX.Element => (
  <div className="filter-box">
    <Search size={13} aria-hidden />
    <input
      type="text"
      data-filter={name}
      aria-label={label}
      placeholder={placeholder}
      title={placeholder}
      value={value}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          if (value === '') {
            event.currentTarget.blur();
          }
          onChange('');
        } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
          event.preventDefault();
          onEnter?.();
        }
      }}
    />
    {value === '' ? null : (
      <button
        type="button"
        className="icon-button"
        aria-label={`Clear ${label.toLowerCase()}`}
        onClick={() => onChange('')}
      >
        <X size={12} aria-hidden />
      </button>
    )}
  </div>
);
