/** What was dropped: files, and the names of folders, which a page gets no access to. */
export interface Dropped {
  readonly files: readonly File[];
  readonly folders: readonly string[];
}

/** One dropped thing as far as splitting needs it; DataTransferItem is one. */
export interface DroppedItem {
  readonly kind: string;
  getAsFile(): File | null;
  webkitGetAsEntry(): { readonly isDirectory: boolean } | null;
}

/** Tells dropped files from folders. A page is handed folders as if they were files, which then cannot be read. */
export const splitDrop = (items: Iterable<DroppedItem>): Dropped => {
  const files: File[] = [];
  const folders: string[] = [];
  for (const item of items) {
    const file = item.kind === 'file' ? item.getAsFile() : null;
    if (file !== null && item.webkitGetAsEntry()?.isDirectory === true) {
      folders.push(file.name);
    } else if (file !== null) {
      files.push(file);
    }
  }
  return { files, folders };
};
