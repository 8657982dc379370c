import type { MetadataEntry } from '../../../shared/checkpoint-types.ts';
import { type FindingCode, finding } from '../../../shared/findings.ts';
import { firstInvalidUtf8 } from '../../bytes/utf8.ts';
import { FindingList, type FindingListData } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import { type GrowableF64, growableF64 } from '../../tensor/growable.ts';
import { type TableTotals, tableTotals } from '../../tensor/table-totals.ts';
import { TensorTable, type TensorTableData } from '../../tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../tensor/tensor-table-builder.ts';
import { HeaderLimitError, JsonSyntaxError } from './json-cursor.ts';
import { type Coverage, judgeCoverage } from './judge-coverage.ts';
import { type FileFrame, judgeEntry } from './judge-entry.ts';
import { METADATA_KEY, type ScannedMetadata, scanHeader } from './scan-header.ts';
import { UsualEntries } from './usual-entry.ts';

/** A header, read and judged. Plain data with transferable buffers, so that a worker can make it. */
export interface ParsedHeader {
  readonly table: TensorTableData;
  readonly totals: TableTotals;
  readonly metadata: readonly MetadataEntry[];
  readonly findings: FindingListData;
  readonly coverage: Coverage;
}

/** About how many bytes of the header an entry takes. */
const USUAL_ENTRY = 110;

const NOTHING_COVERED: Coverage = { claimed: 0, unclaimed: [], missing: 0, unplaced: 0 };

const judgeMetadata = (metadata: ScannedMetadata, second: boolean, file: string, findings: FindingList): void => {
  const report = (code: FindingCode, message: string, at: number): void => {
    findings.add(finding(code, message, { file, offset: 8 + at }));
  };
  if (second) {
    report('duplicate-key', `the header has "${METADATA_KEY}" twice`, metadata.at);
  }
  for (const { key, at } of metadata.duplicates) {
    report('duplicate-key', `the metadata key ${quoteName(key)} occurs twice`, at);
  }
  if (metadata.notObject !== undefined) {
    report(
      'metadata-not-strings',
      `"${METADATA_KEY}" is a JSON ${metadata.notObject}, expected an object`,
      metadata.at,
    );
    return;
  }
  const odd = metadata.entries.filter(({ type }) => type !== 'string');
  const [first] = odd;
  if (first !== undefined) {
    const others = odd.length > 1 ? ` and ${odd.length - 1} more` : '';
    report(
      'metadata-not-strings',
      `the metadata value of ${quoteName(first.key)} is a JSON ${first.type}, expected a string${others}`,
      metadata.at,
    );
  }
};

/** Reports each name that occurs more than once, at its second place, and marks nothing else: all rows stay. */
const judgeNames = (table: TensorTableBuilder, places: GrowableF64, file: string, findings: FindingList): void => {
  for (const [first, ...others] of table.sameNames()) {
    const tensor = table.name(first);
    const tensorId = others[0] ?? first;
    const message = `the name ${quoteName(tensor)} occurs ${others.length + 1} times; other readers keep only the last`;
    findings.add(finding('duplicate-name', message, { file, tensor, tensorId, offset: 8 + places.get(tensorId) }));
  }
};

/**
 * Reads and judges a safetensors header: one pass over its text, then one over the ranges of its tensors.
 *
 * Never throws for what a file can hold: faults become findings, and a header that cannot be read yields no tensors.
 *
 * @param header the N bytes after the length field.
 */
export const parseHeader = (header: Uint8Array, frame: FileFrame): ParsedHeader => {
  const findings = new FindingList();
  const unreadable = (code: FindingCode, message: string, offset: number): ParsedHeader => {
    findings.add(finding(code, message, { file: frame.file, offset }));
    return {
      table: new TensorTableBuilder([frame.file]).finish(),
      totals: { parameters: 0, dtypes: [] },
      metadata: [],
      findings: findings.toData(),
      coverage: NOTHING_COVERED,
    };
  };
  const invalid = firstInvalidUtf8(header);
  if (invalid !== undefined) {
    return unreadable('header-not-utf8', `the header is not UTF-8 at byte ${invalid}`, 8 + invalid);
  }
  const rows = Math.ceil(header.length / USUAL_ENTRY);
  const table = new TensorTableBuilder([frame.file], { rows, names: header.length >>> 1 });
  const found = new FindingList();
  /** Where each row's name stands in the header. */
  const places = growableF64(rows);
  const metadata: MetadataEntry[] = [];
  let metadataSeen = false;
  let isObject = false;
  try {
    const usual = new UsualEntries(header, frame, table);
    isObject = scanHeader(header, {
      usual: (at) => {
        const next = usual.take(at);
        if (next !== undefined) {
          places.push(at);
        }
        return next;
      },
      entry: (entry) => {
        places.push(entry.at);
        judgeEntry(entry, frame, table, found);
      },
      metadata: (part) => {
        judgeMetadata(part, metadataSeen, frame.file, found);
        metadataSeen = true;
        for (const entry of part.entries) {
          metadata.push(entry);
        }
      },
    });
  } catch (fault) {
    if (!(fault instanceof JsonSyntaxError)) {
      throw fault;
    }
    const { message, position } = fault;
    return fault instanceof HeaderLimitError
      ? unreadable('header-over-cap', `the header is not read on from byte ${position}: ${message}`, 8 + position)
      : unreadable('header-not-json', `the header is not JSON at byte ${position}: ${message}`, 8 + position);
  }
  if (!isObject) {
    return unreadable('header-not-object', 'the header is JSON but not an object', 8);
  }
  judgeNames(table, places, frame.file, found);
  const coverage = judgeCoverage(table, frame, found);
  const data = table.finish();
  return { table: data, totals: tableTotals(new TensorTable(data)), metadata, findings: found.toData(), coverage };
};
