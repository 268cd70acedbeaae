/** More concurrent callers than a service can serve: each has its own connection and makes its next call after each response. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Quote } from '../../src/contract/partner/schemas/quote.ts';
import { guest, type OpenCheckout, type Partner } from '../harness/partner.ts';
import { RawConnection, requestText, type RawResponse } from '../harness/raw-http.ts';
import type { Stay } from './guests.ts';

/** A response and how long it took. */
export interface LoadResponse extends RawResponse {
  kind: Kind;
  ms: number;
}

/** A running load. */
export interface Load {
  responses: LoadResponse[];
  /** Complete calls without a response. */
  withoutResponse: { kind: Kind; sentAt: number }[];
  /** Connections that could not be opened. */
  refusedConnections: number;
  /** The checkouts whose submit returned 202. */
  accepted: string[];
  /** Stops the load; resolves when all sent calls have ended. */
  stop(): Promise<void>;
}

export type Kind = 'list' | 'search' | 'status' | 'quote' | 'create' | 'guest' | 'submit';

interface Request {
  line: string;
  headers?: Record<string, string>;
  body?: object;
}

const patienceMs = 20_000;
const pauseAfterRefusalMs = 25;

interface Place {
  origin: string;
  token: string;
  isOver(): boolean;
}

/** One caller; opens a new connection when the old one ends. */
class Caller {
  readonly #place: Place;
  readonly #seen: Load;
  #connection: RawConnection | null = null;

  constructor(place: Place, seen: Load) {
    this.#place = place;
    this.#seen = seen;
  }

  /** Repeats a refused call until it succeeds and returns the response; null: the load has ended. */
  async succeed(kind: Kind, request: Request): Promise<RawResponse | null> {
    while (!this.#place.isOver()) {
      const response = await this.#send(kind, request);
      if (!response) return null;
      if (response.status < 300) return response;
      await sleep(pauseAfterRefusalMs);
    }
    return null;
  }

  leave(): void {
    this.#connection?.close();
  }

  /** Null: the connection was refused, or there was no response. */
  async #send(kind: Kind, { line, headers, body }: Request): Promise<RawResponse | null> {
    this.#connection ??= await RawConnection.open(this.#place.origin).catch(() => null);
    if (!this.#connection) {
      this.#seen.refusedConnections += 1;
      return null;
    }
    const text = body === undefined ? '' : JSON.stringify(body);
    const common = {
      authorization: `Bearer ${this.#place.token}`,
      ...(text !== '' && { 'content-type': 'application/json' }),
    };
    const sentAt = performance.now();
    this.#connection.write(requestText(line, { ...common, ...headers }, text));
    const response = await this.#connection.response({ withinMs: patienceMs }).catch(() => null);
    if (!response) {
      this.#seen.withoutResponse.push({ kind, sentAt });
      return null;
    }
    this.#seen.responses.push({ ...response, kind, ms: performance.now() - sentAt });
    if (response.headers.get('connection') === 'close') {
      this.#connection.close();
      this.#connection = null;
    }
    return response;
  }
}

/** Parameters of the load. */
export interface LoadOptions {
  partner: Partner;
  stay: Stay;
  /** A checkout whose status is read. */
  known: OpenCheckout;
  callers: number;
}

type Way = (caller: Caller, options: LoadOptions, seen: Load) => Promise<boolean>;

async function readList(caller: Caller): Promise<boolean> {
  return (await caller.succeed('list', { line: 'GET /v1/listings?limit=5' })) !== null;
}

async function search(caller: Caller, { stay }: LoadOptions): Promise<boolean> {
  const { checkIn, checkOut, party } = stay;
  const body = { checkIn, checkOut, party, limit: 1 };
  return (await caller.succeed('search', { line: 'POST /v1/listings/search', body })) !== null;
}

async function readStatus(caller: Caller, { known: { at } }: LoadOptions): Promise<boolean> {
  const line = `GET /v1/checkouts/${at.params.checkoutId}/status`;
  const headers = { 'session-capability': at.session };
  return (await caller.succeed('status', { line, headers })) !== null;
}

/** Makes a partner-settled booking up to its submit. False: the load ended first. */
async function submit(caller: Caller, { stay }: LoadOptions, { accepted }: Load): Promise<boolean> {
  const quoteId = randomUUID();
  const checkoutId = randomUUID();
  const path = `/v1/checkouts/${checkoutId}`;
  const quoted = await caller.succeed('quote', {
    line: 'POST /v1/quotes',
    body: { quoteId, ...stay },
  });
  if (!quoted) return false;
  const created = await caller.succeed('create', {
    line: 'POST /v1/checkouts',
    body: { checkoutId, quoteId },
  });
  if (!created) return false;
  const { sessionCapability } = JSON.parse(created.text) as { sessionCapability: string };
  const headers = { 'session-capability': sessionCapability };
  const saved = { expectedVersion: 1, guest: guest() };
  if (!(await caller.succeed('guest', { line: `PATCH ${path}/guest`, headers, body: saved }))) {
    return false;
  }
  const { terms } = JSON.parse(quoted.text) as Quote;
  const body = { expectedVersion: 2, termsVersion: terms.version, termsAccepted: true };
  if (!(await caller.succeed('submit', { line: `POST ${path}/submit`, headers, body }))) {
    return false;
  }
  accepted.push(checkoutId);
  return true;
}

/** The activity of a caller by index: most callers book. */
const ways: readonly Way[] = [submit, submit, readList, submit, submit, readStatus, submit, search];

/** Starts the load. */
export async function startLoad(options: LoadOptions): Promise<Load> {
  const { partner, callers } = options;
  const token = await partner.token();
  let over = false;
  const going: Promise<void>[] = [];
  const load: Load = {
    responses: [],
    withoutResponse: [],
    refusedConnections: 0,
    accepted: [],
    async stop() {
      over = true;
      await Promise.all(going);
    },
  };

  async function go(way: Way): Promise<void> {
    const caller = new Caller({ isOver: () => over, origin: partner.origin, token }, load);
    while (await way(caller, options, load));
    caller.leave();
  }

  for (let index = 0; index < callers; index += 1) going.push(go(ways[index % ways.length]!));
  return load;
}
