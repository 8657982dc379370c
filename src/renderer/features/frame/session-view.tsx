import { type JSX, type ReactNode, useEffect, useRef } from 'react';
import { Group, type Layout, Panel, type PanelImperativeHandle, Separator } from 'react-resizable-panels';
import { type PanelName, usePreferences } from '../../state/preferences.ts';
import { BottomPanel } from '../bottom/bottom-panel.tsx';
import { DetailsPanel } from '../details/details-panel.tsx';
import { HeaderStrip } from '../header/header-strip.tsx';
import { StatusBar } from '../status/status-bar.tsx';
import { TablePanel } from '../table/table-panel.tsx';
import { TreePanel } from '../tree/tree-panel.tsx';
import './frame.css';

const LAYOUT_KEY = 'loupe-layout-';

const isLayout = (value: unknown): value is Layout =>
  typeof value === 'object' && value !== null && Object.values(value).every((size) => typeof size === 'number');

const savedLayout = (group: string): Layout | undefined => {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(LAYOUT_KEY + group) ?? 'null');
    return isLayout(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const saveLayout = (group: string, layout: Layout): void =>
  localStorage.setItem(LAYOUT_KEY + group, JSON.stringify(layout));

/** Panels side by side or one above the other, whose sizes are remembered. */
const SavedGroup = ({
  id,
  orientation,
  children,
}: {
  readonly id: string;
  readonly orientation: 'horizontal' | 'vertical';
  readonly children: ReactNode;
}): JSX.Element => (
  <Group
    id={id}
    orientation={orientation}
    className="frame"
    disableCursor
    defaultLayout={savedLayout(id)}
    onLayoutChanged={(layout) => saveLayout(id, layout)}
  >
    {children}
  </Group>
);

/** A panel that collapses and expands with its preference, and the preference with it. Closed, it shows nothing. */
const OptionalPanel = ({
  name,
  size,
  minSize,
  children,
}: {
  readonly name: PanelName;
  readonly size: string;
  readonly minSize: number;
  readonly children: ReactNode;
}): JSX.Element => {
  const panel = useRef<PanelImperativeHandle>(null);
  const isOpen = usePreferences((state) => state.panels[name]);
  useEffect(() => {
    if (isOpen) {
      panel.current?.expand();
    } else {
      panel.current?.collapse();
    }
  }, [isOpen]);
  const onResize = (): void => {
    const handle = panel.current;
    const { panels, togglePanel } = usePreferences.getState();
    if (handle !== null && handle.isCollapsed() === panels[name]) {
      togglePanel(name, !panels[name]);
    }
  };
  return (
    <Panel id={name} panelRef={panel} collapsible defaultSize={size} minSize={minSize} onResize={onResize}>
      {isOpen ? children : null}
    </Panel>
  );
};

/** One opened checkpoint: header strip, tree, table, details, bottom panel, status bar. */
export const SessionView = (): JSX.Element => (
  <>
    <HeaderStrip />
    <SavedGroup id="rows" orientation="vertical">
      <Panel id="upper" minSize={180}>
        <SavedGroup id="columns" orientation="horizontal">
          <OptionalPanel name="tree" size="19.4%" minSize={140}>
            <TreePanel />
          </OptionalPanel>
          <Separator className="splitter vertical" aria-label="Resize the tree" />
          <Panel id="table" minSize={240}>
            <TablePanel />
          </Panel>
          <Separator className="splitter vertical" aria-label="Resize the details" />
          <OptionalPanel name="details" size="26.3%" minSize={220}>
            <DetailsPanel />
          </OptionalPanel>
        </SavedGroup>
      </Panel>
      <Separator className="splitter horizontal" aria-label="Resize the bottom panel" />
      <OptionalPanel name="bottom" size="20%" minSize={84}>
        <BottomPanel />
      </OptionalPanel>
    </SavedGroup>
    <StatusBar />
  </>
);
