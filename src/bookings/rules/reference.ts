/** References of reservations, as guests and partners see them. */

import { referenceForm, referenceLetters } from '../../contract/reference.ts';

const PREFIX = 'LK';
const LETTERS_PER_GROUP = 4;
const REFERENCE_BYTES = 5;

/**
 * Encodes five bytes as a reference in the form LK-XXXX-XXXX.
 *
 * The 40 bits become eight letters of five bits each, so random bytes make every reference equally
 * likely. Throws a RangeError for another number of bytes.
 *
 * Spec: RESERVATION-1.
 */
export function referenceFrom(bytes: Uint8Array): string {
  if (bytes.length !== REFERENCE_BYTES) {
    throw new RangeError(`a reference takes ${REFERENCE_BYTES} bytes, not ${bytes.length}`);
  }
  let rest = bytes.reduce((number, byte) => number * 256 + byte, 0);
  let letters = '';
  while (letters.length < 2 * LETTERS_PER_GROUP) {
    letters = referenceLetters.charAt(rest % referenceLetters.length) + letters;
    rest = Math.floor(rest / referenceLetters.length);
  }
  return `${PREFIX}-${letters.slice(0, LETTERS_PER_GROUP)}-${letters.slice(LETTERS_PER_GROUP)}`;
}

/**
 * Whether a text has the form of a reference that this service creates.
 *
 * Older reservations may have another form, so lookups do not require this form.
 *
 * Spec: RESERVATION-1.
 */
export function isReference(text: string): boolean {
  return referenceForm.test(text);
}
