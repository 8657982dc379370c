import { ChevronDown, ChevronRight, Plus, X } from 'lucide-react';
import { type JSX, useState } from 'react';
import { formatInt } from '../../../shared/format-number.ts';
import { Button } from '../../widgets/button.tsx';
import { FileText, lineText } from '../../widgets/file-text.tsx';
import { changedEntries, type MetadataDraft, withNewEntry } from './metadata-draft.ts';

/** Values longer than this are kept as they are: a field would not make them easier to read. */
const EDITABLE = 20_000;
/** Most entries of a file that are shown. */
const SHOWN = 200;

const Entry = ({
  draft,
  onChange,
  onRemove,
}: {
  readonly draft: MetadataDraft;
  onChange(draft: MetadataDraft): void;
  onRemove(): void;
}): JSX.Element => {
  const { key, value, kept } = draft;
  const name = kept === undefined ? 'new entry' : lineText(key, 60);
  return (
    <li className="metadata-draft">
      {kept === undefined ? (
        <input
          className="text-input mono"
          type="text"
          aria-label="Key of new entry"
          placeholder="key"
          value={key}
          spellCheck={false}
          onChange={(event) => onChange({ ...draft, key: event.target.value })}
        />
      ) : (
        <FileText className="mono metadata-draft-key" text={key} length={28} />
      )}
      {value.length > EDITABLE ? (
        <span className="muted">{formatInt(value.length)} characters, kept as they are</span>
      ) : (
        <textarea
          className="text-input area mono"
          rows={Math.min(4, value.split('\n').length)}
          aria-label={`Value of ${name}`}
          placeholder="value"
          value={value}
          spellCheck={false}
          onChange={(event) => onChange({ ...draft, value: event.target.value })}
        />
      )}
      {kept === undefined ? (
        <button type="button" className="icon-button" aria-label="Remove new entry" title="Remove" onClick={onRemove}>
          <X size={13} aria-hidden />
        </button>
      ) : (
        <span className="muted metadata-draft-state">{value === kept ? 'kept' : 'changed'}</span>
      )}
    </li>
  );
};

/** The checkpoint's metadata, which is kept; values can be changed and entries added. */
export const MetadataEditor = ({
  drafts,
  onChange,
}: {
  readonly drafts: readonly MetadataDraft[];
  onChange(drafts: readonly MetadataDraft[]): void;
}): JSX.Element => {
  const [open, setOpen] = useState(false);
  const Chevron = open ? ChevronDown : ChevronRight;
  const kept = drafts.filter((draft) => draft.kept !== undefined).length;
  const changed = changedEntries(drafts).length;
  return (
    <section className="metadata-editor" aria-label="Metadata">
      <button type="button" className="metadata-editor-title" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Chevron size={14} aria-hidden />
        Metadata
        <span className="muted">
          {kept === 0 ? 'none in the file' : `${formatInt(kept)} kept`}
          {changed === 0 ? '' : `, ${formatInt(changed)} set`}
        </span>
      </button>
      {open ? (
        <>
          <ul className="metadata-drafts">
            {drafts
              .filter((draft, index) => index < SHOWN || draft.kept === undefined)
              .map((draft) => (
                <Entry
                  key={draft.id}
                  draft={draft}
                  onChange={(next) => onChange(drafts.map((other) => (other.id === draft.id ? next : other)))}
                  onRemove={() => onChange(drafts.filter((other) => other.id !== draft.id))}
                />
              ))}
          </ul>
          {kept > SHOWN ? <p className="muted">{formatInt(kept - SHOWN)} more are kept as they are.</p> : null}
          <Button className="small" onClick={() => onChange(withNewEntry(drafts))}>
            <Plus size={13} aria-hidden />
            Add Entry
          </Button>
        </>
      ) : null}
    </section>
  );
};
