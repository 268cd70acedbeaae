/** By what one person is recognized in several bookings. */

/** An email address as it is compared: case does not matter. */
export const emailOf = (email: string): string => email.trim().toLowerCase();

/** A telephone number as it is compared: its digits alone. */
export const phoneOf = (phone: string): string => phone.replaceAll(/\D/g, '');

const compared = (name: string): string =>
  name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Names as they are compared: case and runs of white space do not matter. */
export const namesOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => ({
  name: compared(`${firstName} ${lastName}`),
  lastName: compared(lastName),
});

/** How staff name a person; what is given must all fit. */
export interface Person {
  email?: string | undefined;
  phone?: string | undefined;
  /** The whole name, or the last name. */
  name?: string | undefined;
}

/** Whether a guest is the person that staff have named. */
export function isPerson(
  guest: { firstName: string; lastName: string; email: string; phone: string },
  { email, phone, name }: Person,
): boolean {
  const names = Object.values(namesOf(guest)).filter((one) => one !== '');
  return (
    (email === undefined || emailOf(guest.email) === emailOf(email)) &&
    (phone === undefined || phoneOf(guest.phone) === phoneOf(phone)) &&
    (name === undefined || names.includes(compared(name)))
  );
}

// What people write in different ways, written in one: Müller, Mueller and Muller are one word.
const spellings: readonly (readonly [RegExp, string])[] = [
  [/[ßẞ]|ss/g, 's'],
  [/[øö]|oe/g, 'o'],
  [/[æä]|ae/g, 'a'],
  [/ü|ue/g, 'u'],
  [/ł/g, 'l'],
  [/đ|ð/g, 'd'],
  [/ı/g, 'i'],
];

/** The words of a name as they are searched: case, accents, apostrophes and spellings of umlauts do not matter. */
export function nameWords(name: string): string[] {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}|['’`]/gu, '')
    .toLowerCase();
  const spelled = spellings.reduce((text, [from, to]) => text.replaceAll(from, to), plain);
  return [...new Set(spelled.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))];
}

/** How many of the last digits of a phone number are searched: what follows a country's code. */
const phoneEnds = [8, 6] as const;

/** The last digits of a phone number; null: it has not so many. */
const phoneEnd = (phone: string, digits: number): string | null => {
  const all = phoneOf(phone);
  return all.length < digits ? null : all.slice(-digits);
};

/** What a phone number is searched by; null: it has too few digits. */
export function phoneWord(phone: string): string | null {
  const found = phoneEnds.map((digits) => phoneEnd(phone, digits)).find((end) => end !== null);
  return found === undefined ? null : `phone ${found}`;
}

/** What a guest is found by: each word of the name, and the ends of the phone number. */
export function searchWords(guest: {
  firstName: string;
  lastName: string;
  phone: string;
}): string[] {
  const ends = phoneEnds.map((digits) => phoneEnd(guest.phone, digits));
  return [
    ...nameWords(`${guest.firstName} ${guest.lastName}`).map((word) => `word ${word}`),
    ...ends.filter((end) => end !== null).map((end) => `phone ${end}`),
  ];
}
