import { app } from 'electron';
import { type Application, createApplication } from './application.ts';
import { createFailureReport, reportFailures } from './failures.ts';
import { hardenApp } from './hardening.ts';
import { launchPaths, sentPaths } from './launch-paths.ts';
import { registerPageScheme } from './page-scheme.ts';

/** Everything that must be in place before Electron is ready, and what follows once it is. */
const start = (paths: readonly string[]): void => {
  const report = createFailureReport();
  reportFailures(report);
  // Whoever passes --no-sandbox (as root nothing starts without it) gets no window from a program that insists on one.
  if (!app.commandLine.hasSwitch('no-sandbox')) {
    app.enableSandbox();
  }
  registerPageScheme();
  hardenApp();

  let application: Application | undefined;
  const waiting = [...paths];
  const open = (more: readonly string[]): void => {
    if (application === undefined) {
      waiting.push(...more);
    } else {
      application.windows.openPaths(more);
    }
  };

  // macOS: a file dropped on the icon or opened by association; may come before Electron is ready.
  app.on('open-file', (event, path) => {
    event.preventDefault();
    open([path]);
  });
  app.on('second-instance', (_event, argv, folder, data) => {
    open(sentPaths(data) ?? launchPaths({ argv, folder, packaged: app.isPackaged }));
  });
  app.on('activate', () => {
    if (application?.windows.count() === 0) {
      application.windows.create([]);
    }
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') {
      app.quit();
    }
  });
  // Work that is called off by leaving (an export's half file) is cleaned up first.
  app.once('will-quit', (event) => {
    if (application !== undefined) {
      event.preventDefault();
      application
        .end()
        .catch(report)
        // Not before Electron has seen the refusal above: while it is still quitting it ignores a further quit, for good.
        .finally(() => setImmediate(() => app.quit()));
    }
  });

  app
    .whenReady()
    .then(() => {
      application = createApplication(report);
      application.windows.create(waiting);
    })
    .catch((error: unknown) => {
      report(error);
      app.exit(1);
    });
};

const paths = launchPaths({ argv: process.argv, folder: process.cwd(), packaged: app.isPackaged });
if (app.requestSingleInstanceLock({ paths })) {
  start(paths);
} else {
  // The instance that runs has been sent the paths and shows them.
  app.quit();
}
