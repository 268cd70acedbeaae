/** A booking as a partner writes it with `openapi-typescript` and `openapi-fetch`. */
import createClient, { type Middleware } from 'openapi-fetch';
import type { components, paths } from './generated/schema.js';

type Schemas = components['schemas'];

/** The credentials from the operator, and the stay that a guest chose. */
export interface Booking {
  baseUrl: string;
  applicationId: string;
  applicationKey: string;
  checkIn: string;
  checkOut: string;
}

/** Says in words what went wrong; the code tells which details there are. */
export function explain(envelope: Schemas['ErrorEnvelope']): string {
  const error = envelope.error as Schemas['ServiceError'];
  switch (error.code) {
    case 'invalid_input':
      return error.details.fields.map(({ path, message }) => `${path} ${message}`).join(', ');
    case 'conflict':
      return error.details.reason === 'unavailable' ? 'no longer free' : error.message;
    default:
      return error.retryable ? `again in ${error.retryAfterSeconds} s` : error.message;
  }
}

/** What an event is about; one of a type that does not exist yet is about nothing known. */
export function aboutOf(item: Schemas['EventPage']['items'][number]): string | null {
  const event = item as Schemas['Event'];
  switch (event.type) {
    case 'checkout.resolved':
      return event.data.checkoutId;
    case 'reservation.changed':
      return event.data.reference;
    default:
      return null;
  }
}

/** What to do next; an action that this program does not know means: read again later. */
export function next(action: Schemas['NextAction']): 'wait' | 'done' | 'act' {
  switch (action) {
    case 'view_confirmation':
      return 'done';
    case 'save_guest':
    case 'submit':
      return 'act';
    default:
      return 'wait';
  }
}

/** The place of an event in the application's order; a test event has none. */
export const placeOf = (event: Schemas['CheckoutResolvedWebhook']): number | undefined =>
  event.sequence;

const pause = (seconds: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000);
  });

function must<T>(response: { data?: T; error?: Schemas['ErrorEnvelope'] }): T {
  if (response.data === undefined) throw new Error(response.error && explain(response.error));
  return response.data;
}

/** Books the first home that is free and returns the reference. */
export async function book(booking: Booking): Promise<string> {
  const { baseUrl, applicationId, applicationKey, checkIn, checkOut } = booking;
  const client = createClient<paths>({ baseUrl });
  const token = await client.POST('/oauth/token', {
    body: {
      grant_type: 'client_credentials',
      client_id: applicationId,
      client_secret: applicationKey,
    },
    bodySerializer: (form) => new URLSearchParams({ ...form }),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  if (!token.data) throw new Error(token.error.error_description);
  const bearer = `Bearer ${token.data.access_token}`;
  const authorize: Middleware = {
    onRequest: ({ request }) => request.headers.set('Authorization', bearer),
  };
  client.use(authorize);

  const party = { adults: 2 };
  const found = must(
    await client.POST('/v1/listings/search', { body: { checkIn, checkOut, party: { adults: 2 } } }),
  );
  const home = found.items[0];
  if (!home) throw new Error('nothing is free');
  const { listingId } = home.listing;
  const quoteId = crypto.randomUUID();
  const quote = must(
    await client.POST('/v1/quotes', { body: { quoteId, listingId, checkIn, checkOut, party } }),
  );
  const checkoutId = crypto.randomUUID();
  const created = must(await client.POST('/v1/checkouts', { body: { checkoutId, quoteId } }));
  const header = { 'Session-Capability': created.sessionCapability ?? '' };
  const params = { path: { checkoutId }, header };
  const guest = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+351912345678',
  };
  const ready = must(
    await client.PATCH('/v1/checkouts/{checkoutId}/guest', {
      params,
      body: { expectedVersion: created.version, guest },
    }),
  );
  must(
    await client.POST('/v1/checkouts/{checkoutId}/submit', {
      params,
      body: {
        expectedVersion: ready.version,
        termsVersion: quote.terms.version,
        termsAccepted: true,
      },
    }),
  );
  for (;;) {
    const status = must(await client.GET('/v1/checkouts/{checkoutId}/status', { params }));
    const state: Schemas['CheckoutState'] = status.state;
    if (state === 'failed' || state === 'expired') throw new Error(status.failure?.reason);
    if (status.nextActions.some((action) => next(action) === 'done')) break;
    await pause(status.pollAfterSeconds ?? 2);
  }
  const confirmation = must(
    await client.GET('/v1/checkouts/{checkoutId}/confirmation', { params }),
  );
  return confirmation.reference;
}

/** Begins the payment of a card-paying checkout: the version is all that there is to say. */
export const setUpPayment = (baseUrl: string, checkoutId: string, secret: string) =>
  createClient<paths>({ baseUrl }).POST('/v1/checkouts/{checkoutId}/payment-setup', {
    params: {
      path: { checkoutId },
      header: { 'Session-Capability': secret, 'If-Match': '"2"' },
    },
  });

/** What must not compile. */
export function mistakes(baseUrl: string, checkoutId: string): void {
  const client = createClient<paths>({ baseUrl });
  // @ts-expect-error the session capability is missing
  void client.GET('/v1/checkouts/{checkoutId}', { params: { path: { checkoutId } } });
  // @ts-expect-error adults are missing
  const party: Schemas['PartyInput'] = { children: 2 };
  // A state that does not exist yet is a state.
  const state: Schemas['CheckoutState'] = 'booked';
  void [party, state];
}
