const PLAIN = /^[A-Za-z0-9_./:@%+=-]+$/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff]/;

const ansiC = (text: string): string => {
  let quoted = '';
  for (const byte of new TextEncoder().encode(text)) {
    const char = String.fromCharCode(byte);
    const plain = byte >= 0x20 && byte < 0x7f;
    quoted += char === "'" || char === '\\' ? `\\${char}` : plain ? char : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `$'${quoted}'`;
};

/**
 * Text as one word of a POSIX shell. Control and invisible characters are written as escapes in `$'…'` (bash, zsh, ksh),
 * so that pasting never runs or hides anything.
 */
export const shellQuote = (text: string): string => {
  if (PLAIN.test(text) && !text.startsWith('-')) {
    return text;
  }
  return CONTROL.test(text) ? ansiC(text) : `'${text.replaceAll("'", "'\\''")}'`;
};

/** The command line that prints the first values of a tensor. */
export const headCommand = (path: string, name: string): string => {
  // A word that starts with a dash would be read as an option.
  const words = [path, name].map(shellQuote);
  return path.startsWith('-') || name.startsWith('-')
    ? `loupe head -- ${words.join(' ')}`
    : `loupe head ${words.join(' ')}`;
};
