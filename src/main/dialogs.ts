import { type BaseWindow, dialog, type FileFilter } from 'electron';

const OPEN_FILTERS: FileFilter[] = [
  {
    name: 'Model weights',
    extensions: ['safetensors', 'json', 'pt', 'pth', 'bin', 'ckpt', 'gguf', 'npy', 'npz'],
  },
  { name: 'All files', extensions: ['*'] },
];

/** Asks for a file to open; undefined when the dialog was dismissed. */
export const chooseFile = async (window: BaseWindow): Promise<string | undefined> => {
  const { canceled, filePaths } = await dialog.showOpenDialog(window, {
    properties: ['openFile'],
    filters: OPEN_FILTERS,
  });
  return canceled ? undefined : filePaths[0];
};

/** Asks for a folder to open or to write into; undefined when the dialog was dismissed. */
export const chooseFolder = async (window: BaseWindow, purpose: 'open' | 'write'): Promise<string | undefined> => {
  const { canceled, filePaths } = await dialog.showOpenDialog(
    window,
    purpose === 'open'
      ? { properties: ['openDirectory'] }
      : { properties: ['openDirectory', 'createDirectory', 'promptToCreate'], buttonLabel: 'Choose' },
  );
  return canceled ? undefined : filePaths[0];
};

/** The last name of what a page suggests, so that it cannot lead the dialog into another folder. */
const lastName = (suggested: string): string => suggested.split(/[/\\]/).at(-1) ?? '';

/** Asks where to save; the system's dialog asks about overwriting. Undefined when it was dismissed. */
export const chooseSavePath = async (window: BaseWindow, suggested: string): Promise<string | undefined> => {
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    defaultPath: lastName(suggested),
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  });
  return canceled || filePath === '' ? undefined : filePath;
};
