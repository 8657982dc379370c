import type { FindingCode } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { contentKind } from '../content-kinds.ts';
import { LOCAL_HEADER, type Report, viewOf } from './records.ts';
import type { ByteRange, Stretch } from './zip-types.ts';

/** Bytes looked at to tell what a stretch is. */
const SNIFFED_BYTES = 4096;
/** Stretches that are looked into; the rest are reported unseen. */
const MOST_SNIFFED = 100;

const RULES: Readonly<Record<Stretch['where'], { readonly code: FindingCode; readonly place: string }>> = {
  'before the first member': {
    code: 'zip-prefix-bytes',
    place: 'before the first member; PyTorch takes no such file for an archive unless they begin like one',
  },
  'between members': { code: 'zip-unlisted-bytes', place: 'between members belong to none of them' },
  'behind the end record': { code: 'zip-trailing-bytes', place: 'behind the end of the archive' },
  comment: { code: 'zip-trailing-bytes', place: "in the archive's comment" },
};

/** Looks at the beginning of each stretch. @throws whatever the source's reads throw. */
export const sniffStretches = async (
  source: ByteSource,
  ranges: readonly (ByteRange & Pick<Stretch, 'where'>)[],
): Promise<readonly Stretch[]> => {
  const stretches: Stretch[] = [];
  for (const { begin, end, where } of ranges) {
    if (end <= begin) {
      continue;
    }
    const wanted = stretches.length < MOST_SNIFFED ? Math.min(end - begin, SNIFFED_BYTES) : 0;
    const head = await readBytes(source, begin, wanted);
    const kind = wanted > 0 ? contentKind(head, end - begin) : undefined;
    stretches.push({
      begin,
      end,
      where,
      kind: kind?.label,
      isZip: wanted >= 4 && viewOf(head).getUint32(0, true) === LOCAL_HEADER,
      mayHoldCode: kind?.mayHoldCode === true,
    });
  }
  return stretches;
};

/** Reports stretches; an ordinary comment is none of anybody's business. */
export const reportStretches = (stretches: readonly Stretch[], report: Report): void => {
  for (const { begin, end, where, kind, mayHoldCode } of stretches) {
    if (where === 'comment' && !mayHoldCode) {
      continue;
    }
    const { code, place } = RULES[where];
    const count = `${formatInt(end - begin)} ${end - begin === 1 ? 'byte' : 'bytes'}`;
    const looks = kind === undefined ? 'of no known kind' : `they look like ${kind}`;
    report(code, `${count} at offset ${formatInt(begin)} ${place}; ${looks}`, begin);
  }
};
