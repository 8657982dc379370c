import type { JSX } from 'react';
import { EXPORT_FORMATS, type ExportFormat } from '../../../shared/checkpoint-types.ts';

/** A format and, where it can hold the tensor's own dtype, whether it does. */
export interface FormatChoice {
  readonly format: ExportFormat;
  readonly native: boolean;
}

/** The choice as the service takes it. */
export const formatParams = ({
  format,
  native,
}: FormatChoice): { readonly format: ExportFormat; readonly dtype?: 'native' | 'f32' } => ({
  format,
  ...(keepsDtype(format) ? { dtype: native ? 'native' : 'f32' } : {}),
});

const FORMAT_WORDS: Readonly<Record<ExportFormat, string>> = {
  f32: 'Raw float32, little-endian (.f32)',
  raw: 'Raw bytes as stored (.bin)',
  npy: 'NumPy array (.npy)',
  csv: 'Text table (.csv)',
  safetensors: 'safetensors with one tensor',
};

const isFormat = (value: string): value is ExportFormat => EXPORT_FORMATS.some((format) => format === value);

/** Formats that can hold the tensor's own dtype. */
const keepsDtype = (format: ExportFormat): boolean => format === 'npy' || format === 'safetensors';

/** Chooses a format and the dtype of the values. */
export const FormatFields = ({
  choice,
  stored,
  autofocus = false,
  onChange,
}: {
  readonly choice: FormatChoice;
  /** The dtype as stored, in words; left out when there are several. */
  readonly stored?: string;
  readonly autofocus?: boolean;
  onChange(choice: FormatChoice): void;
}): JSX.Element => (
  <>
    <label className="field">
      <span>Format</span>
      <select
        className="select-input"
        {...(autofocus ? { 'data-autofocus': true } : {})}
        value={choice.format}
        onChange={({ target }) => (isFormat(target.value) ? onChange({ ...choice, format: target.value }) : undefined)}
      >
        {EXPORT_FORMATS.map((name) => (
          <option key={name} value={name}>
            {FORMAT_WORDS[name]}
          </option>
        ))}
      </select>
    </label>
    {keepsDtype(choice.format) ? (
      <label className="field">
        <span>Values</span>
        <select
          className="select-input"
          value={choice.native ? 'native' : 'f32'}
          onChange={({ target }) => onChange({ ...choice, native: target.value === 'native' })}
        >
          <option value="native">{stored === undefined ? 'As stored' : `As stored (${stored})`}</option>
          <option value="f32">As float32</option>
        </select>
      </label>
    ) : null}
  </>
);
