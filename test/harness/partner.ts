import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  rowOf,
  type BodyOf,
  type OperationId,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '../../src/contract/partner/operations.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import type {
  CheckoutStatus,
  CreatedCheckout,
  GuestInput,
} from '../../src/contract/partner/schemas/checkout.ts';
import type { Quote } from '../../src/contract/partner/schemas/quote.ts';
import { eventually } from './eventually.ts';
import type { Settlement } from '../../src/contract/wire.ts';
import { checkAgainstDocument, type DocumentCheck } from './document.ts';
import { send } from './http-client.ts';

/** Who calls. */
export interface Credentials {
  applicationId: string;
  applicationKey: string;
  keyId: string;
  settlement: Settlement;
}

/** The input of a call. `rawBody` is sent unchanged; headers here override others. */
export interface CallInput<Id extends OperationId> {
  params?: Partial<ParamsOf<Id>>;
  query?: Partial<QueryOf<Id>> | string;
  body?: BodyOf<Id>;
  rawBody?: string | Buffer;
  headers?: Record<string, string>;
  session?: string;
  /** Instead of the partner's own; null: none. */
  token?: string | null;
  /** On abort, the caller disconnects. */
  signal?: AbortSignal;
}

/** A received response. */
export interface CallReply {
  status: number;
  headers: Headers;
  body: unknown;
  text: string;
}

/** An error as it came. */
export interface CallError {
  status: number;
  code: ErrorCode;
  details: unknown;
  retryAfterSeconds: number | undefined;
  headers: Headers;
}

type SuccessOf<Id extends OperationId> = ReplyOf<Id>['body'];

const encoded = (value: unknown): string => encodeURIComponent(String(value));

