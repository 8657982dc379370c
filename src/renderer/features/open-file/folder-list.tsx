import { File, FileBox, Folder, FolderUp } from 'lucide-react';
import { type JSX, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { FolderListing } from '../../../shared/api.ts';
import { formatBytes } from '../../../shared/format-number.ts';
import { FileText } from '../../widgets/file-text.tsx';
import { FilterBox } from '../../widgets/filter-box.tsx';
import { EmptyMessage } from '../../widgets/message.tsx';
import { nextPlace } from '../table/use-table-keys.ts';

type Entry = FolderListing['entries'][number];

/** Endings of files that are likely to be opened; others are listed too, a shade paler. */
const MODEL_FILE = /\.(safetensors|index\.json|pt|pth|bin|ckpt|gguf|npy|npz)$/i;

/** Most entries in the page at once; the filter reaches the rest. */
const SHOWN = 1000;

const EntryIcon = ({ entry }: { readonly entry: Entry }): JSX.Element => {
  if (entry.folder) {
    return <Folder size={14} aria-hidden />;
  }
  return MODEL_FILE.test(entry.name) ? <FileBox size={14} aria-hidden /> : <File size={14} aria-hidden />;
};

const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short' });

const EntryLine = ({ entry, active }: { readonly entry: Entry; readonly active: boolean }): JSX.Element => (
  <>
    <EntryIcon entry={entry} />
    <FileText
      className={entry.folder || MODEL_FILE.test(entry.name) ? 'entry-name' : 'entry-name pale'}
      text={entry.name}
      length={60}
    />
    <span className={active ? 'entry-fact' : 'entry-fact muted'}>{entry.folder ? '' : formatBytes(entry.bytes)}</span>
    <span className={active ? 'entry-fact' : 'entry-fact muted'}>
      {entry.modified > 0 ? day.format(entry.modified) : ''}
    </span>
  </>
);

/**
 * One folder's entries: arrows move, Enter opens, Backspace goes up, typing in the filter narrows. Without `onFile` files
 * are only there to be seen.
 */
export const FolderList = ({
  listing,
  takesFocus,
  onFolder,
  onFile,
}: {
  readonly listing: FolderListing;
  /** Whether the list is ready for the arrow keys at once, and takes them from what has them. */
  readonly takesFocus: boolean;
  onFolder(path: string): void;
  onFile?(path: string): void;
}): JSX.Element => {
  const [filter, setFilter] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => {
    const wanted = filter.toLowerCase();
    const matching = listing.entries.filter(({ name }) => name.toLowerCase().includes(wanted)).slice(0, SHOWN);
    return [...matching].sort((a, b) => Number(b.folder) - Number(a.folder));
  }, [listing, filter]);

  // Only at first: whoever begins to type afterwards has left the list on purpose.
  const first = useRef(takesFocus);
  useEffect(() => {
    if (first.current) {
      list.current?.focus();
    }
  }, []);

  const open = (entry: Entry | undefined): void => {
    if (entry !== undefined) {
      (entry.folder ? onFolder : onFile)?.(entry.path);
    }
  };
  const move = (to: number): void => {
    setActive(to);
    document.getElementById(`entry-${to}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    const next = entries.length === 0 ? undefined : nextPlace(event.key, active, entries.length, 10);
    if (next !== undefined) {
      event.preventDefault();
      move(next);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      open(entries[active]);
    } else if (event.key === 'Backspace' && listing.parent !== undefined) {
      onFolder(listing.parent);
    }
  };
  return (
    <>
      <div className="open-filter">
        <button
          type="button"
          className="icon-button"
          aria-label="Up one folder"
          title="Up one folder"
          disabled={listing.parent === undefined}
          onClick={() => (listing.parent === undefined ? undefined : onFolder(listing.parent))}
        >
          <FolderUp size={16} aria-hidden />
        </button>
        <FilterBox
          name="folder"
          label="Filter this folder"
          placeholder="Filter this folder"
          value={filter}
          onChange={(value) => {
            setFilter(value);
            setActive(0);
          }}
          onEnter={() => list.current?.focus()}
        />
      </div>
      {entries.length === 0 ? (
        <EmptyMessage title={filter === '' ? 'This folder is empty' : 'Nothing here passes the filter'} />
      ) : (
        <div
          ref={list}
          role="listbox"
          aria-label="Files and folders"
          tabIndex={0}
          aria-activedescendant={`entry-${active}`}
          className="entry-list"
          onKeyDown={onKey}
        >
          {entries.map((entry, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys for all of its entries
            <div
              key={entry.path}
              id={`entry-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              aria-disabled={onFile === undefined && !entry.folder}
              className={index === active ? 'entry active' : 'entry'}
              onClick={() => {
                setActive(index);
                open(entry);
              }}
            >
              <EntryLine entry={entry} active={index === active} />
            </div>
          ))}
        </div>
      )}
    </>
  );
};
