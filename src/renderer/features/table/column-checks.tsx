import { Check } from 'lucide-react';
import type { DropdownMenu, Menubar } from 'radix-ui';
import type { JSX } from 'react';
import { usePreferences } from '../../state/preferences.ts';
import { isColumnShown, TENSOR_COLUMNS } from './tensor-columns.tsx';

/** The columns that can be hidden, to be ticked in either kind of menu, which stays open. */
export const ColumnChecks = ({
  item: Item,
  isSharded,
}: {
  readonly item: typeof DropdownMenu.CheckboxItem | typeof Menubar.CheckboxItem;
  readonly isSharded: boolean;
}): JSX.Element => {
  const columns = usePreferences((state) => state.columns);
  const set = usePreferences((state) => state.set);
  return (
    <>
      {TENSOR_COLUMNS.filter(({ canHide }) => canHide).map((column) => {
        const shown = isColumnShown(column, columns, isSharded);
        return (
          <Item
            key={column.id}
            className="menu-item"
            checked={shown}
            onSelect={(event) => event.preventDefault()}
            onCheckedChange={(checked) => set({ columns: { ...columns, [column.id]: checked } })}
          >
            <span className="menu-mark">{shown ? <Check size={14} aria-hidden /> : null}</span>
            <span className="menu-title">{column.title}</span>
          </Item>
        );
      })}
    </>
  );
};
