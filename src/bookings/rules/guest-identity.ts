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
