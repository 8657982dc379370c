import { stat } from 'node:fs/promises';
import type { TensorFacts } from '../../core/audit/tensor-facts.ts';
import type { Checkpoint } from '../../core/checkpoint.ts';
import type { DistributionData } from '../../core/distribution/distribution.ts';
import { valueFindings } from '../../core/scan/value-findings.ts';
import type { Events } from '../../shared/api.ts';
import type { TensorStats } from '../../shared/checkpoint-types.ts';
import { type Finding, type FindingCode, finding } from '../../shared/findings.ts';
import { auditFollowUp, type SecondLook } from '../audit/follow-up.ts';
import type { CachedScan } from '../cache/cached-scan.ts';
import type { PathGuard } from '../model/path-guard.ts';
import type { ScanEngine } from '../scan/scan-engine.ts';
import type { FileReference, ScannedTensor } from '../scan/scan-tasks.ts';
import { fileReference } from '../scan/scan-tensors.ts';
import { PickleViews } from './pickle-views.ts';
import { RecentlyUsed } from './recently-used.ts';

/** Distributions kept for re-binning; one of a 16-bit dtype takes up to 0.8 MB. */
const DISTRIBUTIONS_KEPT = 32;

/** One opened checkpoint in the service, with what has been computed of it. */
export class Session {
  readonly id: number;
  readonly checkpoint: Checkpoint;
  readonly title: string;
  /** Absolute path; undefined for a page's file. */
  readonly path: string | undefined;
  /** Milliseconds since 1970. */
  readonly openedAt = Date.now();
  readonly #facts = new Map<number, TensorFacts>();
  #audited = false;
  readonly #distributions = new RecentlyUsed<number, DistributionData>(DISTRIBUTIONS_KEPT);
  readonly #closing = new AbortController();
  #pickles: Promise<PickleViews> | undefined;
  #changed = false;
  #membersChecked = false;
  #membersSound = false;
  #looked: SecondLook = { hashes: new Map(), deadLines: new Map() };
  #looksWhole = false;

  constructor(id: number, checkpoint: Checkpoint, title: string, path: string | undefined) {
    this.id = id;
    this.checkpoint = checkpoint;
    this.title = title;
    this.path = path;
  }

  /** Aborts when the session is closed. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** How workers open the tensor's file; undefined when only this thread can read it. */
  fileOf(tensorId: number): FileReference | undefined {
    const source = this.checkpoint.sources[this.checkpoint.table.data.fileOf[tensorId] ?? 0];
    return source === undefined ? undefined : fileReference(source);
  }

  /** What the pickles would run and build; prepared when first asked for. */
  get pickles(): Promise<PickleViews> {
    this.#pickles ??= PickleViews.of(this.checkpoint, this.closed);
    return this.#pickles;
  }

  stats(tensorId: number): TensorStats | undefined {
    return this.#facts.get(tensorId)?.stats;
  }

  distribution(tensorId: number): DistributionData | undefined {
    return this.#distributions.get(tensorId);
  }

  /** What the scan knows of every tensor so far. */
  get facts(): ReadonlyMap<number, TensorFacts> {
    return this.#facts;
  }

  /** Keeps a scan's result. @returns whether it added findings. */
  keep({ tensorId, stats, boolOutOfRange, atLimit, first, data }: ScannedTensor): boolean {
    if (data !== undefined) {
      this.#distributions.set(tensorId, data);
    }
    if (this.#facts.has(tensorId)) {
      return false;
    }
    const facts: TensorFacts = { tensorId, stats, boolOutOfRange, atLimit, first };
    this.#facts.set(tensorId, facts);
    const found = valueFindings(facts, this.checkpoint.table);
    this.checkpoint.content.findings.add(...found);
    return found.length > 0;
  }

  /** Takes over what an earlier scan of the same files found. @returns whether it added findings. */
  recall({ facts, membersSound, hashes, deadLines }: CachedScan): boolean {
    this.#looked = { hashes, deadLines };
    this.#membersChecked ||= membersSound;
    this.#membersSound ||= membersSound;
    return facts.map((fact) => this.keep({ ...fact, kind: 'whole', data: undefined })).some((more) => more);
  }

  /**
   * Judges all tensors together, once, after the last of them has been scanned.
   *
   * @returns whether that added findings
   * @throws CancelledError
   */
  async audit(engine: ScanEngine, signal: AbortSignal, guard?: PathGuard): Promise<boolean> {
    if (this.#audited) {
      return false;
    }
    const request = { checkpoint: this.checkpoint, facts: this.#facts, signal, guard, looked: this.#looked };
    const { findings, looked, whole } = await auditFollowUp(engine, request);
    this.#audited = true;
    this.#looked = looked;
    this.#looksWhole = whole;
    this.checkpoint.content.findings.add(...findings);
    return findings.length > 0;
  }

  /** All that has been found by reading the values; undefined while something is missing, or the file has changed. */
  get wholeScan(): CachedScan | undefined {
    const { hashes, deadLines } = this.#looked;
    const isWhole = this.#audited && this.#looksWhole && !this.#changed && this.unscanned().length === 0;
    return isWhole
      ? { facts: [...this.#facts.values()], hashes, deadLines, membersSound: this.#membersSound }
      : undefined;
  }

  /** Whether the members of its archives have been read through. */
  get membersChecked(): boolean {
    return this.#membersChecked;
  }

  /** Keeps what reading the members of its archives through found. @returns whether there was anything. */
  keepChecked(found: readonly Finding[]): boolean {
    this.#membersChecked = true;
    this.#membersSound = found.length === 0;
    this.checkpoint.content.findings.add(...found);
    return found.length > 0;
  }

  /** Ids of rows that can be scanned and have not been. */
  unscanned(): number[] {
    const { table } = this.checkpoint;
    const ids: number[] = [];
    for (let id = 0; id < table.length; id += 1) {
      if (table.problem(id) === undefined && !this.#facts.has(id)) {
        ids.push(id);
      }
    }
    return ids;
  }

  /** Notes that the file is no longer the one that was opened. @returns whether that is news. */
  noteChanged(message: string): boolean {
    if (this.#changed) {
      return false;
    }
    this.#changed = true;
    const code: FindingCode = 'file-changed';
    this.checkpoint.content.findings.add(finding(code, message, { file: this.title }));
    return true;
  }

  /** Looks whether another file has taken the path's place. @returns a sentence when it has. */
  async replaced(): Promise<string | undefined> {
    const file = this.fileOf(0) ?? (this.checkpoint.sources[0] && fileReference(this.checkpoint.sources[0]));
    if (file === undefined || this.#changed) {
      return undefined;
    }
    try {
      const { ino, dev } = await stat(file.path, { bigint: true });
      return ino === file.identity.inode && dev === file.identity.device
        ? undefined
        : `${this.title} was replaced on disk since it was opened: what is shown is the old file`;
    } catch (cause) {
      const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
      return `${this.title} is no longer at its path (${reason}): what is shown is the file that was opened`;
    }
  }

  findingsEvent(): Events['findingsChanged'] {
    const { findings, verdict, sentence } = this.checkpoint.summary;
    return { sessionId: this.id, findings, verdict, sentence };
  }

  close(): void {
    this.#closing.abort();
    this.checkpoint.close();
  }
}
