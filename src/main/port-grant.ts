import { type IpcMainEvent, MessageChannelMain, type WebContents, type WebFrameMain } from 'electron';
import type { Wire } from '../rpc/wire.ts';
import { portWire } from '../rpc/wires.ts';
import { PORT_MESSAGE } from '../shared/port-names.ts';
import { isPageUrl } from './page-address.ts';

/**
 * The frame a request came from, if it is the main frame of `contents` and shows our page; undefined for every other
 * sender: subframes, other windows, frames that have navigated away.
 */
export const ownMainFrame = (event: IpcMainEvent, contents: WebContents, page: string): WebFrameMain | undefined => {
  const frame = event.senderFrame;
  const isOwn =
    frame !== null &&
    event.sender === contents &&
    frame.parent === null &&
    frame.frameTreeNodeId === contents.mainFrame.frameTreeNodeId &&
    isPageUrl(frame.url, page);
  return isOwn ? frame : undefined;
};

/**
 * Gives a frame one end of a new channel; `join` gets the other one as a wire, before any message can arrive. Frames are sent
 * as they are, without a transfer list: Electron loses buffers transferred to or from the main process (electron#34905).
 */
export const grantPort = (frame: WebFrameMain, join: (wire: Wire) => void): void => {
  const { port1, port2 } = new MessageChannelMain();
  const { wire, receive, closed } = portWire(port1);
  port1.on('message', ({ data }) => receive(data));
  port1.on('close', closed);
  join(wire);
  port1.start();
  frame.postMessage(PORT_MESSAGE, null, [port2]);
};
