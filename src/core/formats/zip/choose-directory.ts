import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { FindingList } from '../../finding-list.ts';
import { type EndRecord, type EndRecords, endOf } from './end-records.ts';
import { type Report, reporter } from './records.ts';
import { resolvePlace } from './resolve-place.ts';
import type { DirectoryPlace, ZipMember } from './zip-types.ts';

/** The directory that counts, and what else there is. */
export interface Choice {
  readonly place: DirectoryPlace | undefined;
  readonly others: readonly DirectoryPlace[];
  /** The end record that led there; the last one when none leads anywhere. */
  readonly end: EndRecord;
  /** End records that were passed over. */
  readonly rivals: readonly EndRecord[];
}

/**
 * Takes the last end record that leads to a directory: PyTorch and Python take the last one, and where that one leads
 * nowhere they fail. The findings about it go to `findings`, those about the others nowhere.
 *
 * @throws whatever the source's reads throw.
 */
export const chooseDirectory = async (
  source: ByteSource,
  records: EndRecords['records'],
  findings: FindingList,
): Promise<Choice | undefined> => {
  let chosen: { readonly end: EndRecord; readonly place: DirectoryPlace; readonly told: FindingList } | undefined;
  let first: FindingList | undefined;
  const others: DirectoryPlace[] = [];
  for (const end of records) {
    const told = new FindingList();
    const { place, others: more } = await resolvePlace(source, end, reporter(told, source.name));
    first ??= told;
    if (place !== undefined && chosen === undefined) {
      chosen = { end, place, told };
    } else if (place !== undefined && place.begin !== chosen?.place.begin) {
      others.push(place);
    }
    others.push(...more);
  }
  findings.addAll(chosen?.told ?? first ?? new FindingList());
  const end = chosen?.end ?? records[0];
  if (end === undefined) {
    return undefined;
  }
  return { place: chosen?.place, others, end, rivals: records.filter((record) => record !== end) };
};

/**
 * Reports end records besides the one that counts, and returns those that a reader may take for it. One that lies inside a member is that member's, an archive within the
 * archive, unless its comment ends at the end of the file, which is how strict readers tell an end record.
 */
export const reportRivals = (
  source: ByteSource,
  { end, rivals }: Choice,
  members: readonly ZipMember[],
  more: number,
  report: Report,
): readonly EndRecord[] => {
  const isInside = ({ at }: EndRecord): boolean =>
    members.some(({ payload }) => payload !== undefined && payload.begin <= at && at < payload.end);
  const serious = rivals.filter((rival) => rival.at > end.at || endOf(rival) === source.size || !isInside(rival));
  if (serious.length + more > 0) {
    const places = [end, ...serious].map(({ at }) => formatInt(at)).join(', ');
    const message = `${formatInt(serious.length + more + 1)} end records, at offsets ${places}${more > 0 ? ' and before' : ''}; loaders differ on which counts`;
    report('zip-directory-disagrees', message, serious[0]?.at ?? end.at);
  }
  return serious;
};
