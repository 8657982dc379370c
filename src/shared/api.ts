import { z } from 'zod';
import {
  type CheckpointSummary,
  EXPORT_FORMATS,
  type Histogram,
  type TensorRow,
  type TensorStats,
  type ValueWindow,
  type WrittenFile,
} from './checkpoint-types.ts';
import type { Finding, FindingCounts, Verdict } from './findings.ts';
import {
  PICKLE_GRADES,
  type PickleEventRow,
  type PickleGrade,
  type PickleOverview,
  type ValueRow,
  type ValueText,
} from './pickle-types.ts';

/** Most rows, findings or values one call returns, so that no message blocks either side for long. */
export const PAGE_LIMIT = 20_000;

/** Most rows of one call whose texts are made when they are asked for: events and values of pickles. */
export const TEXT_PAGE_LIMIT = 1000;

/** Most UTF-16 units of one value's text. */
export const TEXT_LIMIT = 200_000;

const sessionId = z.int().nonnegative();
const tensor = { sessionId, tensorId: z.int().nonnegative() };
const page = { sessionId, start: z.int().nonnegative(), count: z.int().nonnegative().max(PAGE_LIMIT) };
const textPage = { sessionId, start: page.start, count: z.int().nonnegative().max(TEXT_PAGE_LIMIT) };
const grades = z.array(z.enum(PICKLE_GRADES)).max(PICKLE_GRADES.length);
/** A value by its tree and the child indices that lead to it from the root. */
const value = { tree: z.int().nonnegative(), at: z.array(z.int().nonnegative()).max(1000) };
const path = z.string().min(1).max(65_536);
const glob = z.string().max(10_000);
const globs = z.array(glob).max(1000);
const exportOptions = {
  format: z.enum(EXPORT_FORMATS),
  /** `native` keeps the tensor's dtype (npy and safetensors); `f32` widens or narrows to float32. */
  dtype: z.enum(['native', 'f32']).optional(),
  /** As on the command line: `0,:,::2`. */
  slice: z.string().max(10_000).optional(),
};

/** One parser a method; this table is also the list of methods a wire may call. */
export const METHODS = {
  open: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('path'), path }),
    z.strictObject({ kind: z.literal('sample') }),
    z.strictObject({
      kind: z.literal('page-file'),
      /** The page's own number for the file; it is given back in `readPageFile`. */
      fileId: z.int().nonnegative(),
      name: z.string().max(4096),
      size: z.int().nonnegative(),
    }),
  ]),
  close: z.strictObject({ sessionId }),
  tensors: z.strictObject(page),
  findings: z.strictObject(page),
  pickles: z.strictObject({ sessionId }),
  pickleEvents: z.strictObject({ ...textPage, grades }),
  findPickleEvent: z.strictObject({
    sessionId,
    pickle: z.int().nonnegative(),
    byte: z.int().nonnegative(),
    grades,
  }),
  valueChildren: z.strictObject({ ...textPage, ...value }),
  valueText: z.strictObject({ sessionId, ...value }),
  stats: z.strictObject({ ...tensor, bins: z.int().min(1).max(65_536).optional() }),
  scanAll: z.strictObject({ sessionId }),
  histogram: z.strictObject({
    ...tensor,
    bins: z.int().min(1).max(65_536),
    /** Inclusive range; leave out for [min, max]. */
    low: z.number().optional(),
    high: z.number().optional(),
  }),
  values: z.strictObject({
    ...tensor,
    slice: z.string().max(10_000).optional(),
    /** Most elements to return; a larger window is refused. */
    limit: z.int().min(1).max(PAGE_LIMIT),
  }),
  exportTensor: z.strictObject({ ...tensor, ...exportOptions, path, overwrite: z.boolean().optional() }),
  convert: z.strictObject({
    sessionId,
    /** A file; with `maxShardBytes` a folder. */
    output: path,
    /** Globs over tensor names; everything when left out. */
    include: globs.optional(),
    exclude: globs.optional(),
    maxShardBytes: z.int().positive().optional(),
    /** Metadata to set, besides what is kept. */
    metadata: z
      .array(z.tuple([z.string(), z.string()]))
      .max(10_000)
      .optional(),
    overwrite: z.boolean().optional(),
  }),
  exportMany: z.strictObject({
    sessionId,
    include: glob,
    exclude: globs.optional(),
    folder: path,
    ...exportOptions,
    overwrite: z.boolean().optional(),
  }),
  prepareDownload: z.strictObject({ ...tensor, ...exportOptions }),
  shell: z.strictObject({}),
  recents: z.strictObject({}),
  forgetRecents: z.strictObject({}),
  listFolder: z.strictObject({ path: path.optional() }),
  chooseFile: z.strictObject({}),
  /** `open` for a model's folder, `write` for one to write into. */
  chooseFolder: z.strictObject({ purpose: z.enum(['open', 'write']) }),
  chooseSavePath: z.strictObject({ suggested: z.string().min(1).max(1024) }),
} as const;

export type MethodName = keyof typeof METHODS;
export type Params<M extends MethodName> = z.infer<(typeof METHODS)[M]>;

/** An opened checkpoint, as the service answers it. */
export interface OpenedCheckpoint {
  readonly sessionId: number;
  /** Base name to show on the tab. */
  readonly title: string;
  /** Absolute path on the service's machine; undefined for a file that was dropped on a page. */
  readonly path: string | undefined;
  readonly summary: CheckpointSummary;
}

export interface Page<T> {
  readonly total: number;
  /** Fewer than were asked for where their texts are long, but at least one where there is one. */
  readonly rows: readonly T[];
}

/** A tensor's statistics as the service sends them, with the row they belong to. */
export interface TensorStatsMessage {
  readonly tensorId: number;
  readonly stats: TensorStats;
}

