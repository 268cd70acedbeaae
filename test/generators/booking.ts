/** The steps of a booking, by whatever client a generator has made. */

/** The credentials from the operator, and the stay that a guest chose. */
export interface Booking {
  baseUrl: string;
  applicationId: string;
  applicationKey: string;
  checkIn: string;
  checkOut: string;
}

/** What names a checkout and lets its owner in. */
export interface At {
  checkoutId: string;
  capability: string;
}

interface Stay {
  checkIn: string;
  checkOut: string;
  party: { adults: number };
}

/** The calls of a booking, with the members that a booking needs. */
export interface Calls {
  search(body: Stay): Promise<{ items: { listing: { listingId: string } }[] }>;
  quote(
    body: Stay & { quoteId: string; listingId: string },
  ): Promise<{ terms: { version: string } }>;
  checkout(body: {
    checkoutId: string;
    quoteId: string;
  }): Promise<{ version: number; sessionCapability?: string }>;
  saveGuest(
    at: At,
    body: {
      expectedVersion: number;
      guest: { firstName: string; lastName: string; email: string; phone: string };
    },
  ): Promise<{ version: number }>;
  submit(
    at: At,
    body: { expectedVersion: number; termsVersion: string; termsAccepted: true },
  ): Promise<unknown>;
  status(at: At): Promise<{
    state: string;
    nextActions: string[];
    pollAfterSeconds?: number;
    failure?: { reason: string };
  }>;
  confirmation(at: At): Promise<{ reference: string }>;
}

const pause = (seconds: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000);
  });

/** Books the first home that is free and returns the reference. */
export async function bookBy(calls: Calls, { checkIn, checkOut }: Booking): Promise<string> {
  const stay = { checkIn, checkOut, party: { adults: 2 } };
  const [home] = (await calls.search(stay)).items;
  if (!home) throw new Error('nothing is free');
  const quoteId = crypto.randomUUID();
  const { terms } = await calls.quote({ ...stay, quoteId, listingId: home.listing.listingId });
  const checkoutId = crypto.randomUUID();
  const created = await calls.checkout({ checkoutId, quoteId });
  const at = { checkoutId, capability: created.sessionCapability ?? '' };
  const guest = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+351912345678',
  };
  const { version } = await calls.saveGuest(at, { expectedVersion: created.version, guest });
  const accepted = { termsVersion: terms.version, termsAccepted: true as const };
  await calls.submit(at, { expectedVersion: version, ...accepted });
  for (;;) {
    const { state, nextActions, pollAfterSeconds, failure } = await calls.status(at);
    if (state === 'failed' || state === 'expired') throw new Error(failure?.reason);
    if (nextActions.includes('view_confirmation')) break;
    await pause(pollAfterSeconds ?? 2);
  }
  return (await calls.confirmation(at)).reference;
}
