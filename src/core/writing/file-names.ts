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

/** Gives names that no two tensors share, also on disks that ignore case: a clash gets `~2`, `~3`, … */
export class UniqueFileNames {
  readonly #taken = new Set<string>();

  take(name: string): string {
    const base = safeFileName(name);
    let chosen = base;
    for (let number = 2; this.#taken.has(chosen.toLowerCase()); number += 1) {
      chosen = `${base}~${number}`;
    }
    this.#taken.add(chosen.toLowerCase());
    return chosen;
  }
}
