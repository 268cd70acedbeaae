/** A booking as a partner writes it with `@hey-api/openapi-ts`. */
import { createClient, type Client } from './generated/client/index.js';
import {
  distributionListingSearch,
  reservationCheckoutCreate,
  reservationCheckoutGet,
  reservationCheckoutGetConfirmation,
  reservationCheckoutGetStatus,
  reservationCheckoutSaveGuest,
  reservationCheckoutSetupPayment,
  reservationCheckoutSubmit,
  reservationQuoteCreate,
  token,
} from './generated/sdk.gen.js';
import type {
  CheckoutResolvedWebhook,
  CheckoutState,
  ErrorEnvelope,
  NextAction,
  PartyInput,
  ServiceError,
} from './generated/types.gen.js';

/** The credentials from the operator, and the stay that a guest chose. */
export interface Booking {
  baseUrl: string;
  applicationId: string;
  applicationKey: string;
  checkIn: string;
  checkOut: string;
}

/** Says in words what went wrong; the code tells which details there are. */
export function explain(envelope: ErrorEnvelope): string {
  const error = envelope.error as ServiceError;
  switch (error.code) {
    case 'invalid_input':
      return error.details.fields.map(({ path, message }) => `${path} ${message}`).join(', ');
    case 'conflict':
      return error.details.reason === 'unavailable' ? 'no longer free' : error.message;
    case 'policy_restricted':
      return error.details.reason === 'min_nights' ? 'too short' : error.message;
    default:
      return error.retryable ? `again in ${error.retryAfterSeconds} s` : error.message;
  }
}

/** What to do next; an action that this program does not know means: read again later. */
export function next(action: NextAction): 'wait' | 'done' | 'act' {
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
export const placeOf = (event: CheckoutResolvedWebhook): number | undefined => event.sequence;

const pause = (seconds: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, seconds * 1000);
  });

function must<T>(response: { data?: T; error?: ErrorEnvelope }): T {
  if (response.data === undefined) throw new Error(response.error && explain(response.error));
  return response.data;
}

async function authorized(booking: Booking): Promise<Client> {
  const { baseUrl, applicationId, applicationKey } = booking;
  const body = {
    grant_type: 'client_credentials' as const,
    client_id: applicationId,
    client_secret: applicationKey,
  };
  const exchanged = await token({ client: createClient({ baseUrl }), body });
  if (!exchanged.data) throw new Error(exchanged.error.error_description);
  return createClient({ baseUrl, auth: exchanged.data.access_token });
}

/** Books the first home that is free and returns the reference. */
export async function book(booking: Booking): Promise<string> {
  const { checkIn, checkOut } = booking;
  const client = await authorized(booking);
  const party = { adults: 2 };
  const search = { checkIn, checkOut, party: { adults: 2 } };
  const found = must(await distributionListingSearch({ client, body: search }));
  const home = found.items[0];
  if (!home) throw new Error('nothing is free');
  const { listingId } = home.listing;
  const quoteId = crypto.randomUUID();
  const quote = must(
    await reservationQuoteCreate({
      client,
      body: { quoteId, listingId, checkIn, checkOut, party },
    }),
  );
  const checkoutId = crypto.randomUUID();
  const created = must(await reservationCheckoutCreate({ client, body: { checkoutId, quoteId } }));
  const headers = { 'Session-Capability': created.sessionCapability ?? '' };
  const on = { client, path: { checkoutId }, headers };
  const guest = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+351912345678',
  };
  const saving = { expectedVersion: created.version, guest };
  const ready = must(await reservationCheckoutSaveGuest({ ...on, body: saving }));
  must(
    await reservationCheckoutSubmit({
      ...on,
      body: {
        expectedVersion: ready.version,
        termsVersion: quote.terms.version,
        termsAccepted: true,
      },
    }),
  );
  for (;;) {
    const status = must(await reservationCheckoutGetStatus(on));
    const state: CheckoutState = status.state;
    if (state === 'failed' || state === 'expired') throw new Error(status.failure?.reason);
    if (status.nextActions.some((action) => next(action) === 'done')) break;
    await pause(status.pollAfterSeconds ?? 2);
  }
  return must(await reservationCheckoutGetConfirmation(on)).reference;
}

/** Begins the payment of a card-paying checkout: the version is all that there is to say. */
export const setUpPayment = (client: Client, checkoutId: string, secret: string) =>
  reservationCheckoutSetupPayment({
    client,
    path: { checkoutId },
    headers: { 'Session-Capability': secret, 'If-Match': '"2"' },
  });

/** What must not compile. */
export function mistakes(client: Client, checkoutId: string): void {
  // @ts-expect-error the session capability is missing
  void reservationCheckoutGet({ client, path: { checkoutId } });
  // @ts-expect-error adults are missing
  const party: PartyInput = { children: 2 };
  // A state that does not exist yet is a state.
  const state: CheckoutState = 'booked';
  void [party, state];
}
