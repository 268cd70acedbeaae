/** Texts as long and as hostile as anybody may enter them. */

const unbroken = 'W'.repeat(80);
// It runs if a page takes it for markup, or the browser complains that the policy refuses it.
const markup = '"><svg/onload=run()>';
// From right to left, a URL that is a script, three characters without width.
const strange = '\u202e\u2066javascript:run()\u200b\u200d\ufeff';

/** A word of 100 characters, with markup. */
export const longText = `${unbroken}${markup}`;

/** The same with what turns the direction and what has no width. */
export const strangeText = `${strange}${unbroken.slice(strange.length)}${markup}`;

/** A word of 10,000 characters. */
export const hugeText = longText.padStart(10_000, 'W');

/** A word of 80 small letters that begins so. */
export const longSlug = (start: string): string => start.padEnd(80, 'w');

/** An address of 129 characters that begins so. */
export const longEmail = (start: string): string =>
  `${start.padEnd(60, 'w')}@${'w'.repeat(60)}.example`;
