import { firstInvalidUtf8, utf8Text } from '../bytes/utf8.ts';

/** Device names that Windows takes for devices whatever follows the dot. */
const DEVICES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;
/** File systems allow 255 bytes; room is left for an extension and a number. */
const LONGEST = 200;

const encoder = new TextEncoder();

const percent = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/** FNV-1a, 32 bits: tells shortened names apart, nothing more. */
const shortHash = (text: string): string => {
  let hash = 0x811c9dc5;
  for (const byte of encoder.encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, '0');
};

/**
 * A file name (without extension) for a tensor's name, the same on every system: ASCII letters, digits and `._-` stay,
 * every other byte of its UTF-8 becomes `%XX`, so decoding percent signs gives the name back. It never begins or ends
 * with a dot, is never a device name and never empty; one too long is cut and gets a hash (a manifest tells the whole).
 */
export const safeFileName = (name: string): string => {
  const kept = Array.from(encoder.encode(name), (byte) => {
    const letter = String.fromCharCode(byte);
    return /[A-Za-z0-9._-]/.test(letter) ? letter : percent(byte);
  }).join('');
  const guarded = kept
    .replace(/^[.-]/, (first) => percent(first.charCodeAt(0)))
    .replace(/\.$/, percent(0x2e))
    .replace(DEVICES, (device) => percent(device.charCodeAt(0)) + device.slice(1));
  if (guarded === '') {
    return '%';
  }
  return guarded.length <= LONGEST
    ? guarded
    : `${guarded.slice(0, LONGEST - 9).replace(/%.?$/, '')}~${shortHash(name)}`;
};

/**
 * The tensor's name behind a file name that {@link safeFileName} or {@link UniqueFileNames} made, without its extension;
 * undefined for one that was cut, whose whole name only the manifest knows, and for a name that is none of ours.
 */
export const nameOfFile = (fileName: string): string | undefined => {
  const [, kept = '', added = ''] = /^([^~]*)(~.*)?$/.exec(fileName) ?? [];
  const isNumber = /^(~\d{1,7})?$/.test(added);
  if (!isNumber || !/^(%[0-9A-F]{2}|[A-Za-z0-9._-])+$|^%$/.test(kept)) {
    return undefined;
  }
  if (kept === '%') {
    return '';
  }
  const bytes = kept.replace(/%[0-9A-F]{2}|[^%]/g, (part) =>
    part.length === 1 ? part.charCodeAt(0).toString(16).padStart(2, '0') : part.slice(1),
  );
  const octets = Uint8Array.from(bytes.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return firstInvalidUtf8(octets) === undefined ? utf8Text(octets, 0, octets.length) : undefined;
};

/** Gives names that no two tensors share, also on disks that ignore case: a clash gets `~2`, `~3`, … */
export class UniqueFileNames {
  readonly #taken = new Set<string>();
  /** The number last given to a name, so that thousands of clashes are no search each. */
  readonly #lastNumber = new Map<string, number>();

  take(name: string): string {
    const base = safeFileName(name);
    const key = base.toLowerCase();
    let chosen = base;
    let number = this.#lastNumber.get(key) ?? 1;
    while (this.#taken.has(chosen.toLowerCase())) {
      number += 1;
      chosen = `${base}~${number}`;
    }
    this.#lastNumber.set(key, number);
    this.#taken.add(chosen.toLowerCase());
    return chosen;
  }
}
