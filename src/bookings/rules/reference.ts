/** The references by which guests and partners name a reservation. */

/** Digits and capitals without I, L, O and U, so that a letter is not taken for another. Spec: Reservation. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const PREFIX = 'LK';
const LETTERS_A_GROUP = 4;
const REFERENCE_BYTES = 5;
const REFERENCE_FORM = new RegExp(`^${PREFIX}(-[${ALPHABET}]{${LETTERS_A_GROUP}}){2}$`);

/**
 * The reference that five bytes stand for, in the form LK-XXXX-XXXX.
 *
 * The 40 bits are eight letters of five bits each, so bytes and references correspond one to one and
 * random bytes favour no letter. Throws a RangeError for another number of bytes.
 *
 * Spec: Reservation (reference format); decisions (the prefix).
 */
export function referenceFrom(bytes: Uint8Array): string {
  if (bytes.length !== REFERENCE_BYTES) {
    throw new RangeError(`a reference takes ${REFERENCE_BYTES} bytes, not ${bytes.length}`);
  }
  let rest = bytes.reduce((number, byte) => number * 256 + byte, 0);
  let letters = '';
  while (letters.length < 2 * LETTERS_A_GROUP) {
    letters = ALPHABET.charAt(rest % ALPHABET.length) + letters;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return `${PREFIX}-${letters.slice(0, LETTERS_A_GROUP)}-${letters.slice(LETTERS_A_GROUP)}`;
}

/**
 * Whether a text has the form of a reference that this service gives out.
 *
 * An older reservation may have another; references are looked up as they are, not by their form.
 *
 * Spec: Reservation (reference format).
 */
export function isReference(text: string): boolean {
  return REFERENCE_FORM.test(text);
}
