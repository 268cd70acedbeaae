/** A booking as a partner writes it with `openapi-typescript-codegen`; its modules need a bundler. */
import { bookBy, type Booking } from '../booking';
import {
  AvailabilityService,
  BookingService,
  type CheckoutState,
  OpenAPI,
  type PartyInput,
  type TokenAnswer,
} from './generated';

/** This generator sends every form as `multipart/form-data`, which OAuth does not know. */
async function tokenOf({ baseUrl, applicationId, applicationKey }: Booking): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: applicationId,
    client_secret: applicationKey,
  });
  const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body });
  return ((await response.json()) as TokenAnswer).access_token;
}

/** Books the first home that is free and returns the reference. */
export async function book(booking: Booking): Promise<string> {
  OpenAPI.BASE = booking.baseUrl;
  OpenAPI.TOKEN = await tokenOf(booking);
  return bookBy(
    {
      search: (requestBody) => AvailabilityService.distributionListingSearch({ requestBody }),
      quote: (requestBody) => BookingService.reservationQuoteCreate({ requestBody }),
      checkout: (requestBody) => BookingService.reservationCheckoutCreate({ requestBody }),
      saveGuest: ({ checkoutId, capability: sessionCapability }, requestBody) =>
        BookingService.reservationCheckoutSaveGuest({ checkoutId, sessionCapability, requestBody }),
      submit: ({ checkoutId, capability: sessionCapability }, requestBody) =>
        BookingService.reservationCheckoutSubmit({ checkoutId, sessionCapability, requestBody }),
      status: ({ checkoutId, capability: sessionCapability }) =>
        BookingService.reservationCheckoutGetStatus({ checkoutId, sessionCapability }),
      confirmation: ({ checkoutId, capability: sessionCapability }) =>
        BookingService.reservationCheckoutGetConfirmation({ checkoutId, sessionCapability }),
    },
    booking,
  );
}

/** What must not compile. */
export function mistakes(checkoutId: string): void {
  // @ts-expect-error the session capability is missing
  void BookingService.reservationCheckoutGet({ checkoutId });
  // @ts-expect-error adults are missing
  const party: PartyInput = { children: 2 };
  // A state that does not exist yet is a state.
  const state: CheckoutState = 'booked';
  void [party, state];
}
