import { ChevronRight } from 'lucide-react';
import { Menubar } from 'radix-ui';
import type { JSX } from 'react';
import { useWorkspace } from '../../state/context.tsx';
import { FileText } from '../../widgets/file-text.tsx';
import { useForgetRecents, useRecents } from '../open-file/use-recents.ts';

/** *Open Recent*: the files opened last, newest first. */
export const RecentMenu = (): JSX.Element => {
  const workspace = useWorkspace();
  const { data: recents = [] } = useRecents();
  const forget = useForgetRecents();
  return (
    <Menubar.Sub>
      <Menubar.SubTrigger className="menu-item" disabled={recents.length === 0}>
        <span className="menu-title">Open Recent</span>
        <span className="menu-keys">
          <ChevronRight size={14} aria-hidden />
        </span>
      </Menubar.SubTrigger>
      <Menubar.Portal>
        <Menubar.SubContent className="menu-content" sideOffset={2}>
          {recents.slice(0, 12).map(({ path }) => (
            <Menubar.Item
              key={path}
              className="menu-item"
              onSelect={() => {
                void workspace.open({ kind: 'path', path });
              }}
            >
              <FileText className="menu-title" text={path} length={60} />
            </Menubar.Item>
          ))}
          <Menubar.Separator className="menu-line" />
          <Menubar.Item className="menu-item" onSelect={() => forget.mutate()}>
            <span className="menu-title">Clear Recent Files</span>
          </Menubar.Item>
        </Menubar.SubContent>
      </Menubar.Portal>
    </Menubar.Sub>
  );
};
