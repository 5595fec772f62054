// Whether a name is meant by what somebody typed, in any case, with accents or without.

/** @param {string} text */
export const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Scripts that put nothing between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Every word of the query begins a word of the text. Where nothing stands between words it may be anywhere, and so may signs, which are no words.
 * @param {string} text @param {string} query */
export function matches(text, query) {
  const words = wordsOf(text);
  const wanted = wordsOf(query);
  if (!wanted.length) return folded(text).includes(folded(query.trim()));
  return wanted.every((start) => words.some((word) => (unspaced.test(start) ? word.includes(start) : word.startsWith(start))));
}

/** @param {string} text */
const wordsOf = (text) => folded(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
