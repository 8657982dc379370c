import { ChevronDown, ChevronRight, Copy } from 'lucide-react';
import { type JSX, useState } from 'react';
import type { MetadataEntry } from '../../../shared/checkpoint-types.ts';
import { escapeText } from '../../../shared/escape-text.ts';
import { formatInt } from '../../../shared/format-number.ts';
import { useSession, useWorkspace } from '../../state/context.tsx';
import { Button, IconButton } from '../../widgets/button.tsx';
import { FileText } from '../../widgets/file-text.tsx';
import { EmptyMessage } from '../../widgets/message.tsx';
import { writeClipboard } from '../commands/copy-text.ts';
import { prettyJson } from './pretty-json.ts';
import './metadata.css';

/** Entries and characters shown before a "show more". */
const FIRST_ENTRIES = 200;
const FIRST_CHARACTERS = 20_000;
const ONE_LINE = 160;

/** Text over several lines: each line escaped on its own, so that real line breaks stay line breaks. */
const lines = (text: string): string => text.split('\n').map(escapeText).join('\n');

const LongText = ({ text }: { readonly text: string }): JSX.Element => {
  const [limit, setLimit] = useState(FIRST_CHARACTERS);
  return (
    <>
      <pre className="metadata-text mono file-text">{lines(text.slice(0, limit))}</pre>
      {text.length > limit ? (
        <Button className="small" onClick={() => setLimit(limit * 4)}>
          Show more ({formatInt(text.length - limit)} characters left)
        </Button>
      ) : null}
    </>
  );
};

const Entry = ({ entry }: { readonly entry: MetadataEntry }): JSX.Element => {
  const workspace = useWorkspace();
  const [open, setOpen] = useState(false);
  const { key, value } = entry;
  const isLong = value.length > ONE_LINE || /[\n{[]/.test(value.slice(0, 400));
  const Chevron = open ? ChevronDown : ChevronRight;
  const copy = (): void => {
    writeClipboard(value).then(
      () => workspace.toasts.info('Copied the value'),
      (error: unknown) => workspace.toasts.fail('Copying failed', error),
    );
  };
  return (
    <li className="metadata-entry">
      {isLong ? (
        <button
          type="button"
          className="metadata-toggle"
          aria-expanded={open}
          aria-label={`Value of ${escapeText(key.slice(0, 200))}`}
          onClick={() => setOpen(!open)}
        >
          <Chevron size={14} aria-hidden />
        </button>
      ) : (
        <span className="metadata-toggle" />
      )}
      <FileText className="metadata-key mono" text={key} length={60} />
      <div className="metadata-value">
        {open ? (
          <LongText text={prettyJson(value) ?? value} />
        ) : (
          <FileText className="mono metadata-line" text={value} length={ONE_LINE} hover={false} />
        )}
      </div>
      <span className="metadata-type">{entry.type === 'string' ? '' : entry.type}</span>
      <IconButton label="Copy value" onClick={copy}>
        <Copy size={13} aria-hidden />
      </IconButton>
    </li>
  );
};

/** The checkpoint's metadata entries, in file order; JSON is indented when opened. */
export const MetadataList = (): JSX.Element => {
  const metadata = useSession((state) => state.summary.metadata);
  const [limit, setLimit] = useState(FIRST_ENTRIES);
  if (metadata.length === 0) {
    return <EmptyMessage title="No metadata">This file carries no entries beside its tensors.</EmptyMessage>;
  }
  return (
    <div className="metadata">
      <ul>
        {metadata.slice(0, limit).map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries never move, and keys may repeat in a damaged file
          <Entry key={index} entry={entry} />
        ))}
      </ul>
      {metadata.length > limit ? (
        <Button className="small" onClick={() => setLimit(limit * 4)}>
          Show more ({formatInt(metadata.length - limit)} entries left)
        </Button>
      ) : null}
    </div>
  );
};
