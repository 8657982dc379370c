import type { JSX } from 'react';
import type { ShardEntry } from '../../../shared/checkpoint-types.ts';
import { escapeText } from '../../../shared/escape-text.ts';
import { formatBytes, formatInt, formatParameters } from '../../../shared/format-number.ts';
import { useSession } from '../../state/context.tsx';
import { usePreferences } from '../../state/preferences.ts';
import { Hint } from '../../widgets/hint.tsx';
import { VERDICT_WORDS, VerdictIcon } from '../../widgets/verdict-icon.tsx';
import { missingShards } from '../shards/shard-list.ts';
import { DtypeBar } from './dtype-bar.tsx';
import { splitSentence } from './split-sentence.ts';
import './header-strip.css';

const VerdictPill = (): JSX.Element => {
  const verdict = useSession((state) => state.verdict);
  const sentence = useSession((state) => state.sentence);
  const isScanning = useSession((state) => state.scan.state === 'running');
  const { set, togglePanel } = usePreferences.getState();
  const { word, rest } = splitSentence(VERDICT_WORDS[verdict], escapeText(sentence));
  return (
    <Hint text={`${escapeText(sentence)}${isScanning ? ' (still scanning values)' : ''}. Click for the findings.`}>
      <button
        type="button"
        className={`verdict-pill ${verdict}`}
        data-testid="verdict"
        onClick={() => {
          set({ bottomTab: 'findings' });
          togglePanel('bottom', true);
        }}
      >
        <VerdictIcon verdict={verdict} />
        <strong>{word}</strong>
        {rest === '' ? null : <span className="verdict-sentence file-text">{rest}</span>}
      </button>
    </Hint>
  );
};

const Fact = ({
  value,
  unit,
  hint,
}: {
  readonly value: string;
  readonly unit: string;
  readonly hint: string;
}): JSX.Element => (
  <Hint text={hint}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the exact figure is in the tooltip, which the keyboard must reach */}
    <span className="fact" tabIndex={0} role="note" aria-label={hint}>
      <strong>{value}</strong> {unit}
    </span>
  </Hint>
);

const plural = (count: number, unit: string): string => (count === 1 ? unit : `${unit}s`);

/** How many shards there are and how many are missing; a click lists them. */
const ShardFact = ({
  shards,
  bytesOnDisk,
}: {
  readonly shards: readonly ShardEntry[];
  readonly bytesOnDisk: number;
}): JSX.Element => {
  const { set, togglePanel } = usePreferences.getState();
  const missing = missingShards(shards);
  return (
    <Hint text={`${formatInt(bytesOnDisk)} bytes on disk. Click for the list of shards.`}>
      <button
        type="button"
        className="fact shards"
        onClick={() => {
          set({ bottomTab: 'shards' });
          togglePanel('bottom', true);
        }}
      >
        <strong>{formatInt(shards.length)}</strong> {plural(shards.length, 'shard')}
        {missing === 0 ? null : <span className="shards-missing">, {formatInt(missing)} missing</span>}
      </button>
    </Hint>
  );
};

/** The strip under the tabs: verdict, format, counts, dtype mix. */
export const HeaderStrip = (): JSX.Element => {
  const { format, files, shards, tensors, parameters, dataBytes, dtypes } = useSession((state) => state.summary);
  const bytesOnDisk = files.reduce((sum, file) => sum + file.bytes, 0);
  return (
    <section className="header-strip" aria-label="Summary" data-area="summary">
      <VerdictPill />
      <div className="facts">
        <span className="fact format">{escapeText(format)}</span>
        {shards.length === 0 ? (
          <Fact
            value={formatInt(files.length)}
            unit={plural(files.length, 'file')}
            hint={`${formatInt(bytesOnDisk)} bytes on disk`}
          />
        ) : (
          <ShardFact shards={shards} bytesOnDisk={bytesOnDisk} />
        )}
        <Fact value={formatInt(tensors)} unit={plural(tensors, 'tensor')} hint={`${formatInt(tensors)} tensors`} />
        <Fact value={formatParameters(parameters)} unit="parameters" hint={`${formatInt(parameters)} parameters`} />
        <Fact value={formatBytes(dataBytes)} unit="" hint={`${formatInt(dataBytes)} bytes of tensor data`} />
      </div>
      <DtypeBar shares={dtypes} />
    </section>
  );
};
