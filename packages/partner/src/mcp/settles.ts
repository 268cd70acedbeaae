/** Whether an application settles with its guests itself: only such a one may request reservations. */
import type { LatchkeyClient } from '../client/client.ts';
import { LatchkeyError, NoAnswerError } from '../client/errors.ts';

const dayMs = 86_400_000;
const soonestDays = 30;
const farthestDays = 120;
const stepDays = 15;

const dateIn = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

async function quoteSomething(client: LatchkeyClient): Promise<string | null> {
  for (let days = soonestDays; days <= farthestDays; days += stepDays) {
    const stay = { checkIn: dateIn(days), checkOut: dateIn(days + 3), party: { adults: 1 } };
    const { items } = await client.call('distribution.listing.search', {
      body: { ...stay, limit: 1 },
    });
    if (!items[0]) continue;
    const body = { ...stay, listingId: items[0].listing.listingId };
    return (await client.call('reservation.quote.create', { body })).quoteId;
  }
  return null;
}

/**
 * Asks the service, which shows the settlement of an application nowhere before a checkout: by a request with terms that
 * no quote has. It can reserve nothing. An application that may not request at all is refused before. Null: it did not
 * come so far.
 */
export async function settlesItself(client: LatchkeyClient): Promise<boolean | null> {
  try {
    const quoteId = await quoteSomething(client);
    if (quoteId === null) return null;
    const guest = { firstName: 'No', lastName: 'One', email: 'nobody@example.com', phone: '+10' };
    const body = { quoteId, termsVersion: 'of no quote', termsAccepted: true, guest } as const;
    await client.call('reservation.reservationRequest.create', { body });
    return null;
  } catch (error) {
    if (error instanceof NoAnswerError) return null;
    if (!(error instanceof LatchkeyError)) throw error;
    if (error.error.code === 'not_configured') return false;
    return error.error.code === 'conflict' ? true : null;
  }
}
