/** A booking as a partner writes it with `oazapfts`. */
import { bookBy, type Booking } from '../booking.js';
import {
  type CheckoutState,
  defaults,
  distributionListingSearch,
  type PartyInput,
  reservationCheckoutCreate,
  reservationCheckoutGet,
  reservationCheckoutGetConfirmation,
  reservationCheckoutGetStatus,
  reservationCheckoutSaveGuest,
  reservationCheckoutSubmit,
  reservationQuoteCreate,
  token,
} from './generated/client.js';

type Answer = { status: number; data: unknown };
/** The content of the successful ones of the answers of a call. */
type Success<A extends Answer> = Extract<A, { status: 200 | 201 | 202 }>['data'];

const isSuccess = <A extends Answer>(
  answer: A,
): answer is Extract<A, { status: 200 | 201 | 202 }> => answer.status < 300;

async function must<A extends Answer>(call: Promise<A>): Promise<Success<A>> {
  const answer = await call;
  if (isSuccess(answer)) return answer.data;
  throw new Error(JSON.stringify(answer.data));
}

/** Books the first home that is free and returns the reference. */
export async function book(booking: Booking): Promise<string> {
  defaults.baseUrl = booking.baseUrl;
  const { access_token } = await must(
    token({
      grant_type: 'client_credentials',
      client_id: booking.applicationId,
      client_secret: booking.applicationKey,
    }),
  );
  defaults.headers = { authorization: `Bearer ${access_token}` };
  return bookBy(
    {
      search: (body) => must(distributionListingSearch(body)),
      quote: (body) => must(reservationQuoteCreate(body)),
      checkout: (body) => must(reservationCheckoutCreate(body)),
      saveGuest: ({ checkoutId, capability }, body) =>
        must(reservationCheckoutSaveGuest(checkoutId, capability, body)),
      submit: ({ checkoutId, capability }, body) =>
        must(reservationCheckoutSubmit(checkoutId, capability, body)),
      status: ({ checkoutId, capability }) =>
        must(reservationCheckoutGetStatus(checkoutId, capability)),
      confirmation: ({ checkoutId, capability }) =>
        must(reservationCheckoutGetConfirmation(checkoutId, capability)),
    },
    booking,
  );
}

/** What must not compile. */
export function mistakes(checkoutId: string): void {
  // @ts-expect-error the session capability is missing
  void reservationCheckoutGet(checkoutId);
  // @ts-expect-error adults are missing
  const party: PartyInput = { children: 2 };
  // A state that does not exist yet is a state.
  const state: CheckoutState = 'booked';
  void [party, state];
}
