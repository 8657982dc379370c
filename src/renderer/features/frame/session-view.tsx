import { type JSX, useEffect, useRef } from 'react';
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

/** Collapses and expands a panel with its preference, and the preference with the panel. */
const usePanelPreference = (name: PanelName) => {
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
  return { panel, onResize, isOpen };
};

/** One opened checkpoint: header strip, tree, table, details, bottom panel, status bar. */
export const SessionView = (): JSX.Element => {
  const tree = usePanelPreference('tree');
  const details = usePanelPreference('details');
  const bottom = usePanelPreference('bottom');
  return (
    <>
      <HeaderStrip />
      <Group
        id="rows"
        orientation="vertical"
        className="frame"
        disableCursor
        defaultLayout={savedLayout('rows')}
        onLayoutChanged={(layout) => saveLayout('rows', layout)}
      >
        <Panel id="upper" minSize={180}>
          <Group
            id="columns"
            orientation="horizontal"
            className="frame"
            disableCursor
            defaultLayout={savedLayout('columns')}
            onLayoutChanged={(layout) => saveLayout('columns', layout)}
          >
            <Panel
              id="tree"
              panelRef={tree.panel}
              collapsible
              defaultSize="19.4%"
              minSize={140}
              onResize={tree.onResize}
            >
              {tree.isOpen ? <TreePanel /> : null}
            </Panel>
            <Separator className="splitter vertical" aria-label="Resize the tree" />
            <Panel id="table" minSize={240}>
              <TablePanel />
            </Panel>
            <Separator className="splitter vertical" aria-label="Resize the details" />
            <Panel
              id="details"
              panelRef={details.panel}
              collapsible
              defaultSize="26.3%"
              minSize={220}
              onResize={details.onResize}
            >
              {details.isOpen ? <DetailsPanel /> : null}
            </Panel>
          </Group>
        </Panel>
        <Separator className="splitter horizontal" aria-label="Resize the bottom panel" />
        <Panel
          id="bottom"
          panelRef={bottom.panel}
          collapsible
          defaultSize="20%"
          minSize={84}
          onResize={bottom.onResize}
        >
          {bottom.isOpen ? <BottomPanel /> : null}
        </Panel>
      </Group>
      <StatusBar />
    </>
  );
};
