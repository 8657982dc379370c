import { Check, ChevronRight } from 'lucide-react';
import { Menubar } from 'radix-ui';
import type { JSX } from 'react';
import { useActiveSession } from '../../state/context.tsx';
import { usePreferences } from '../../state/preferences.ts';
import { isColumnShown, TENSOR_COLUMNS } from '../table/tensor-columns.tsx';

/** *Columns*: which columns the table shows. */
export const ColumnsMenu = (): JSX.Element => {
  const columns = usePreferences((state) => state.columns);
  const session = useActiveSession();
  const isSharded = (session?.getState().summary.shards.length ?? 0) > 0;
  const set = usePreferences((state) => state.set);
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
          {TENSOR_COLUMNS.filter(({ canHide }) => canHide).map((column) => {
            const shown = isColumnShown(column, columns, isSharded);
            return (
              <Menubar.CheckboxItem
                key={column.id}
                className="menu-item"
                checked={shown}
                onSelect={(event) => event.preventDefault()}
                onCheckedChange={(checked) => set({ columns: { ...columns, [column.id]: checked } })}
              >
                <span className="menu-mark">{shown ? <Check size={14} aria-hidden /> : null}</span>
                <span className="menu-title">{column.title}</span>
              </Menubar.CheckboxItem>
            );
          })}
        </Menubar.SubContent>
      </Menubar.Portal>
    </Menubar.Sub>
  );
};
