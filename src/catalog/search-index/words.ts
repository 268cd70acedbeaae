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

// The Armenian ligature և is written ԵՎ in capitals, but Unicode's capitals of it are ԵՒ.
const armenianLigature = /(?<=ե)ւ/gu;

const letters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

/**
 * A text in the form in which texts are compared: compatibility forms are replaced, accents removed, case
 * folded (through upper case, so that ß is ss, and ı and İ are i).
 *
 * Spec: SEARCH-3.
 */
export const foldedText = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(armenianLigature, 'վ')
    .replaceAll(letters, (letter) => plainLetters[letter]!);

/** Letters that are also spelled with two. Spec: SEARCH-3. */
const twoLetters: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
};

/** A text in the form in which texts are compared, with two letters where that is another spelling. */
const spelledOut = (text: string): string =>
  foldedText(
    text
      .normalize('NFC')
      .toLowerCase()
      .replaceAll(/[äöüåø]/gu, (letter) => twoLetters[letter]!),
  );

const runsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words of a text, folded, in each of their spellings: runs of letters and digits, each word once. */
export const wordsOf = (text: string): string[] => [
  ...new Set([...runsOf(foldedText(text)), ...runsOf(spelledOut(text))]),
];

/** The spellings of a word of a query, of which a home must have a word that begins with one. */
export const spellingsOf = (prefix: string): readonly string[] => prefix.split(' ');

/**
 * The words of a query, without those that another word makes superfluous. A word that has two spellings has both,
 * with a blank between them.
 */
export function prefixesOf(text: string): string[] {
  const spelled = runsOf(spelledOut(text));
  const words = new Map(runsOf(foldedText(text)).map((word, at) => [word, spelled[at] ?? word]));
  const isSuperfluous = ([word, spelling]: [string, string]): boolean =>
    [...words].some(
      ([other, also]) => other !== word && other.startsWith(word) && also.startsWith(spelling),
    );
  return [...words]
    .filter((one) => !isSuperfluous(one))
    .map(([word, spelling]) => (word === spelling ? word : `${word} ${spelling}`));
}
