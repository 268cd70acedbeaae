import { randomUUID } from 'node:crypto';
import { RawConnection, requestBytes } from './http-client.ts';
import type { BenchPartner } from './bench-system.ts';

/** A stay that is free. */
export interface FreeStay {
  listingId: string;
  checkIn: string;
  checkOut: string;
  party: { adults: number };
}

const dayMs = 86_400_000;
const dateAhead = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

type Json = Record<string, unknown>;

/** The payment method that the stand-in of the card provider makes for a setup. */
const methodOf = (setupReference: string): string => {
  const number = Number(setupReference.replace('seti_', '')) + 1;
  return `pm_${String(number).padStart(14, '0')}`;
};

/** A checkout that can be submitted. */
export interface ReadyCheckout {
  path: string;
  version: number;
  session: Record<string, string>;
  termsVersion: string;
}

/** A partner's client on one connection. */
export class BookingClient {
  readonly #connection: RawConnection;
  readonly #headers: Record<string, string>;
  /** Calls that were made so far. */
  calls = 0;

  constructor(connection: RawConnection, { token }: BenchPartner) {
    this.#connection = connection;
    this.#headers = { authorization: `Bearer ${token}` };
  }

  static async open(port: number, partner: BenchPartner): Promise<BookingClient> {
    const client = new BookingClient(await RawConnection.open(port), partner);
    // The service closes a connection on which nothing comes for ten seconds.
    await client.#call('GET', '/v1/site');
    client.calls = 0;
    return client;
  }

  close(): void {
    this.#connection.close();
  }

  async #call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Json> {
    const request = requestBytes(method, path, { ...this.#headers, ...headers }, body);
    this.calls += 1;
    const response = await this.#connection.send(request);
    const text = response.body.toString();
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Json;
  }

  /** Searches for the first free stay. */
  async freeStay(): Promise<FreeStay> {
    const party = { adults: 2 };
    for (let ahead = 30; ahead < 120; ahead += 1) {
      const stay = { checkIn: dateAhead(ahead), checkOut: dateAhead(ahead + 3), party };
      const { items } = await this.#call('POST', '/v1/listings/search', { ...stay, limit: 1 });
      const [first] = items as { listing: { listingId: string } }[];
      if (first) return { listingId: first.listing.listingId, ...stay };
    }
    throw new Error('no free stay found');
  }

  /** Creates a quote and a checkout and saves the guest, so that the checkout is ready to submit. */
  async readyCheckout(stay: FreeStay): Promise<ReadyCheckout> {
    const quoteId = randomUUID();
    const checkoutId = randomUUID();
    const quote = await this.#call('POST', '/v1/quotes', { quoteId, ...stay });
    const created = await this.#call('POST', '/v1/checkouts', { checkoutId, quoteId });
    const session = { 'session-capability': String(created['sessionCapability']) };
    const guest = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: '+351912345678',
    };
    const path = `/v1/checkouts/${checkoutId}`;
    await this.#call('PATCH', `${path}/guest`, { expectedVersion: 1, guest }, session);
    const { version } = quote['terms'] as { version: string };
    return { path, version: 2, session, termsVersion: version };
  }

  /** Makes a complete partner-settled booking. */
  async book(stay: FreeStay): Promise<void> {
    const outcome = await this.submit(await this.readyCheckout(stay));
    if (outcome !== 'confirmed') throw new Error(`the booking is ${outcome}`);
  }

  /** Keeps the guest's card: polls without waiting until the setup is ready. */
  async #keepCard(checkout: ReadyCheckout): Promise<ReadyCheckout> {
    const { path, session, version } = checkout;
    await this.#call('POST', `${path}/payment-setup`, { expectedVersion: version }, session);
    for (;;) {
      const read = await this.#call('GET', path, undefined, session);
      const { state, setupReference } = read['paymentSetup'] as Record<string, string>;
      if (state === 'pending') continue;
      if (state !== 'ready' || !setupReference) throw new Error(`the setup is ${state}`);
      const method = {
        expectedVersion: Number(read['version']),
        setupReference,
        paymentMethodId: methodOf(setupReference),
        consentAccepted: true,
      };
      const kept = await this.#call('POST', `${path}/payment-method`, method, session);
      return { ...checkout, version: Number(kept['version']) };
    }
  }

  /** Makes a complete booking that the guest's card pays. */
  async bookByCard(stay: FreeStay): Promise<void> {
    const outcome = await this.submit(await this.#keepCard(await this.readyCheckout(stay)));
    if (outcome !== 'confirmed') throw new Error(`the booking is ${outcome}`);
  }

  /** Submits a checkout and polls without waiting until its outcome is known; reads the confirmation. */
  async submit({
    path,
    version: expectedVersion,
    session,
    termsVersion,
  }: ReadyCheckout): Promise<'confirmed' | 'sold_out'> {
    const submit = { expectedVersion, termsVersion, termsAccepted: true };
    await this.#call('POST', `${path}/submit`, submit, session);
    for (;;) {
      const { state, failure } = await this.#call('GET', `${path}/status`, undefined, session);
      if (state === 'confirmed') break;
      if (state === 'pending') continue;
      if ((failure as { reason?: string } | undefined)?.reason === 'sold_out') return 'sold_out';
      throw new Error(`the booking is ${String(state)}`);
    }
    await this.#call('GET', `${path}/confirmation`, undefined, session);
    return 'confirmed';
  }
}