export interface ScanOutcome {
  readonly scanned: number;
  /** Tensors that could not be scanned (unreadable or failed). */
  readonly skipped: number;
}

export interface FolderListing {
  readonly path: string;
  /** Undefined at the top of what may be listed. */
  readonly parent: string | undefined;
  /** Not a folder itself, but the list of those that may be looked into. */
  readonly isTop?: true;
  readonly entries: readonly {
    readonly name: string;
    readonly path: string;
    readonly folder: boolean;
    readonly bytes: number;
    /** Milliseconds since 1970. */
    readonly modified: number;
  }[];
}

export interface RecentFile {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
}

export interface ShellInfo {
  readonly kind: 'electron' | 'browser';
  readonly version: string;
  /** Node's `process.platform` of the service. */
  readonly platform: string;
  /** Files to open at start (command line, file association). */
  readonly launchPaths: readonly string[];
}

/** What each method answers. */
export interface Results {
  open: OpenedCheckpoint;
  close: undefined;
  tensors: Page<TensorRow>;
  findings: Page<Finding>;
  pickles: PickleOverview;
  /** Imports and calls of the given grades, in the order of the pickles and of their bytes. */
  pickleEvents: Page<PickleEventRow>;
  /** The event at a byte, or the last one before it; no index where it is of a grade that was not asked for. */
  findPickleEvent: { readonly index: number | undefined; readonly grade: PickleGrade } | undefined;
  valueChildren: Page<ValueRow>;
  /** At most {@link TEXT_LIMIT} units, from the start. */
  valueText: ValueText;
  stats: TensorStats;
  scanAll: ScanOutcome;
  histogram: Histogram;
  values: ValueWindow;
  exportTensor: WrittenFile;
  convert: {
    readonly written: readonly WrittenFile[];
    /** Path of the index beside several shards. */
    readonly index: string | undefined;
    /** What whoever asked should know, a sentence each. */
    readonly notes: readonly string[];
  };
  exportMany: {
    readonly written: readonly WrittenFile[];
    /** Path of the file that maps file names back to tensors. */
    readonly manifest: string;
    readonly notes: readonly string[];
  };
  /** `url` is relative to the page and good for one download. Browser version only. */
  prepareDownload: { readonly url: string; readonly fileName: string };
  shell: ShellInfo;
  recents: readonly RecentFile[];
  forgetRecents: undefined;
  /** Browser version only. */
  listFolder: FolderListing;
  /** Electron only: the system's open dialog; undefined when dismissed. */
  chooseFile: string | undefined;
  /** Electron only: the system's folder dialog; undefined when dismissed. */
  chooseFolder: string | undefined;
  /** Electron only: the system's save dialog, which asks about overwriting; undefined when dismissed. */
  chooseSavePath: string | undefined;
}

/**
 * Everything a window can ask for. Errors cross as {@link RemoteError} codes; aborting `signal` cancels the work.
 */
export type InspectorApi = {
  readonly [M in MethodName]: (params: Params<M>, signal?: AbortSignal) => Promise<Results[M]>;
};

/** Commands a native menu can send to the window; the page's own menu and palette use the same names. */
export const MENU_COMMANDS = [
  'open',
  'open-folder',
  'open-sample',
  'export-f32',
  'close-tab',
  'copy-name',
  'copy-json',
  'copy-command',
  'find',
  'scan-all',
  'next-finding',
  'toggle-tree',
  'toggle-details',
  'toggle-bottom',
  'theme-system',
  'theme-light',
  'theme-dark',
  'shortcuts',
  'about',
  'export',
  'export-matching',
  'convert',
  'copy-names',
  'copy-tsv',
  'palette',
  'cancel-scan',
] as const;
export type MenuCommand = (typeof MENU_COMMANDS)[number];

/** What the service tells a window unasked. */
export interface Events {
  scanProgress: {
    readonly sessionId: number;
    readonly bytesDone: number;
    readonly bytesTotal: number;
    readonly bytesPerSecond: number;
    readonly tensorsDone: number;
    readonly tensorsTotal: number;
  };
  tensorStats: { readonly sessionId: number; readonly results: readonly TensorStatsMessage[] };
  /** Findings were added (by a scan, or because the file changed): fetch them again. */
  findingsChanged: {
    readonly sessionId: number;
    readonly findings: FindingCounts;
    readonly verdict: Verdict;
    readonly sentence: string;
  };
  exportProgress: {
    readonly sessionId: number;
    readonly tensorId: number;
    readonly bytesDone: number;
    readonly bytesTotal: number;
  };
  /** Of `convert` and `exportMany`. */
  writeProgress: { readonly sessionId: number; readonly bytesDone: number; readonly bytesTotal: number };
  /** Files to open: a second launch, a file association, a native drop. */
  openPaths: { readonly paths: readonly string[] };
  menuCommand: { readonly command: MenuCommand };
}
export type EventName = keyof Events;

/** What a page answers to its service: ranges of the files that were dropped on it. Never more than asked for. */
export const PAGE_METHODS = {
  readPageFile: z.strictObject({
    fileId: z.int().nonnegative(),
    offset: z.int().nonnegative(),
    length: z.int().nonnegative(),
  }),
} as const;
export interface PageApi {
  /** Exactly `length` bytes at `offset`. @throws when the file is gone, changed or shorter. */
  readPageFile(params: z.infer<(typeof PAGE_METHODS)['readPageFile']>, signal?: AbortSignal): Promise<Uint8Array>;
}

/** How a service reaches the window it works for. */
export interface InspectorPeer {
  readonly page: PageApi;
  /** Tells the window something; does nothing once it is gone. */
  emit<E extends EventName>(event: E, payload: Events[E]): void;
}
