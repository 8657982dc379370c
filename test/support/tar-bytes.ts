import { joined, utf8 } from './zip-bytes.ts';

/** A member of a crafted tar archive. */
export interface CraftedTarMember {
  readonly name: string;
  readonly content?: Uint8Array;
  /** One letter: `0` a file, `5` a folder, `2` a link, `x` a pax header, … */
  readonly type?: string;
  /** What the header says, where it is not the truth. */
  readonly size?: string;
  readonly checksum?: string;
}

const BLOCK = 512;

const header = ({ name, content, type = '0', size, checksum }: CraftedTarMember): Uint8Array => {
  const block = new Uint8Array(BLOCK);
  block.set(utf8(name), 0);
  block.set(utf8(size ?? (content?.length ?? 0).toString(8).padStart(11, '0')), 124);
  block.set(utf8(type), 156);
  block.set(utf8('ustar\x0000'), 257);
  block.fill(0x20, 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.set(utf8(checksum ?? `${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return block;
};

/** A tar archive of these members, ended by two empty blocks. */
export const tarBytes = (...members: readonly CraftedTarMember[]): Uint8Array<ArrayBuffer> =>
  joined(
    ...members.flatMap((member) => {
      const content = member.content ?? new Uint8Array();
      return [header(member), content, new Uint8Array((BLOCK - (content.length % BLOCK)) % BLOCK)];
    }),
    new Uint8Array(2 * BLOCK),
  );
