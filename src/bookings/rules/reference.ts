/** References of reservations, as guests and partners see them. */

/** Digits and capitals without I, L, O and U, which are easy to confuse. Spec: Reservation. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const PREFIX = 'LK';
const LETTERS_PER_GROUP = 4;
const REFERENCE_BYTES = 5;
const REFERENCE_FORM = new RegExp(`^${PREFIX}(-[${ALPHABET}]{${LETTERS_PER_GROUP}}){2}$`);

/**
 * Encodes five bytes as a reference in the form LK-XXXX-XXXX.
 *
 * The 40 bits become eight letters of five bits each, so random bytes make every reference equally
 * likely. Throws a RangeError for another number of bytes.
 *
 * Spec: Reservation (reference format); decisions (the prefix).
 */
export function referenceFrom(bytes: Uint8Array): string {
  if (bytes.length !== REFERENCE_BYTES) {
    throw new RangeError(`a reference takes ${REFERENCE_BYTES} bytes, not ${bytes.length}`);
  }
  let rest = bytes.reduce((number, byte) => number * 256 + byte, 0);
  let letters = '';
  while (letters.length < 2 * LETTERS_PER_GROUP) {
    letters = ALPHABET.charAt(rest % ALPHABET.length) + letters;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return `${PREFIX}-${letters.slice(0, LETTERS_PER_GROUP)}-${letters.slice(LETTERS_PER_GROUP)}`;
}

/**
 * Whether a text has the form of a reference that this service creates.
 *
 * Older reservations may have another form, so lookups do not require this form.
 *
 * Spec: Reservation (reference format).
 */
export function isReference(text: string): boolean {
  return REFERENCE_FORM.test(text);
}
