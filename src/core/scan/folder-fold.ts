import type { TensorStats } from '../../shared/checkpoint-types.ts';
import type { DistributionData } from '../distribution/distribution.ts';
import { MergedDistribution } from '../distribution/merged-distribution.ts';
import type { DtypeInfo } from '../dtypes/dtype-table.ts';
import type { FolderTree } from './folder-tree.ts';

/** The numbers of all tensors in a folder and the folders below it. */
export interface FolderStats {
  /** Its place among {@link FolderTree.paths}. */
  readonly folder: number;
  /** Dotted path; undefined for the whole model. */
  readonly path: string | undefined;
  /** Tensors whose numbers are in it. */
  readonly tensors: number;
  /** Tensors in it that could not be scanned, so that its figures are not those of the whole folder. */
  readonly unread: number;
  /** Over all real and complex floats; undefined when it holds none. Integers are counters, masks and codes, and apart. */
  readonly floats: TensorStats | undefined;
  /** Over all integers and booleans. */
  readonly integers: TensorStats | undefined;
}

/** Whether a dtype's numbers are floats, in which weights are kept. */
export const isFloatDtype = ({ kind }: DtypeInfo): boolean => kind === 'float' || kind === 'complex';

/**
 * Folds tensors' distributions up into their folders. Each folder is summed up as soon as its last tensor is there, and what
 * it held goes into the folder around it, so that in a scan by {@link folderOrder} few folders are open at a time. The order
 * of tensors changes no result, to the last bit.
 */
export class FolderFold {
  readonly #tree: FolderTree;
  readonly #bins: number;
  readonly #onFolder: (stats: FolderStats) => void;
  readonly #pending: Uint32Array;
  readonly #unread: Uint32Array;
  readonly #held = new Map<number, MergedDistribution>();

  constructor(tree: FolderTree, bins: number, onFolder: (stats: FolderStats) => void) {
    this.#tree = tree;
    this.#bins = bins;
    this.#onFolder = onFolder;
    this.#pending = tree.children.slice();
    this.#unread = new Uint32Array(tree.paths.length);
  }

  /** A tensor has been scanned. Each is to be added or skipped, once. */
  add(tensorId: number, data: DistributionData): void {
    const folder = this.#tree.folderOf[tensorId] ?? 0;
    this.#holder(folder).add(data);
    this.#childDone(folder);
  }

  /** A tensor was not scanned and will not be. */
  skip(tensorId: number): void {
    const folder = this.#tree.folderOf[tensorId] ?? 0;
    this.#unread[folder] = (this.#unread[folder] ?? 0) + 1;
    this.#childDone(folder);
  }

  #holder(folder: number): MergedDistribution {
    const held = this.#held.get(folder) ?? new MergedDistribution();
    this.#held.set(folder, held);
    return held;
  }

  #childDone(innermost: number): void {
    for (let folder = innermost; folder >= 0; ) {
      const left = (this.#pending[folder] ?? 0) - 1;
      this.#pending[folder] = left;
      if (left > 0) {
        return;
      }
      const held = this.#holder(folder);
      const unread = this.#unread[folder] ?? 0;
      // A file may hold a folder without a name, which is not the whole.
      const path = folder === 0 ? undefined : this.#tree.paths[folder];
      const name = path ?? '';
      this.#onFolder({
        folder,
        path,
        tensors: held.tensors(),
        unread,
        floats: held.summarise(name, this.#bins, isFloatDtype),
        integers: held.summarise(name, this.#bins, (info) => !isFloatDtype(info)),
      });
      const parent = this.#tree.parents[folder] ?? -1;
      if (parent >= 0) {
        this.#holder(parent).merge(held);
        this.#unread[parent] = (this.#unread[parent] ?? 0) + unread;
      }
      this.#held.delete(folder);
      folder = parent;
    }
  }
}
