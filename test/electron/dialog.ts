import type * as Electron from 'electron';

/** The dialogs: `open`, `save` and `button` are what the next ones are answered with, `shown` what was shown. */
export class StandInDialog {
  readonly shown: { readonly kind: string; readonly options: unknown }[] = [];
  open: Electron.OpenDialogReturnValue = { canceled: true, filePaths: [] };
  save: Electron.SaveDialogReturnValue = { canceled: true, filePath: '' };
  button = 0;

  async showOpenDialog(_window: unknown, options: Electron.OpenDialogOptions): Promise<Electron.OpenDialogReturnValue> {
    this.shown.push({ kind: 'open', options });
    return this.open;
  }

  async showSaveDialog(_window: unknown, options: Electron.SaveDialogOptions): Promise<Electron.SaveDialogReturnValue> {
    this.shown.push({ kind: 'save', options });
    return this.save;
  }

  async showMessageBox(_window: unknown, options: Electron.MessageBoxOptions): Promise<Electron.MessageBoxReturnValue> {
    this.shown.push({ kind: 'message', options });
    return { response: this.button, checkboxChecked: false };
  }

  showErrorBox(title: string, content: string): void {
    this.shown.push({ kind: 'error', options: { title, content } });
  }
}