function urlOf(origin: string, path: string, input: CallInput<OperationId>): string {
  const params = (input.params ?? {}) as Record<string, unknown>;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(params[name]));
  const { query } = input;
  if (query === undefined) return `${origin}${filled}`;
  if (typeof query === 'string') return `${origin}${filled}?${query}`;
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encoded(value)}`);
  return `${origin}${filled}?${pairs.join('&')}`;
}

/** A guest with the normal outcome, or that of a suffix. */
export const guest = (suffix?: string): GuestInput => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: suffix === undefined ? 'ada@example.com' : `ada+${suffix}@example.com`,
  phone: '+351912345678',
});

type RequestBody = BodyOf<'reservation.reservationRequest.create'>;

/** What requests a reservation of a quote. `more`: further members, or in place of these. */
export const requestOf = (
  { quoteId, terms }: { quoteId: string; terms: { version: string } },
  more: Partial<RequestBody> = {},
) => ({
  reservationRequestId: randomUUID() as string,
  quoteId,
  termsVersion: terms.version,
  termsAccepted: true as const,
  guest: guest(),
  ...more,
});

/** The date this many days from today, in UTC. */
export const daysAhead = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** The URL of a service, or of the one of several that gets the next call. */
export type Origin = string | (() => string);

/** A stay that a search has found. */
interface FreeStay {
  listingId: string;
  checkIn: string;
  checkOut: string;
  party: { adults: number };
}

/** A partner's server with a token. Every response is checked against the document. */
export class Partner {
  readonly credentials: Credentials;
  readonly #origin: Origin;
  readonly #check: DocumentCheck;
  #token: Promise<string> | null = null;

  constructor(origin: Origin, credentials: Credentials, check = checkAgainstDocument) {
    this.#origin = origin;
    this.credentials = credentials;
    this.#check = check;
  }

  /** Where the next call goes. */
  get origin(): string {
    return typeof this.#origin === 'string' ? this.#origin : this.#origin();
  }

  /** A token, cached from the first call; concurrent calls share it. */
  token(): Promise<string> {
    this.#token ??= this.freshToken();
    return this.#token;
  }

  async freshToken(form: Record<string, string> = {}): Promise<string> {
    const { applicationId, applicationKey } = this.credentials;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: applicationId,
      client_secret: applicationKey,
      ...form,
    });
    const { status, text } = await send(`${this.origin}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    });
    assert.equal(status, 200, text);
    return (JSON.parse(text) as { access_token: string }).access_token;
  }

  /** Calls an operation and returns any response. */
  async call<Id extends OperationId>(id: Id, input: CallInput<Id> = {}): Promise<CallReply> {
    const row = rowOf(id);
    const token = input.token === undefined ? await this.token() : input.token;
    const body =
      input.rawBody ?? (input.body === undefined ? undefined : JSON.stringify(input.body));
    const url = urlOf(this.origin, row.path, input as CallInput<OperationId>);
    const { status, headers, text } = await send(url, {
      method: row.method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(input.session !== undefined && { 'session-capability': input.session }),
        ...input.headers,
      },
      ...(body !== undefined && { body }),
      ...(input.signal && { signal: input.signal }),
    });
    const parsed = text === '' ? undefined : (JSON.parse(text) as unknown);
    this.#check(id, status, parsed);
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
    return { status, headers, body: parsed, text };
  }

  /** Calls an operation that must succeed; returns its body. */
  async succeed<Id extends OperationId>(
    id: Id,
    input: CallInput<Id> = {},
    status?: number,
  ): Promise<SuccessOf<Id>> {
    const reply = await this.call(id, input);
    assert.ok(reply.status < 300, `${id} returned ${reply.status}: ${reply.text}`);
    if (status !== undefined) assert.equal(reply.status, status, reply.text);
    return reply.body as SuccessOf<Id>;
  }

  /** Calls an operation that must be refused; returns the error. */
  async refused<Id extends OperationId>(id: Id, input: CallInput<Id> = {}): Promise<CallError> {
    const { status, headers, body, text } = await this.call(id, input);
    assert.ok(status >= 400, `${id} returned ${status}: ${text}`);
    const { error } = body as {
      error: CallError & { requestId: string; retryAfterSeconds?: number };
    };
    assert.equal(error.requestId, headers.get('x-request-id'));
    return {
      status,
      headers,
      code: error.code,
      details: error.details,
      retryAfterSeconds: error.retryAfterSeconds,
    };
  }

  /** A stay that can be quoted now: the first that a search finds. */
  async freeStay(nights = 3, aheadDays = 30): Promise<FreeStay> {
    const party = { adults: 2 };
    for (let days = aheadDays; days < aheadDays + 60; days += 1) {
      const checkIn = daysAhead(days);
      const checkOut = daysAhead(days + nights);
      const body = { checkIn, checkOut, party, limit: 50 };
      const { items } = await this.succeed('distribution.listing.search', { body });
      const [first] = items;
      if (first) return { listingId: first.listing.listingId, checkIn, checkOut, party };
    }
    throw new Error('nothing is free');
  }

  /** A quote for a stay. */
  async #quoteOf(stay: FreeStay): Promise<Quote> {
    const body = { quoteId: randomUUID(), ...stay };
    return this.succeed('reservation.quote.create', { body });
  }

  /**
   * A quote for a free stay. A search learns within a second what another process has taken, and until then
   * the quote is refused: then the partner searches again.
   */
  async quote(stay?: FreeStay): Promise<Quote> {
    if (stay) return this.#quoteOf(stay);
    let quote: Quote | undefined;
    await eventually(async () => {
      const body = { quoteId: randomUUID(), ...(await this.freeStay()) };
      const reply = await this.call('reservation.quote.create', { body });
      const { error } = reply.body as { error?: { details?: { reason?: string } } };
      if (reply.status === 409 && error?.details?.reason === 'unavailable') return false;
      assert.equal(reply.status, 201, reply.text);
      quote = reply.body as Quote;
      return true;
    });
    return quote!;
  }

  /** A new checkout, with what later calls on it take. */
  async checkout(quote?: Quote, checkoutId: string = randomUUID()): Promise<OpenCheckout> {
    const accepted = quote ?? (await this.quote());
    const body = { checkoutId, quoteId: accepted.quoteId };
    const created = await this.succeed('reservation.checkout.create', { body });
    assert.ok(created.sessionCapability);
    return {
      quote: accepted,
      created,
      at: { params: { checkoutId: created.checkoutId }, session: created.sessionCapability },
    };
  }

  /** A partner-settled checkout that can be submitted. */
  async readyCheckout(suffix?: string, quote?: Quote): Promise<OpenCheckout> {
    const open = await this.checkout(quote);
    const body = { expectedVersion: 1, guest: guest(suffix) };
    await this.succeed('reservation.checkout.saveGuest', { ...open.at, body });
    return open;
  }

  /** A partner-settled checkout that was submitted. */
  async submittedCheckout(suffix?: string, quote?: Quote): Promise<OpenCheckout> {
    const open = await this.readyCheckout(suffix, quote);
    await this.submit(open);
    return open;
  }

  /** Submits a checkout of `readyCheckout`. */
  async submit(open: OpenCheckout): Promise<void> {
    const termsVersion = open.quote.terms.version;
    const body = { expectedVersion: 2, termsVersion, termsAccepted: true as const };
    await this.succeed('reservation.checkout.submit', { ...open.at, body }, 202);
  }

  /** The status, once it is one of these states; fails after `withinMs`. */
  async statusOnce(
    open: OpenCheckout,
    states: readonly CheckoutStatus['state'][],
    withinMs = 15_000,
  ): Promise<CheckoutStatus> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const status = await this.succeed('reservation.checkout.getStatus', open.at);
      if (states.includes(status.state)) return status;
      assert.ok(Date.now() < deadline, `still ${status.state} after ${withinMs} ms`);
      await sleep(25);
    }
  }

  /** Requests a reservation of a quote; `more` as in `requestOf`. */
  async request(quote?: Quote, more?: Partial<RequestBody>) {
    const body = requestOf(quote ?? (await this.quote()), more);
    return this.succeed('reservation.reservationRequest.create', { body }, 202);
  }

  /** Requests a reservation, and waits until it is confirmed. */
  async requestedReservation(quote?: Quote, more?: Partial<RequestBody>) {
    const { reservationRequestId } = await this.request(quote, more);
    const params = { reservationRequestId };
    const read = () => this.succeed('reservation.reservationRequest.get', { params });
    await eventually(async () => (await read()).state === 'confirmed', 20_000);
    const { reference } = await read();
    return { reservationRequestId, reference: reference! };
  }

  /** A card-paying checkout whose payment setup is ready, as it then is. */
  async setUpCheckout(suffix?: string) {
    const open = await this.readyCheckout(suffix);
    const body = { expectedVersion: 2 };
    await this.succeed('reservation.checkout.setupPayment', { ...open.at, body }, 202);
    return { open, checkout: await this.setUp(open) };
  }

  /** Waits until the payment setup of the checkout has a result. */
  async setUp(open: OpenCheckout, withinMs = 15_000) {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const checkout = await this.succeed('reservation.checkout.get', open.at);
      if (checkout.paymentSetup && checkout.paymentSetup.state !== 'pending') return checkout;
      assert.ok(Date.now() < deadline, 'the payment setup has no result');
      await sleep(25);
    }
  }
}

/** A checkout and what calls on it take. */
export interface OpenCheckout {
  quote: Quote;
  created: CreatedCheckout;
  at: { params: { checkoutId: string }; session: string };
}
