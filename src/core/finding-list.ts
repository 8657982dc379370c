import {
  countFindings,
  type Finding,
  type FindingCounts,
  finding,
  SEVERITIES,
  type Verdict,
  verdictOf,
} from '../shared/findings.ts';

/** Findings kept in full; a file made to produce millions is counted, not stored. */
export const MAX_FINDINGS = 10_000;

/** Findings as plain data, to cross a thread. */
export interface FindingListData {
  readonly kept: readonly Finding[];
  readonly omitted: FindingCounts;
}

/**
 * What was found in a checkpoint, in the order it was found. The first {@link MAX_FINDINGS} are kept; the rest are
 * counted by severity and announced by one `findings-omitted` note.
 */
export class FindingList {
  readonly #kept: Finding[];
  #omitted: Record<Finding['severity'], number>;

  constructor(data?: FindingListData) {
    this.#kept = [...(data?.kept ?? [])];
    this.#omitted = { danger: 0, error: 0, warning: 0, note: 0, ...data?.omitted };
  }

  add(...findings: readonly Finding[]): void {
    for (const item of findings) {
      // A danger is always kept: it decides the verdict and must be seen.
      if (this.#kept.length < MAX_FINDINGS || item.severity === 'danger') {
        this.#kept.push(item);
      } else {
        this.#omitted[item.severity] += 1;
      }
    }
  }

  /** Whether a finding with this code (about this tensor, where given) is kept already. */
  has(code: Finding['code'], tensorId?: number): boolean {
    return this.#kept.some((item) => item.code === code && (tensorId === undefined || item.tensorId === tensorId));
  }

  /** The findings, ending with a note about those that were only counted. */
  list(): readonly Finding[] {
    const omitted = SEVERITIES.reduce((sum, severity) => sum + this.#omitted[severity], 0);
    const file = this.#kept[0]?.file;
    return omitted === 0 || file === undefined
      ? this.#kept
      : [...this.#kept, finding('findings-omitted', `${omitted} more findings were counted but not kept`, { file })];
  }

  /** Counts by severity, the omitted ones included. */
  counts(): FindingCounts {
    const counts = { ...countFindings(this.#kept) };
    for (const severity of SEVERITIES) {
      counts[severity] += this.#omitted[severity];
    }
    return counts;
  }

  verdict(): Verdict {
    // Only worse-or-equal severities were ever omitted behind MAX_FINDINGS kept ones, so count those too.
    if (this.#omitted.error > 0 && !this.#kept.some((item) => item.severity === 'danger')) {
      return 'damaged';
    }
    return verdictOf(this.#kept);
  }

  toData(): FindingListData {
    return { kept: [...this.#kept], omitted: { ...this.#omitted } };
  }
}
