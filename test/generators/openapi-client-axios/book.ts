/** A booking as a partner writes it with `openapi-client-axios` and its types. */
import { OpenAPIClientAxios } from 'openapi-client-axios';
import { bookBy, type Booking } from '../booking.js';
import type { Client, Components } from './generated/client.js';

async function must<T>(call: Promise<{ data: T }>): Promise<T> {
  return (await call).data;
}

/** The client of a base URL. It reads the document of the service when it starts. */
function clientOf(baseUrl: string): Promise<Client> {
  const definition = `${baseUrl}/openapi.json`;
  return new OpenAPIClientAxios({ definition, withServer: { url: baseUrl } }).init<Client>();
}

/** Books the first home that is free and returns the reference. */
export async function book(booking: Booking): Promise<string> {
  const client = await clientOf(booking.baseUrl);
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: booking.applicationId,
    client_secret: booking.applicationKey,
  });
  const { data } = await client.post<Components.Schemas.TokenAnswer>('/oauth/token', form);
  client.defaults.headers.common['authorization'] = `Bearer ${data.access_token}`;
  const at = ({ checkoutId, capability }: { checkoutId: string; capability: string }) => ({
    checkoutId,
    'Session-Capability': capability,
  });
  return bookBy(
    {
      search: (body) => must(client['distribution.listing.search'](null, body)),
      quote: (body) => must(client['reservation.quote.create'](null, body)),
      checkout: (body) => must(client['reservation.checkout.create'](null, body)),
      saveGuest: (of, body) => must(client['reservation.checkout.saveGuest'](at(of), body)),
      submit: (of, body) => must(client['reservation.checkout.submit'](at(of), body)),
      status: (of) => must(client['reservation.checkout.getStatus'](at(of))),
      confirmation: (of) => must(client['reservation.checkout.getConfirmation'](at(of))),
    },
    booking,
  );
}

/** What must not compile. */
export function mistakes(): void {
  // @ts-expect-error adults are missing
  const party: Components.Schemas.PartyInput = { children: 2 };
  // A state that does not exist yet is a state.
  const state: Components.Schemas.CheckoutState = 'booked';
  void [party, state];
}
