/** A booking as a partner writes it with `orval` and its client of `fetch`. */
import { bookBy, type Booking } from '../booking.js';
import { access } from './fetcher.js';
import {
  type CheckoutState,
  distributionListingSearch,
  type PartyInput,
  reservationCheckoutCreate,
  reservationCheckoutGetConfirmation,
  reservationCheckoutGetStatus,
  reservationCheckoutSaveGuest,
  reservationCheckoutSubmit,
  reservationQuoteCreate,
  token,
} from './generated/client.js';

type Answer = { status: number; data: unknown };
type Success<A extends Answer> = Extract<A, { status: 200 | 201 | 202 }>['data'];

async function must<A extends Answer>(call: Promise<A>): Promise<Success<A>> {
  const { status, data } = await call;
  if (status >= 300) throw new Error(JSON.stringify(data));
  return data as Success<A>;
}

// This generator leaves headers to the options of `fetch`.
const having = (capability: string) => ({ headers: { 'Session-Capability': capability } });

/** Books the first home that is free and returns the reference. */
export async function book(booking: Booking): Promise<string> {
  access.baseUrl = booking.baseUrl;
  const { access_token } = await must(
    token({
      grant_type: 'client_credentials',
      client_id: booking.applicationId,
      client_secret: booking.applicationKey,
    }),
  );
  access.token = access_token;
  return bookBy(
    {
      search: (body) => must(distributionListingSearch(body)),
      quote: (body) => must(reservationQuoteCreate(body)),
      checkout: (body) => must(reservationCheckoutCreate(body)),
      saveGuest: ({ checkoutId, capability }, body) =>
        must(reservationCheckoutSaveGuest(checkoutId, body, having(capability))),
      submit: ({ checkoutId, capability }, body) =>
        must(reservationCheckoutSubmit(checkoutId, body, having(capability))),
      status: ({ checkoutId, capability }) =>
        must(reservationCheckoutGetStatus(checkoutId, having(capability))),
      confirmation: ({ checkoutId, capability }) =>
        must(reservationCheckoutGetConfirmation(checkoutId, having(capability))),
    },
    booking,
  );
}

/** What must not compile. */
export function mistakes(): void {
  // @ts-expect-error adults are missing
  const party: PartyInput = { children: 2 };
  // A state that does not exist yet is a state.
  const state: CheckoutState = 'booked';
  void [party, state];
}
