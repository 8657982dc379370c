/** How bad a finding is; `danger` outranks `error`, which outranks `warning`, which outranks `note`. */
export type Severity = 'danger' | 'error' | 'warning' | 'note';

/** Severities from worst to mildest. */
export const SEVERITIES: readonly Severity[] = ['danger', 'error', 'warning', 'note'];

interface CodeRule {
  readonly severity: Severity;
  /** Part of the file could not be looked at, so the verdict is at least `incomplete`. */
  readonly incomplete?: true;
}

const error: CodeRule = { severity: 'error' };
const warning: CodeRule = { severity: 'warning' };
const note: CodeRule = { severity: 'note' };
const danger: CodeRule = { severity: 'danger' };
const incomplete: CodeRule = { severity: 'warning', incomplete: true };

/** Every finding code with its severity. Codes keep their meaning; new ones may be added. */
export const FINDING_RULES = {
  'file-too-short': error,
  'header-length-exceeds-file': error,
  'header-not-utf8': error,
  'header-not-json': error,
  'header-not-object': error,
  'header-over-cap': error,
  'duplicate-name': error,
  'duplicate-key': error,
  'metadata-not-strings': warning,
  'reserved-name': warning,
  'field-missing': error,
  'field-invalid': error,
  'unknown-dtype': error,
  'shape-overflow': error,
  'size-not-whole-bytes': error,
  'size-mismatch': error,
  'offsets-reversed': error,
  'offsets-out-of-range': error,
  truncated: error,
  overlap: error,
  'shared-range': error,
  gap: error,
  'trailing-bytes': error,
  'index-invalid': error,
  'shard-missing': error,
  'shard-name-unsafe': error,
  'index-entry-missing': error,
  'tensor-in-two-shards': error,
  'tensor-not-in-index': warning,
  'stray-file': warning,
  'total-size-mismatch': warning,
  'shard-outside-folder': warning,
  'shard-metadata-differs': warning,
  'zip-truncated': error,
  'zip-duplicate-member': error,
  'zip-overlap': error,
  'zip-directory-disagrees': error,
  'zip-crc-mismatch': error,
  'storage-missing': error,
  'storage-size-mismatch': error,
  'tensor-out-of-bounds': error,
  'byteorder-unknown': error,
  'zip-local-name-differs': warning,
  'zip-name-unsafe': warning,
  'zip-unlisted-bytes': warning,
  'zip-crc-absent': note,
  'zip-flags': warning,
  'zip-trailing-bytes': warning,
  'zip-prefix-bytes': warning,
  'zip-encrypted': incomplete,
  'zip-unsupported-method': incomplete,
  'zip-bomb': incomplete,
  'not-scanned': incomplete,
  'view-of-larger-storage': note,
  'unreferenced-storage-bytes': note,
  'pickle-dangerous-import': danger,
  'pickle-computed-import': danger,
  'pickle-extension-code': danger,
  'pickle-build-on-global': danger,
  'pickle-dangerous-call': danger,
  'pickle-unknown-import': warning,
  'pickle-broken': error,
  'pickle-limit': incomplete,
  'pickle-trailing': warning,
  'torchscript-code': note,
  'written-big-endian': note,
  'hidden-pickle': warning,
  'git-lfs-pointer': incomplete,
  'html-page': incomplete,
  'json-error': incomplete,
  unrecognised: incomplete,
  'extension-mismatch': warning,
  'has-nan': warning,
  'has-infinity': warning,
  'all-zero': note,
  constant: note,
  'identical-tensors': note,
  saturated: warning,
  'layer-outlier': warning,
  'mixed-dtypes': note,
  'dead-rows': note,
  'dead-columns': note,
  'scale-not-positive': warning,
  'zero-point-out-of-range': warning,
  'config-mismatch': warning,
  'config-unreadable': note,
  'file-changed': error,
  'sha256-mismatch': error,
  'checksum-not-found': incomplete,
  'bool-not-0-or-1': warning,
  'findings-omitted': note,
} as const satisfies Record<string, CodeRule>;

/** The name of a kind of finding. */
export type FindingCode = keyof typeof FINDING_RULES;

/** One thing found in a file: what was found, what was expected, and where. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** One plain sentence. Text from the file inside it is raw: escape it before a terminal, never treat it as HTML. */
  readonly message: string;
  /** Base name of the file it was found in. */
  readonly file: string;
  /** Name of the tensor concerned, as the file spells it. */
  readonly tensor?: string;
  /** Row id of the tensor concerned, unique within the checkpoint. */
  readonly tensorId?: number;
  /** Absolute byte offset in the file. */
  readonly offset?: number;
  /** The pickle it is about, by its place among the checkpoint's listed pickles, and the byte of that pickle's own bytes. */
  readonly pickle?: { readonly place: number; readonly byte: number };
}

/** The word on top: worst wins. */
export type Verdict = 'dangerous' | 'damaged' | 'incomplete' | 'warnings' | 'clean';

/** How many findings there are of each severity. */
export type FindingCounts = Readonly<Record<Severity, number>>;

/** The severity a code carries. */
export const severityOf = (code: FindingCode): Severity => FINDING_RULES[code].severity;

/** Whether a finding with this code means that something could not be scanned or recognised. */
export const meansIncomplete = (code: FindingCode): boolean => 'incomplete' in FINDING_RULES[code];

/** Makes a finding with the severity its code carries. */
export const finding = (
  code: FindingCode,
  message: string,
  where: Omit<Finding, 'code' | 'severity' | 'message'>,
): Finding => ({ code, severity: severityOf(code), message, ...where });

/** Counts findings by severity. */
export const countFindings = (findings: Iterable<Finding>): FindingCounts => {
  const counts = { danger: 0, error: 0, warning: 0, note: 0 };
  for (const { severity } of findings) {
    counts[severity] += 1;
  }
  return counts;
};

/** The verdict over a set of findings, worst wins. Notes alone leave it `clean`. */
export const verdictOf = (findings: Iterable<Finding>): Verdict => {
  let verdict: Verdict = 'clean';
  for (const { code, severity } of findings) {
    if (severity === 'danger') {
      return 'dangerous';
    }
    if (severity === 'error') {
      verdict = 'damaged';
    } else if (verdict !== 'damaged' && meansIncomplete(code)) {
      verdict = 'incomplete';
    } else if (severity === 'warning' && verdict === 'clean') {
      verdict = 'warnings';
    }
  }
  return verdict;
};
