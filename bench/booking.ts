import { randomUUID } from 'node:crypto';
import { createClient, type LatchkeyClient } from '../packages/partner/src/index.ts';
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

/** The payment method that the stand-in of the card provider makes for a setup. */
const methodOf = (setupReference: string): string => {
  const number = Number(setupReference.replace('seti_', '')) + 1;
  return `pm_${String(number).padStart(14, '0')}`;
};

/** A checkout that can be submitted. */
export interface ReadyCheckout {
  checkoutId: string;
  path: string;
  version: number;
  /** The header that a call of the checkout needs. */
  session: { 'session-capability': string };
  termsVersion: string;
}

const noHeaders = new Headers();

/** As much of a response as the client reads: a whole one costs as much as a cheap call of the service. */
const responseOf = (status: number, text: string): Response =>
  ({
    status,
    headers: noHeaders,
    text: () => Promise.resolve(text),
    json: () => Promise.resolve(JSON.parse(text) as unknown),
  }) as Response;

const lifetimeSeconds = 900;

/** The partners' client on one connection, with a token that it has. It never makes a call again. */
export class BookingClient {
  readonly #connection: RawConnection;
  readonly #client: LatchkeyClient;
  /** Calls that were made so far. */
  calls = 0;

  constructor(connection: RawConnection, { applicationId, token }: BenchPartner) {
    this.#connection = connection;
    const exchanged = JSON.stringify({ access_token: token, expires_in: lifetimeSeconds });
    this.#client = createClient({
      baseUrl: '',
      applicationId,
      applicationKey: '',
      maxRetries: 0,
      fetch: async (path, { method, headers, body } = {}) => {
        if (path === '/oauth/token') return responseOf(200, exchanged);
        this.calls += 1;
        const given = headers as Record<string, string>;
        const request = requestBytes(method!, path as string, given, body as string | undefined);
        const response = await connection.send(request);
        return responseOf(response.status, response.body.toString());
      },
    });
  }

  static async open(port: number, partner: BenchPartner): Promise<BookingClient> {
    const client = new BookingClient(await RawConnection.open(port), partner);
    // The service closes a connection on which nothing comes for ten seconds.
    await client.#client.call('distribution.site.get');
    client.calls = 0;
    return client;
  }

  close(): void {
    this.#connection.close();
  }

  /** Searches for the first free stay. */
  async freeStay(): Promise<FreeStay> {
    const party = { adults: 2 };
    for (let ahead = 30; ahead < 120; ahead += 1) {
      const stay = { checkIn: dateAhead(ahead), checkOut: dateAhead(ahead + 3), party };
      const body = { ...stay, limit: 1 };
      const { items } = await this.#client.call('distribution.listing.search', { body });
      if (items[0]) return { listingId: items[0].listing.listingId, ...stay };
    }
    throw new Error('no free stay found');
  }

  /** Creates a quote and a checkout and saves the guest, so that the checkout is ready to submit. */
  async readyCheckout(stay: FreeStay): Promise<ReadyCheckout> {
    const quoteId = randomUUID();
    const checkoutId = randomUUID();
    const client = this.#client;
    const quote = await client.call('reservation.quote.create', { body: { quoteId, ...stay } });
    const body = { checkoutId, quoteId };
    const { sessionCapability: session = '' } = await client.call('reservation.checkout.create', {
      body,
    });
    const guest = {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: '+351912345678',
    };
    const input = { params: { checkoutId }, body: { expectedVersion: 1, guest } };
    await client.call('reservation.checkout.saveGuest', input, { session });
    return {
      checkoutId,
      path: `/v1/checkouts/${checkoutId}`,
      version: 2,
      session: { 'session-capability': session },
      termsVersion: quote.terms.version,
    };
  }

  /** Makes a complete partner-settled booking. */
  async book(stay: FreeStay): Promise<void> {
    const outcome = await this.submit(await this.readyCheckout(stay));
    if (outcome !== 'confirmed') throw new Error(`the booking is ${outcome}`);
  }

  /** Keeps the guest's card: polls without waiting until the setup is ready. */
  async #keepCard(checkout: ReadyCheckout): Promise<ReadyCheckout> {
    const { checkoutId, version } = checkout;
    const params = { checkoutId };
    const options = { session: checkout.session['session-capability'] };
    const begun = { params, body: { expectedVersion: version } };
    await this.#client.call('reservation.checkout.setupPayment', begun, options);
    for (;;) {
      const read = await this.#client.call('reservation.checkout.get', { params }, options);
      const { state, setupReference } = read.paymentSetup ?? {};
      if (state === 'pending') continue;
      if (state !== 'ready' || !setupReference) throw new Error(`the setup is ${state}`);
      const body = {
        expectedVersion: read.version,
        setupReference,
        paymentMethodId: methodOf(setupReference),
        consentAccepted: true,
      } as const;
      const input = { params, body };
      const kept = await this.#client.call('reservation.checkout.verifyPayment', input, options);
      return { ...checkout, version: kept.version };
    }
  }

  /** Makes a complete booking that the guest's card pays. */
  async bookByCard(stay: FreeStay): Promise<void> {
    const outcome = await this.submit(await this.#keepCard(await this.readyCheckout(stay)));
    if (outcome !== 'confirmed') throw new Error(`the booking is ${outcome}`);
  }

  /** Submits a checkout and polls without waiting until its outcome is known; reads the confirmation. */
  async submit({
    checkoutId,
    version: expectedVersion,
    session,
    termsVersion,
  }: ReadyCheckout): Promise<'confirmed' | 'sold_out'> {
    const params = { checkoutId };
    const options = { session: session['session-capability'] };
    const body = { expectedVersion, termsVersion, termsAccepted: true } as const;
    await this.#client.call('reservation.checkout.submit', { params, body }, options);
    for (;;) {
      const { state, failure } = await this.#client.call(
        'reservation.checkout.getStatus',
        { params },
        options,
      );
      if (state === 'confirmed') break;
      if (state === 'pending') continue;
      if (failure?.reason === 'sold_out') return 'sold_out';
      throw new Error(`the booking is ${state}`);
    }
    await this.#client.call('reservation.checkout.getConfirmation', { params }, options);
    return 'confirmed';
  }
}
