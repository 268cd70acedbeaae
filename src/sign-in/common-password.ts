/** Passwords that others try first. The length alone does not keep them out. */

import { commonPasswordWords } from './common-password-words.ts';

const leet: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const letters = (text: string): string => text.replace(/[^a-z]/g, '');

/** With letters in place of the digits and signs that stand for them; those around the words stand for none. */
const withoutLeet = (text: string): string =>
  [...text.replace(/^[^a-z]+/, '').replace(/[^a-z]+$/, '')]
    .map((char) => leet[char] ?? char)
    .join('');

const words: ReadonlySet<string> = new Set(commonPasswordWords);
const longestWord = Math.max(...commonPasswordWords.map(({ length }) => length));

/** Whether a text consists of common words alone. */
function isOfWords(text: string): boolean {
  const reached = [true];
  for (let end = 1; end <= text.length; end += 1) {
    reached[end] = false;
    for (let from = Math.max(0, end - longestWord); from < end; from += 1) {
      if (reached[from] && words.has(text.slice(from, end))) reached[end] = true;
    }
  }
  return reached[text.length]!;
}

const longestPiece = 6;

/** Whether a text repeats a short piece, such as `abc123abc123`. */
function isRepetition(text: string): boolean {
  for (let size = 1; size <= longestPiece && size * 2 <= text.length; size += 1) {
    if ([...text].every((char, at) => char === text[at % size])) return true;
  }
  return false;
}

/** Whether each character follows the one before it, such as `abcdefghijkl` and `987654321098`. */
function isSequence(text: string): boolean {
  const steps = new Set<number>();
  for (let at = 1; at < text.length; at += 1) {
    steps.add((text.charCodeAt(at) - text.charCodeAt(at - 1) + 10) % 10);
  }
  return steps.size === 1;
}

const leastOfOwn = 8;

/** Whether a password is an email address, or its name, with a little around it. */
function isOfAddress(text: string, email: string): boolean {
  const [name = ''] = email.split('@');
  return [email, name].some(
    (part) => part.length >= 4 && text.includes(part) && text.length - part.length < leastOfOwn,
  );
}

/** Why a password of an account is one that others try first; null: it is not. Spec: OPERATOR-10. */
export function commonPassword(password: string, email: string): string | null {
  const text = password.normalize('NFKC').toLowerCase();
  if (isOfAddress(text, email.toLowerCase())) return 'must not be the email address';
  const isCommon =
    !/\p{L}/u.test(text) ||
    isRepetition(text) ||
    isSequence(text) ||
    [letters(text), letters(withoutLeet(text))].some((found) => found !== '' && isOfWords(found));
  // A word in another alphabet, or with blanks between words, is no common one.
  return isCommon && !/[^\p{ASCII}]/u.test(text)
    ? 'is one of those that are tried first: take another one'
    : null;
}
