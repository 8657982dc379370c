/** Longest head of a sentence that is shown as its word. */
const WORD_LIMIT = 28;

/**
 * The verdict's word and what follows it: "Damaged: 1 of 236 …" gives `Damaged` and `1 of 236 …`, "1 warning: …" gives
 * `1 warning` and the rest. A sentence without a colon, such as "3 warnings", is all word.
 */
export const splitSentence = (word: string, sentence: string): { readonly word: string; readonly rest: string } => {
  if (sentence === '') {
    return { word, rest: '' };
  }
  const colon = sentence.indexOf(': ');
  return colon > 0 && colon <= WORD_LIMIT
    ? { word: sentence.slice(0, colon), rest: sentence.slice(colon + 2) }
    : { word: sentence, rest: '' };
};
