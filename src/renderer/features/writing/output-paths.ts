/** Whether a path is written the Windows way. */
const isWindows = (path: string): boolean => path.includes('\\') && !path.startsWith('/');

const lastSeparator = (path: string): number =>
  Math.max(path.lastIndexOf('/'), isWindows(path) ? path.lastIndexOf('\\') : -1);

/** The folder a path lies in; empty when it names none. A root is its own folder. */
export const folderOf = (path: string): string => {
  const cut = lastSeparator(path);
  return cut < 0 ? '' : path.slice(0, Math.max(cut, path.startsWith('/') ? 1 : 0));
};

/** The last part of a path. */
export const baseName = (path: string): string => path.slice(lastSeparator(path) + 1);

/** A name inside a folder, with the folder's own separator. */
export const joinPath = (folder: string, name: string): string => {
  const separator = isWindows(folder) ? '\\' : '/';
  return folder.endsWith(separator) ? folder + name : folder + separator + name;
};

/** Where something that is made out of a checkpoint could go. */
export type OutputKind = 'file' | 'shards' | 'tensors';

const ENDINGS: Readonly<Record<OutputKind, string>> = {
  file: '-converted.safetensors',
  shards: '-converted',
  tensors: '-tensors',
};

/**
 * A place for an output beside the checkpoint: `m-converted.safetensors` beside the file `m.safetensors`; of a sharded model
 * beside its folder, since files among the shards would be taken for more of them. Empty when the checkpoint has no path.
 *
 * @param path of the file, or of any shard.
 */
export const suggestedOutput = (path: string | undefined, isSharded: boolean, kind: OutputKind): string => {
  if (path === undefined) {
    return '';
  }
  const model = isSharded ? folderOf(path) : path;
  const stem = isSharded ? baseName(model) : baseName(model).replace(/\.(safetensors|sft|pt|pth|bin|ckpt)$/i, '');
  const folder = folderOf(model);
  return folder === '' || stem === '' ? '' : joinPath(folder, stem + ENDINGS[kind]);
};
