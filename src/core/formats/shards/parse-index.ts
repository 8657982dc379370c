import { type Finding, type FindingCode, finding } from '../../../shared/findings.ts';
import { firstInvalidUtf8 } from '../../bytes/utf8.ts';
import { JsonCursor, JsonSyntaxError } from '../safetensors/json-cursor.ts';

/** A shard index, read. */
export interface ShardIndex {
  /** Tensor name to shard name, in file order. Of a name given twice the last counts, as for every JSON reader. */
  readonly weightMap: ReadonlyMap<string, string>;
  /** `metadata.total_size` when it is a plain integer; the sum of stored bytes as the splitter counted them. */
  readonly totalSize: number | undefined;
  /** `metadata.total_size` as it is spelled, when it is there at all. */
  readonly totalSizeText: string | undefined;
  readonly findings: readonly Finding[];
}

/** The longest index that is read, in bytes; real ones of huge models have 24 MB (FIELD-CASES B05). */
export const LONGEST_INDEX = 512 * 1024 * 1024;

/** The most entries that are read; real indexes have 100,000 and fewer. */
export const MOST_INDEX_ENTRIES = 2_000_000;

/** An index of which nothing could be read. */
export const NO_INDEX: ShardIndex = {
  weightMap: new Map(),
  totalSize: undefined,
  totalSizeText: undefined,
  findings: [],
};

class IndexScan {
  readonly weightMap = new Map<string, string>();
  readonly findings: Finding[] = [];
  totalSize: number | undefined;
  totalSizeText: string | undefined;
  hasMap = false;
  #entries = 0;
  readonly #cursor: JsonCursor;
  readonly #file: string;
  readonly #mostEntries: number;

  constructor(bytes: Uint8Array, file: string, mostEntries: number) {
    this.#cursor = new JsonCursor(bytes);
    this.#file = file;
    this.#mostEntries = mostEntries;
  }

  report(code: FindingCode, message: string, offset: number, tensor?: string): void {
    this.findings.push(
      finding(code, message, { file: this.#file, offset, ...(tensor === undefined ? {} : { tensor }) }),
    );
  }

  scan(): void {
    const cursor = this.#cursor;
    if (cursor.peekType() !== 'object') {
      this.report('index-invalid', 'the index is JSON but not an object', 0);
      return;
    }
    const seen = new Set<string>();
    cursor.object((key, keyAt) => {
      if ((key === 'weight_map' || key === 'metadata') && seen.has(key)) {
        // Readers of JSON keep the last one.
        this.report('index-invalid', `the index has "${key}" twice; the last one counts`, keyAt);
        if (key === 'weight_map') {
          this.weightMap.clear();
        } else {
          this.totalSize = undefined;
          this.totalSizeText = undefined;
        }
      }
      if (key === 'weight_map' || key === 'metadata') {
        seen.add(key);
      }
      if (key === 'weight_map') {
        this.#weightMap(keyAt);
      } else if (key === 'metadata' && cursor.peekType() === 'object') {
        cursor.object((member) => this.#metadata(member));
      } else {
        cursor.skipValue();
      }
    });
    cursor.skipSpace();
    if (cursor.at < cursor.bytes.length) {
      this.report('index-invalid', `more text after the end of the index, at byte ${cursor.at}`, cursor.at);
    }
    if (!this.hasMap) {
      this.report('index-invalid', 'the index has no "weight_map" object', 0);
    }
  }

  #metadata(key: string): void {
    const cursor = this.#cursor;
    if (key !== 'total_size') {
      cursor.skipValue();
      return;
    }
    const type = cursor.peekType();
    const start = cursor.at;
    const integer = type === 'number' ? cursor.number().integer : undefined;
    if (type !== 'number') {
      cursor.skipValue();
    }
    this.totalSizeText = cursor.text(start, cursor.at);
    this.totalSize = typeof integer === 'number' ? integer : undefined;
  }

  #weightMap(keyAt: number): void {
    const cursor = this.#cursor;
    const type = cursor.peekType();
    this.hasMap = true;
    if (type !== 'object') {
      cursor.skipValue();
      this.report('index-invalid', `"weight_map" is a JSON ${type}, expected an object`, keyAt);
      return;
    }
    cursor.object((tensor, at) => {
      this.#entries += 1;
      if (this.#entries > this.#mostEntries) {
        if (this.#entries === this.#mostEntries + 1) {
          this.report(
            'index-invalid',
            `the index has more than ${this.#mostEntries} entries; the rest is not read`,
            at,
          );
        }
        cursor.skipValue();
        return;
      }
      const valueType = cursor.peekType();
      if (valueType !== 'string') {
        cursor.skipValue();
        this.report('index-invalid', `the shard of "${tensor}" is a JSON ${valueType}, expected a string`, at, tensor);
        return;
      }
      const shard = cursor.string();
      if (this.weightMap.has(tensor)) {
        this.report('index-invalid', `the index names "${tensor}" twice`, at, tensor);
      }
      this.weightMap.set(tensor, shard);
    });
  }
}

/**
 * Reads a shard index (`model.safetensors.index.json`). Never throws for what a file can hold: faults become
 * `index-invalid` findings, and what could be read stands.
 */
export const parseIndex = (bytes: Uint8Array, file: string, mostEntries = MOST_INDEX_ENTRIES): ShardIndex => {
  const invalid = firstInvalidUtf8(bytes);
  if (invalid !== undefined) {
    const message = `the index is not UTF-8 at byte ${invalid}`;
    return { ...NO_INDEX, findings: [finding('index-invalid', message, { file, offset: invalid })] };
  }
  const scan = new IndexScan(bytes, file, mostEntries);
  try {
    scan.scan();
  } catch (fault) {
    if (!(fault instanceof JsonSyntaxError)) {
      throw fault;
    }
    scan.report('index-invalid', `the index is not JSON at byte ${fault.position}: ${fault.message}`, fault.position);
  }
  const { weightMap, totalSize, totalSizeText, findings } = scan;
  return { weightMap, totalSize, totalSizeText, findings };
};
