import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { PORT_MESSAGE, PORT_REQUEST } from '../shared/port-names.ts';

// All the page gets from Electron: that it runs there, the path of a file dropped on it, and one port to the service.
contextBridge.exposeInMainWorld('loupeShell', {
  kind: 'electron',
  pathForFile: (file: File): string => webUtils.getPathForFile(file),
});

ipcRenderer.on(PORT_MESSAGE, (event) => {
  // A port cannot cross the context bridge; a message to the page's own window can carry it.
  window.postMessage(PORT_MESSAGE, '*', event.ports);
});

// By then the page's module has run and listens.
window.addEventListener('load', () => ipcRenderer.send(PORT_REQUEST));
