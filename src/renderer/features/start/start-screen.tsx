import { FileUp, FlaskConical, FolderOpen } from 'lucide-react';
import type { JSX } from 'react';
import { useWorkspace } from '../../state/context.tsx';
import { Button } from '../../widgets/button.tsx';
import { FileText } from '../../widgets/file-text.tsx';
import { runCommand } from '../commands/commands.ts';
import { keyLabel } from '../commands/keys.ts';
import { useCommandContext } from '../commands/use-commands.ts';
import { useRecents } from '../open-file/use-recents.ts';
import { timeAgo } from './time-ago.ts';
import './start-screen.css';

const SHOWN_RECENTS = 8;

const splitPath = (path: string): { readonly base: string; readonly folder: string } => {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return { base: path.slice(cut + 1), folder: path.slice(0, Math.max(0, cut)) };
};

const Recents = (): JSX.Element | null => {
  const workspace = useWorkspace();
  const { data: recents = [] } = useRecents();
  if (recents.length === 0) {
    return null;
  }
  return (
    <section className="start-recents" aria-label="Recent files">
      <h2>Recent</h2>
      <ul>
        {recents.slice(0, SHOWN_RECENTS).map(({ path, openedAt }) => {
          const { base, folder } = splitPath(path);
          return (
            <li key={path}>
              <button type="button" className="recent" onClick={() => void workspace.open({ kind: 'path', path })}>
                <FileText className="recent-name" text={base} length={44} />
                <FileText className="recent-folder" text={folder} length={56} />
                <span className="recent-time">{timeAgo(openedAt, Date.now())}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

/** The empty window: drop target, Open, the sample, recent files. */
export const StartScreen = (): JSX.Element => {
  const context = useCommandContext();
  return (
    <main className="start" aria-label="Start" data-area="start">
      <div className="start-drop">
        <FileUp size={30} strokeWidth={1.5} aria-hidden />
        <h1>Drop a model file here to see what is in it</h1>
        <p>Weights are read in place and none of the file’s code is ever run.</p>
        <div className="start-actions">
          <Button primary onClick={() => runCommand('open', context)} data-area-focus>
            <FolderOpen size={15} aria-hidden />
            Open…
            <kbd>{keyLabel('Mod+O')}</kbd>
          </Button>
          <Button onClick={() => runCommand('open-sample', context)}>
            <FlaskConical size={15} aria-hidden />
            Try the sample
          </Button>
        </div>
      </div>
      <Recents />
    </main>
  );
};
