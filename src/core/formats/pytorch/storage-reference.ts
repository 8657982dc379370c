import type { PickleNode } from '../pickle/nodes.ts';
import { integerOf, itemsOf, textOfNode } from './read-node.ts';
import { storageClass } from './torch-dtypes.ts';

/** A storage as a pickle refers to it (FORMATS.md 2.4). */
export interface StorageReference {
  /** Name of its record, `data/<key>`. */
  readonly key: string;
  /** This program's dtype; undefined for raw bytes or an unknown class. */
  readonly dtype: string | undefined;
  /** Bytes one of its elements takes; undefined for an unknown class. */
  readonly elementBytes: number | undefined;
  /** Name of the class, as the pickle spells it. */
  readonly className: string;
  /** Elements it claims to have. */
  readonly elements: bigint;
  /** It is part of the storage `key`: from this element, so many of them (legacy files alone). */
  readonly part: { readonly offset: bigint; readonly elements: bigint } | undefined;
  /** The pickle holds its bytes itself. */
  readonly inside?: BytesInside;
}

/** Bytes `[begin, begin + bytes)` of some that a pickle holds. */
export interface BytesInside {
  /** As they stand in the stream, or the text whose latin-1 characters they are. */
  readonly written: Uint8Array | string;
  readonly begin: number;
  readonly bytes: number;
}

/** View metadata of a legacy id: `(view_key, offset, view_numel)` in elements, or None (FORMATS.md 2.4). */
const partOf = (view: PickleNode | undefined): StorageReference['part'] => {
  const [, offset, elements] = itemsOf(view)?.map(integerOf) ?? [];
  return offset === undefined || elements === undefined ? undefined : { offset, elements };
};

/** The storage a persistent id names; undefined when the id is no storage's. */
export const storageOf = (node: PickleNode | undefined): StorageReference | undefined => {
  const [tag, type, key, , elements, view] = (node?.kind === 'persistent' ? itemsOf(node.id) : undefined) ?? [];
  const keyText = textOfNode(key);
  const count = integerOf(elements);
  if (textOfNode(tag) !== 'storage' || type?.kind !== 'global' || keyText === undefined || count === undefined) {
    return undefined;
  }
  const known = storageClass(type.use.name);
  return {
    key: keyText,
    dtype: known?.dtype,
    elementBytes: known?.bytes,
    className: type.use.name,
    elements: count,
    part: partOf(view),
  };
};
