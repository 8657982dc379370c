import { ChevronRight } from 'lucide-react';
import { Menubar } from 'radix-ui';
import type { JSX } from 'react';
import { useActiveSession } from '../../state/context.tsx';
import { ColumnChecks } from '../table/column-checks.tsx';

/** *Columns*: which columns the table shows. */
export const ColumnsMenu = (): JSX.Element => {
  const session = useActiveSession();
  const isSharded = (session?.getState().summary.shards.length ?? 0) > 0;
  return (
    <Menubar.Sub>
      <Menubar.SubTrigger className="menu-item">
        <span className="menu-title">Columns</span>
        <span className="menu-keys">
          <ChevronRight size={14} aria-hidden />
        </span>
      </Menubar.SubTrigger>
      <Menubar.Portal>
        <Menubar.SubContent className="menu-content" sideOffset={2}>
          <ColumnChecks item={Menubar.CheckboxItem} isSharded={isSharded} />
        </Menubar.SubContent>
      </Menubar.Portal>
    </Menubar.Sub>
  );
};
