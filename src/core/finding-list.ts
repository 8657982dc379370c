import {
  countFindings,
  type Finding,
  type FindingCode,
  type FindingCounts,
  finding,
  severityOf,
  type Verdict,
  verdictOf,
} from '../shared/findings.ts';

/** Findings kept in full; a file made to produce millions is counted, not stored. */
export const MAX_FINDINGS = 10_000;

/** Findings as plain data, to cross a thread. */
export interface FindingListData {
  readonly kept: readonly Finding[];
  /** How many more were counted, by code. */
  readonly omitted: ReadonlyMap<FindingCode, number>;
}

/**
 * What was found in a checkpoint, in the order it was found. The first {@link MAX_FINDINGS} are kept, and after that the
 * first of each code; the rest are counted and announced by one `findings-omitted` note.
 */
export class FindingList {
  readonly #kept: Finding[];
  readonly #codes: Set<FindingCode>;
  readonly #omitted: Map<FindingCode, number>;

  constructor(data?: FindingListData) {
    this.#kept = [...(data?.kept ?? [])];
    this.#codes = new Set(this.#kept.map(({ code }) => code));
    this.#omitted = new Map(data?.omitted);
  }

  add(...findings: readonly Finding[]): void {
    for (const item of findings) {
      // A danger and the first of a code are always kept: they decide the verdict, and many others must not hide them.
      if (this.#kept.length < MAX_FINDINGS || item.severity === 'danger' || !this.#codes.has(item.code)) {
        this.#kept.push(item);
        this.#codes.add(item.code);
      } else {
        this.#omitted.set(item.code, (this.#omitted.get(item.code) ?? 0) + 1);
      }
    }
  }

  /** Adds all of another list, each finding changed by `change`, those that were only counted included. */
  addAll(other: FindingList, change: (item: Finding) => Finding = (item) => item): void {
    for (const item of other.#kept) {
      this.add(change(item));
    }
    for (const [code, times] of other.#omitted) {
      this.#omitted.set(code, (this.#omitted.get(code) ?? 0) + times);
    }
  }

  /** Whether a finding with this code (about this tensor, where given) is kept already. */
  has(code: Finding['code'], tensorId?: number): boolean {
    return this.#kept.some((item) => item.code === code && (tensorId === undefined || item.tensorId === tensorId));
  }

  /** The findings, ending with a note about those that were only counted. */
  list(): readonly Finding[] {
    const omitted = [...this.#omitted.values()].reduce((sum, times) => sum + times, 0);
    const file = this.#kept[0]?.file;
    return omitted === 0 || file === undefined
      ? this.#kept
      : [...this.#kept, finding('findings-omitted', `${omitted} more findings were counted but not kept`, { file })];
  }

  /** How many there are with this code, the omitted ones included. */
  count(code: FindingCode): number {
    return this.#kept.filter((item) => item.code === code).length + (this.#omitted.get(code) ?? 0);
  }

  /** Counts by severity, the omitted ones included. */
  counts(): FindingCounts {
    const counts = { ...countFindings(this.#kept) };
    for (const [code, times] of this.#omitted) {
      counts[severityOf(code)] += times;
    }
    return counts;
  }

  verdict(): Verdict {
    // One of every code is kept, and the codes decide.
    return verdictOf(this.#kept);
  }

  toData(): FindingListData {
    return { kept: [...this.#kept], omitted: new Map(this.#omitted) };
  }
}
