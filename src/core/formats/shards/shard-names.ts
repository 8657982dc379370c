/** Device names that Windows takes for devices whatever follows the dot. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;
/** Longest name of a file on the file systems in use, in UTF-16 units (UTF-8 bytes are counted by the system itself). */
const LONGEST_COMPONENT = 255;

const componentProblem = (part: string): string | undefined => {
  if (part === '' || part === '.' || part === '..') {
    return "it does not name a file below the model's folder";
  }
  if (part.length > LONGEST_COMPONENT) {
    return 'it is longer than a file name can be';
  }
  if (/[. ]$/.test(part)) {
    return 'it ends with a dot or a space, which Windows drops';
  }
  return DEVICE.test(part) ? 'it names a device' : undefined;
};

/**
 * Why a shard name out of an index must not be followed, or undefined when it is a plain relative name below the model's
 * folder. Judged by its text alone and by the rules of every system at once, so that a hostile name is never even looked up:
 * no drive, server, URL, stream or device, no backslash, no control character, no way up (FORMATS.md 1.9).
 *
 * @param extension what the index's own name promises, without the dot.
 */
export const shardNameProblem = (name: string, extension: string): string | undefined => {
  if (/[\u0000-\u001f\u007f]/.test(name)) {
    return 'it holds a control character';
  }
  if (/[\\:]/.test(name)) {
    return 'it holds a backslash or a colon: a drive, a server, a stream or a URL';
  }
  const problem = name
    .split('/')
    .map(componentProblem)
    .find((found) => found !== undefined);
  if (problem !== undefined) {
    return problem;
  }
  return name.toLowerCase().endsWith(`.${extension}`) ? undefined : `it does not end with ".${extension}"`;
};

/** A file name of the form `model-00001-of-00003.safetensors`: shard 1 of 3 of the set `model`. */
export interface NumberedShard {
  /** What the names of the set have in common before the number, such as `model` or `model.fp16`. */
  readonly stem: string;
  readonly number: number;
  readonly total: number;
  readonly extension: string;
  /** Spells the name of another shard of the set. */
  readonly nameOf: (number: number) => string;
}

/** Numbers as the hubs' own tools accept them: 5 or 6 digits after `-` or `_` (FORMATS.md 1.9). */
const NUMBERED = /^(.+)([-_])(\d{5,6})-of-(\d{5,6})\.([A-Za-z0-9]+)$/;

/** Reads a numbered shard's name; undefined when it is none, or its numbers make no sense. */
export const numberedShard = (name: string): NumberedShard | undefined => {
  const [, stem, separator, number, total, extension] = NUMBERED.exec(name) ?? [];
  if (stem === undefined || number === undefined || total === undefined || extension === undefined) {
    return undefined;
  }
  const own = Number(number);
  const all = Number(total);
  if (own < 1 || own > all) {
    return undefined;
  }
  return {
    stem,
    number: own,
    total: all,
    extension,
    nameOf: (other) => `${stem}${separator}${String(other).padStart(number.length, '0')}-of-${total}.${extension}`,
  };
};

const INDEX = /\.(safetensors|bin|pt|pth)\.index(\.[A-Za-z0-9_-]+)?\.json$/;

/** Extension of the shards that an index of this name lists; undefined when the name is no index's. */
export const indexedExtension = (name: string): string | undefined => INDEX.exec(name)?.[1];
