import './zod-without-eval.ts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Tooltip } from 'radix-ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import 'uplot/dist/uPlot.min.css';
import './theme/tokens.css';
import './theme/base.css';
import { App } from './app.tsx';
import { type ConnectService, makeConnectService } from './connect-service.ts';
import { WorkspaceProvider } from './state/context.tsx';
import { createWorkspace } from './state/workspace.ts';

/** `?mock` or `?mock=LAYERS` shows a synthetic checkpoint; only development and test builds hold it. */
const mockLayers =
  import.meta.env.DEV || import.meta.env.MODE === 'mock' ? new URLSearchParams(location.search).get('mock') : null;

// Called at once: Electron's preload may hand over its port before anything else here has run.
const service: Promise<ConnectService> =
  mockLayers === null
    ? Promise.resolve(makeConnectService())
    : import('./mock/mock-service.ts').then(({ mockConnect }) => mockConnect(Number(mockLayers) || 26));

const start = async (host: HTMLElement): Promise<void> => {
  const workspace = createWorkspace(await service);
  const queries = new QueryClient({
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000 },
    },
  });
  // A new service counts its sessions from the beginning: what was fetched of the old ones must not be taken for theirs.
  workspace.store.subscribe((now, before) => {
    if (now.connection === 'lost' && before.connection !== 'lost') {
      queries.clear();
    }
  });
  createRoot(host).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <WorkspaceProvider workspace={workspace}>
          <Tooltip.Provider delayDuration={500} skipDelayDuration={200}>
            <App />
          </Tooltip.Provider>
        </WorkspaceProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
  await workspace.connect();
};

const host = document.getElementById('root');
if (host !== null) {
  void start(host);
}
