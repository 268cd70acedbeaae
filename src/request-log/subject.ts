import { isReference } from '../bookings/index.ts';
import { isUuid } from '../platform/uuid.ts';

// A listing is not a booking.
const named = ['checkoutId', 'reservationRequestId', 'reference'] as const;

/**
 * Returns the ID of the booking, quote or reservation that a call is about; null: none. IDs are in lower case.
 *
 * @param created the ID of the resource that the call creates; empty: it creates none
 */
export function subjectOf(
  params: Readonly<Record<string, string>>,
  created: string,
): string | null {
  if (created !== '') return created;
  const given = named.map((name) => params[name]).find((value) => value !== undefined);
  if (given === undefined || isReference(given)) return given ?? null;
  const id = given.toLowerCase();
  return isUuid(id) ? id : null;
}
