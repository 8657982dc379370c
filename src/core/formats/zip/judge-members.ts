import { formatBytes, formatInt } from '../../../shared/format-number.ts';
import { quoteName } from '../../quote-name.ts';
import type { CentralEntry, MemberDraft } from './central-directory.ts';
import { DEFLATED, judgeDeclaration } from './compare-headers.ts';
import { BOMB_FLOOR, MOST_RATIO } from './limits.ts';
import { nameKey } from './member-name.ts';
import type { Report } from './records.ts';

/** Members named in one finding. */
const MOST_NAMED = 5;

const sayGroup = (group: readonly MemberDraft[]): string => {
  const [first] = group;
  const same = group.every(({ name }) => name === first?.name);
  const named = group.slice(0, MOST_NAMED);
  const more = group.length > MOST_NAMED ? ` and ${formatInt(group.length - MOST_NAMED)} more` : '';
  const places = named.map(({ header }) => formatInt(header)).join(', ');
  return same
    ? `${formatInt(group.length)} members are called ${quoteName(first?.name ?? '')}, at offsets ${places}${more}; loaders differ on which counts`
    : `${formatInt(group.length)} members have names that some loaders take for one: ${named.map(({ name, header }) => `${quoteName(name)} at offset ${formatInt(header)}`).join(', ')}${more}`;
};

/** Marks and reports members that share a name: exactly, but for case, but for backslashes, or up to a NUL. */
const judgeNames = (entries: readonly CentralEntry[], report: Report): void => {
  const first = new Map<string, MemberDraft>();
  const groups = new Map<string, MemberDraft[]>();
  for (const { member } of entries) {
    const key = nameKey(member.name);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, member);
    } else {
      const group = groups.get(key) ?? [before];
      group.push(member);
      groups.set(key, group);
    }
  }
  for (const group of groups.values()) {
    for (const member of group) {
      member.sharesName = true;
    }
    report('zip-duplicate-member', sayGroup(group), group.at(-1)?.header);
  }
};

/** Whether this much out of that much is taken for a bomb: both the amount and the ratio have to be out of bounds. */
export const isBomb = (bytes: number, compressedBytes: number): boolean =>
  bytes > BOMB_FLOOR && bytes > compressedBytes * MOST_RATIO;

/** A ratio in words: `1 : 1,029`. */
export const sayRatio = (bytes: number, compressedBytes: number): string =>
  `1 : ${formatInt(Math.round(bytes / Math.max(compressedBytes, 1)))}`;

const judgeBombs = (entries: readonly CentralEntry[], report: Report): void => {
  let bytes = 0;
  let compressedBytes = 0;
  let found = false;
  for (const { member } of entries) {
    if (member.method !== DEFLATED) {
      continue;
    }
    bytes += member.bytes;
    compressedBytes += member.compressedBytes;
    if (isBomb(member.bytes, member.compressedBytes)) {
      found = true;
      const sizes = `${formatInt(member.bytes)} bytes from ${formatInt(member.compressedBytes)}`;
      const ratio = sayRatio(member.bytes, member.compressedBytes);
      report('zip-bomb', `member ${quoteName(member.name)} would inflate to ${sizes}, ${ratio}`, member.header);
    }
  }
  if (!found && isBomb(bytes, compressedBytes)) {
    const sizes = `${formatBytes(bytes)} from ${formatBytes(compressedBytes)}`;
    report('zip-bomb', `the members would together inflate to ${sizes}, ${sayRatio(bytes, compressedBytes)}`);
  }
};

/** Judges the members by what the directory declares about them, each by itself and together. */
export const judgeMembers = (entries: readonly CentralEntry[], report: Report): void => {
  for (const { member } of entries) {
    judgeDeclaration(member, report);
  }
  judgeNames(entries, report);
  judgeBombs(entries, report);
};
