import type { GuestWanted } from '../../api/types.ts';

/** By what a person is exported and erased: the email, or one reservation. Undefined: neither was entered. */
export function namedBy({
  email,
  reference,
}: GuestWanted): { email: string } | { reference: string } | undefined {
  if (reference !== undefined) return { reference };
  return email === undefined ? undefined : { email };
}
