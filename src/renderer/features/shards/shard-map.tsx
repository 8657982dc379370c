import { useVirtualizer } from '@tanstack/react-virtual';
import { type JSX, useCallback, useMemo, useRef, useState } from 'react';
import { useSession, useSessionStore } from '../../state/context.tsx';
import { nextPlace } from '../table/use-table-keys.ts';
import { shardLines } from './shard-list.ts';
import { LINE, ShardRow, shardElementId } from './shard-row.tsx';
import './shard-map.css';

const placeUnder = (target: EventTarget): number | undefined => {
  const place = target instanceof Element ? target.closest<HTMLElement>('[data-shard]')?.dataset.shard : undefined;
  return place === undefined ? undefined : Number(place);
};

/** Which shard holds what and which is missing. A click, Enter or space narrows the table to a shard, and back. */
export const ShardMap = (): JSX.Element => {
  const session = useSessionStore();
  const shards = useSession((state) => state.summary.shards);
  const chosen = useSession((state) => state.shard?.place);
  const lines = useMemo(() => shardLines(shards), [shards]);
  const [active, setActive] = useState(chosen ?? 0);
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: useCallback(() => scroller.current, []),
    estimateSize: useCallback(() => LINE, []),
    overscan: 6,
  });
  const choose = (place: number): void => {
    const line = lines[place];
    setActive(place);
    if (line !== undefined) {
      const { name, start, end } = line;
      session.setState({ shard: place === chosen ? undefined : { place, name, start, end } });
    }
  };
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Shards"
      tabIndex={0}
      aria-activedescendant={shardElementId(active)}
      className="shard-map"
      data-area-focus
      onClick={(event) => {
        const place = placeUnder(event.target);
        if (place !== undefined) {
          choose(place);
        }
      }}
      onKeyDown={(event) => {
        const next = nextPlace(event.key, active, lines.length, 5);
        if (next !== undefined) {
          event.preventDefault();
          setActive(next);
          virtualizer.scrollToIndex(next, { align: 'auto' });
        } else if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          choose(active);
        }
      }}
    >
      <div className="shard-body" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          return line === undefined ? null : (
            <ShardRow
              key={index}
              line={line}
              place={index}
              top={start}
              active={index === active}
              selected={index === chosen}
            />
          );
        })}
      </div>
    </div>
  );
};
