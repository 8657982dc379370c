import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';
import { StandInApp } from './app.ts';
import { browserWindowClass, type WindowList } from './browser-window.ts';
import { StandInDialog } from './dialog.ts';
import { StandInMenu } from './menu.ts';
import { MessageChannelMain } from './message-channel.ts';
import { StandInProtocol } from './protocol.ts';
import { createReadiness } from './readiness.ts';
import { StandInSession } from './session.ts';
import type { OpenView } from './view.ts';
import { StandInContents, StandInFrame } from './web-contents.ts';

/**
 * A stand-in for the module `electron`, as far as src/main uses it, for tests under Node. Each part is typed by Electron's own
 * definitions and does what its documentation says. With `openView` its windows show pages; what only a real Electron can show
 * (native windows, processes, the sandbox) is not pretended: test/electron-real has that.
 */
export const createStandIn = (openView?: OpenView) => {
  const readiness = createReadiness();
  const list: WindowList = { all: [], focused: null };
  const app = new StandInApp(readiness, list);
  const session = { defaultSession: new StandInSession() };
  const protocol = new StandInProtocol(readiness);
  const ipcMain = new EventEmitter();
  let lastFrame = 0;
  const nextFrameId = (): number => {
    lastFrame += 1;
    return lastFrame;
  };
  return {
    app,
    ipcMain,
    protocol,
    session,
    MessageChannelMain,
    BrowserWindow: browserWindowClass({ app, list, readiness, nextFrameId, openView }),
    Menu: new StandInMenu({
      quit: () => app.quit(),
      close: () => (list.focused ?? list.all.at(-1))?.close(),
    }),
    dialog: new StandInDialog(),
    shell: {
      opened: [] as string[],
      openExternal(url: string): Promise<void> {
        this.opened.push(url);
        return Promise.resolve();
      },
    },
    screen: {
      getAllDisplays: (): Pick<Electron.Display, 'workArea'>[] => {
        readiness.after("The 'screen' module can't be used");
        return [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }];
      },
    },
    nativeTheme: { shouldUseDarkColors: false },
    /** Makes frames and contents that belong to no window, for tests of who is refused. */
    strangers: {
      frame: (url: string, parent: StandInFrame | null = null) => new StandInFrame(nextFrameId(), url, parent),
      contents: () => new StandInContents(nextFrameId()),
    },
  };
};

/** What {@link createStandIn} makes. */
export type StandIn = ReturnType<typeof createStandIn>;
