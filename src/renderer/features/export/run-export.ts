import type { Params } from '../../../shared/api.ts';
import type { ExportFormat, TensorRow } from '../../../shared/checkpoint-types.ts';
import { formatBytes } from '../../../shared/format-number.ts';
import { isCancelled } from '../../state/failure.ts';
import type { SessionStore } from '../../state/session.ts';
import type { Workspace } from '../../state/workspace.ts';

/** What to write of a tensor. */
export type ExportOptions = Omit<Params<'prepareDownload'>, 'sessionId' | 'tensorId'>;

/** File name endings, by format. */
export const EXTENSIONS: Readonly<Record<ExportFormat, string>> = {
  f32: '.f32',
  raw: '.bin',
  npy: '.npy',
  csv: '.csv',
  safetensors: '.safetensors',
};

/** A file name for a tensor's export that every system accepts. */
export const suggestedName = (name: string, format: ExportFormat): string => {
  const plain = name.replace(/[^\w.-]+/g, '_').slice(0, 120);
  return `${plain === '' || plain.startsWith('.') ? `tensor${plain}` : plain}${EXTENSIONS[format]}`;
};

const exportToPath = async (
  workspace: Workspace,
  session: SessionStore,
  row: TensorRow,
  options: ExportOptions,
): Promise<void> => {
  const { api, on } = workspace.client();
  const path = await api.chooseSavePath({ suggested: suggestedName(row.name, options.format) });
  if (path === undefined) {
    return;
  }
  const { sessionId } = session.getState();
  const controller = new AbortController();
  const toast = workspace.toasts.progress('Exporting', () => controller.abort());
  const stopListening = on('exportProgress', (progress) => {
    if (progress.sessionId === sessionId && progress.tensorId === row.id) {
      const { bytesDone, bytesTotal } = progress;
      toast.update(
        bytesTotal === 0 ? 1 : bytesDone / bytesTotal,
        `${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`,
      );
    }
  });
  try {
    // The save dialog has already asked whether to replace an existing file.
    const written = await api.exportTensor(
      { sessionId, tensorId: row.id, path, overwrite: true, ...options },
      controller.signal,
    );
    workspace.toasts.done('Exported', `${formatBytes(written.bytes)} to ${written.path}`);
  } finally {
    stopListening();
    toast.end();
  }
};

const exportAsDownload = async (
  workspace: Workspace,
  session: SessionStore,
  row: TensorRow,
  options: ExportOptions,
): Promise<void> => {
  const { sessionId } = session.getState();
  const { url, fileName } = await workspace.client().api.prepareDownload({ sessionId, tensorId: row.id, ...options });
  const link = document.createElement('a');
  // The URL comes from the service, but only an address of this very server is followed.
  const target = new URL(url, location.href);
  if (target.origin !== location.origin) {
    throw new Error('the service answered with an address elsewhere');
  }
  link.href = target.href;
  link.download = fileName;
  link.click();
  workspace.toasts.done('Download started', fileName);
};

/** Exports a tensor: asks for a path under Electron, downloads in the browser version. Failures are shown. */
export const runExport = async (
  workspace: Workspace,
  session: SessionStore,
  row: TensorRow,
  options: ExportOptions,
): Promise<void> => {
  const isElectron = workspace.store.getState().shell?.kind === 'electron';
  try {
    await (isElectron ? exportToPath : exportAsDownload)(workspace, session, row, options);
  } catch (error) {
    if (isCancelled(error)) {
      workspace.toasts.info('Export cancelled', 'No file was written.');
    } else {
      workspace.toasts.fail('Export failed', error);
    }
  }
};

/** *Export Tensor as f32*: the whole tensor, raw little-endian float32. */
export const exportQuickly = (workspace: Workspace, session: SessionStore, row: TensorRow): void => {
  void runExport(workspace, session, row, { format: 'f32' });
};
