/**
 * A message of a port on its way between the test's process and a page, as JSON. Ports of this program carry bytes and, to say
 * that they close, null.
 */
export interface PortMessage {
  readonly port: number;
  /** Base64; null when the message is null. */
  readonly bytes: string | null;
}

/**
 * Encodes a message.
 *
 * @throws TypeError for what this program never sends.
 */
export const encodeMessage = (port: number, data: unknown): PortMessage => {
  if (data === null) {
    return { port, bytes: null };
  }
  if (data instanceof Uint8Array) {
    return { port, bytes: Buffer.from(data).toString('base64') };
  }
  throw new TypeError(`ports carry bytes or null here, not ${typeof data}`);
};

/** The message's data, as the other side sent it. */
export const decodeMessage = ({ bytes }: PortMessage): Uint8Array | null =>
  bytes === null ? null : new Uint8Array(Buffer.from(bytes, 'base64'));
