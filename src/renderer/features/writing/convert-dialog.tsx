import { type JSX, useState } from 'react';
import { formatInt } from '../../../shared/format-number.ts';
import { parseBytes } from '../../../shared/parse-bytes.ts';
import { useActiveSession, useWorkspaceState } from '../../state/context.tsx';
import type { SessionStore } from '../../state/session.ts';
import { commandPath } from '../commands/command-path.ts';
import { convertCommand } from '../commands/write-commands.ts';
import {
  type ConvertDraft,
  convertParams,
  convertProblem,
  DEFAULT_SIZE,
  inFolder,
  reshaped,
  startFolder,
} from './convert-draft.ts';
import { OutputField, PatternField, SelectionLine, useSelection } from './fields.tsx';
import { draftsOf } from './metadata-draft.ts';
import { MetadataEditor } from './metadata-editor.tsx';
import { baseName, suggestedOutput } from './output-paths.ts';
import { patternsOf } from './selection.ts';
import { WriteDialog } from './write-dialog.tsx';
import { WriteForm } from './write-form.tsx';

interface PartProps {
  readonly draft: ConvertDraft;
  onChange(draft: ConvertDraft): void;
}

/** One file, or shards of a size. */
const Layout = ({ draft, onChange }: PartProps): JSX.Element => {
  const { sharded, size } = draft;
  const bytes = parseBytes(size);
  const choose = (next: boolean): void =>
    onChange({ ...draft, sharded: next, output: reshaped(draft, next), confirmed: undefined });
  return (
    <fieldset className="layout-choice">
      <legend>Write</legend>
      <label>
        <input type="radio" name="layout" checked={!sharded} onChange={() => choose(false)} />
        One file
      </label>
      <label>
        <input type="radio" name="layout" checked={sharded} onChange={() => choose(true)} />
        Shards of at most
      </label>
      <input
        className="text-input mono size-input"
        type="text"
        aria-label="Most bytes of a shard"
        aria-invalid={sharded && bytes === undefined}
        aria-describedby="size-hint"
        value={size}
        disabled={!sharded}
        spellCheck={false}
        onChange={(event) => onChange({ ...draft, size: event.target.value })}
      />
      <span id="size-hint" className={sharded && bytes === undefined ? 'field-hint wrong' : 'field-hint'}>
        {!sharded ? '' : bytes === undefined ? 'such as 5GB, 500MB or 2GiB' : `${formatInt(bytes)} bytes of tensors`}
      </span>
    </fieldset>
  );
};

const Form = ({
  session,
  draft,
  onChange,
  onBrowse,
}: PartProps & { readonly session: SessionStore; onBrowse(): void }): JSX.Element => {
  const { include, exclude, sharded, size, metadata, output } = draft;
  const selection = useSelection(session, patternsOf(include), patternsOf(exclude));
  const problem = convertProblem(draft, selection.tensors);
  const params = convertParams(draft);
  const set = (change: Partial<ConvertDraft>): void => onChange({ ...draft, ...change });
  return (
    <WriteForm
      session={session}
      request={{ kind: 'convert', params }}
      command={convertCommand({
        path: commandPath(session.getState()),
        output: params.output,
        include: params.include ?? [],
        exclude: params.exclude ?? [],
        metadata: params.metadata ?? [],
        ...(sharded ? { shardSize: size.replace(/\s+/g, '') } : {}),
      })}
      problem={problem}
      submit="Convert"
    >
      <div className="field-pair">
        <PatternField
          label="Only tensors that match (one pattern a line)"
          placeholder="* (all)"
          value={include}
          autofocus
          onChange={(value) => set({ include: value })}
        />
        <PatternField
          label="But leave out (one pattern a line)"
          placeholder="(none)"
          value={exclude}
          onChange={(value) => set({ exclude: value })}
        />
      </div>
      <SelectionLine
        selection={selection}
        total={session.getState().summary.tensors}
        onLeaveOut={(patterns) => set({ exclude: [...patternsOf(exclude), ...patterns].join('\n') })}
      />
      <Layout draft={draft} onChange={onChange} />
      <OutputField
        label={sharded ? 'Folder to write into' : 'File to write'}
        {...(sharded ? { hint: 'Made when it is missing. The shards and their index go into it.' } : {})}
        wanted={sharded ? 'folder' : 'file'}
        suggested={baseName(output) || 'model.safetensors'}
        value={output}
        onChange={(value, isConfirmed) => set({ output: value, confirmed: isConfirmed ? value : undefined })}
        onBrowse={onBrowse}
      />
      <MetadataEditor drafts={metadata} onChange={(drafts) => set({ metadata: drafts })} />
    </WriteForm>
  );
};

const Dialog = ({ session }: { readonly session: SessionStore }): JSX.Element => {
  const pattern = useWorkspaceState((state) => state.dialogPattern);
  const [draft, setDraft] = useState<ConvertDraft>(() => {
    const { path, summary } = session.getState();
    return {
      include: pattern ?? '',
      exclude: '',
      sharded: false,
      size: DEFAULT_SIZE,
      metadata: draftsOf(summary.metadata),
      output: suggestedOutput(path, summary.shards.length > 0, 'file'),
      confirmed: undefined,
    };
  });
  return (
    <WriteDialog
      session={session}
      kind="convert"
      startFolder={startFolder(draft)}
      onFolder={(folder) => setDraft({ ...draft, output: inFolder(draft, folder), confirmed: undefined })}
    >
      {(browse) => <Form session={session} draft={draft} onChange={setDraft} onBrowse={browse} />}
    </WriteDialog>
  );
};

/** *Convert to safetensors…*: the checkpoint anew, filtered, as one file or as shards. */
export const ConvertDialog = (): JSX.Element | null => {
  const session = useActiveSession();
  return session === undefined ? null : <Dialog session={session} />;
};
