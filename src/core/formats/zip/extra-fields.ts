import type { Int } from '../../../shared/checkpoint-types.ts';
import { utf8Text } from '../../bytes/utf8.ts';
import { u64, viewOf } from './records.ts';

/** Field ids. */
const ZIP64 = 0x0001;
const UNICODE_PATH = 0x7075;
/** In front of the name in a Unicode path field: version and the CRC of the name it stands for. */
const UNICODE_PATH_HEAD = 5;

/** What an entry's extra field says about the entry. */
export interface ExtraFields {
  /** The zip64 field's bytes; the first one, as PyTorch takes it. */
  readonly zip64: Uint8Array | undefined;
  /** A name that some readers prefer (Info-ZIP's Unicode path). */
  readonly path: string | undefined;
  /** What is wrong with the field, as part of a sentence. */
  readonly problem: string | undefined;
}

const pathText = (field: Uint8Array): string => {
  try {
    return utf8Text(field, Math.min(UNICODE_PATH_HEAD, field.length), field.length);
  } catch {
    // Not UTF-8: no reader takes it, but it is no name either.
    return '\ufffd';
  }
};

/** Goes through an extra field: records of id, length and bytes. Up to three bytes left over are padding, as zipalign leaves. */
export const readExtraFields = (extra: Uint8Array): ExtraFields => {
  const view = viewOf(extra);
  let zip64: Uint8Array | undefined;
  let path: string | undefined;
  let problem: string | undefined;
  let at = 0;
  while (extra.length - at >= 4) {
    const id = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    at += 4;
    if (length > extra.length - at) {
      problem = `its extra field 0x${id.toString(16).padStart(4, '0')} declares ${length} bytes, ${extra.length - at} are left`;
      break;
    }
    const field = extra.subarray(at, at + length);
    if (id === ZIP64 && zip64 !== undefined) {
      problem = 'it has more than one zip64 field';
    } else if (id === ZIP64) {
      zip64 = field;
    } else if (id === UNICODE_PATH) {
      path = pathText(field);
    }
    at += length;
  }
  return { zip64, path, problem };
};

/**
 * The first `wanted` 64-bit numbers of a zip64 field, which holds only those whose 32-bit slot is full, in the order
 * uncompressed, compressed, offset. Undefined where the field is too short for one.
 */
export const zip64Numbers = (field: Uint8Array | undefined, wanted: number): readonly (Int | undefined)[] => {
  const view = field === undefined ? undefined : viewOf(field);
  return Array.from({ length: wanted }, (_, index) =>
    view !== undefined && view.byteLength >= 8 * (index + 1) ? u64(view, 8 * index) : undefined,
  );
};
