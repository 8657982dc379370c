import { utf8Text } from '../../bytes/utf8.ts';

/** Code page 437 from 0x80: what a name without the UTF-8 flag is in by the zip specification (appendix D). */
const CODE_PAGE_437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

const codePageText = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CODE_PAGE_437.charAt(byte - 0x80))).join('');

/** A name's text, and whether its bytes were valid UTF-8. PyTorch takes names for UTF-8 whatever their flag says. */
export const nameText = (bytes: Uint8Array): { readonly text: string; readonly isUtf8: boolean } => {
  try {
    return { text: utf8Text(bytes, 0, bytes.length), isUtf8: true };
  } catch {
    // Not UTF-8: the one thing the decoder throws for.
    return { text: codePageText(bytes), isUtf8: false };
  }
};

/** What is unsafe about a name as a path, as part of a sentence, or undefined. */
export const unsafeNameReason = (name: string): string | undefined => {
  if (/^(?:[/\\]|[A-Za-z]:)/.test(name)) {
    return 'is an absolute path';
  }
  if (/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(name)) {
    return 'leads out of its folder by ".."';
  }
  if (name.includes('\0')) {
    return 'holds a NUL, where some loaders end it';
  }
  return name === '' ? 'is empty' : undefined;
};

/**
 * What members of one name have in common for some reader: PyTorch's looks records up without regard to case
 * (FORMATS.md 2.3), Windows takes backslashes for slashes, Python ends names at a NUL.
 */
export const nameKey = (name: string): string => {
  const nul = name.indexOf('\0');
  const text = nul < 0 ? name : name.slice(0, nul);
  return (text.includes('\\') ? text.replaceAll('\\', '/') : text).toLowerCase();
};
