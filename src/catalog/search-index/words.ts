/** Texts as a search compares them: without case, accents and spelling variants of letters. */

/** Letters that Unicode does not decompose, and how they are commonly spelled without them. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
};

const letters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

/**
 * A text in the form in which texts are compared: compatibility forms are replaced, accents removed, case
 * folded (through upper case, so that ß is ss, and ı and İ are i).
 *
 * Spec: decisions, Search beyond the specification (`destination`).
 */
export const foldedText = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(letters, (letter) => plainLetters[letter]!);

/** The words of a text, folded: runs of letters and digits, each word once. */
export const wordsOf = (text: string): string[] => [
  ...new Set(foldedText(text).match(/[\p{L}\p{N}]+/gu) ?? []),
];

/** The words of a query, without those that another word makes superfluous. */
export function prefixesOf(text: string): string[] {
  const words = wordsOf(text);
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
}
