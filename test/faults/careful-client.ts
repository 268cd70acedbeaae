/**
 * A correct partner's server: the client of packages/partner over connections that record every attempt, send some
 * twice at once, and lose some responses.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createClient,
  LatchkeyError,
  type LatchkeyClient,
} from '../../packages/partner/src/index.ts';
import type { ErrorCode } from '../../src/contract/errors.ts';
import {
  operationIds,
  type OperationId,
  operations,
  type ReplyOf,
  rowOf,
} from '../../src/contract/partner/operations.ts';
import type { CallInput, CallReply, Partner } from '../harness/partner.ts';
import { connectionOf, send } from '../harness/http-client.ts';
import type { Called, History, NoResponse, Seen } from './history.ts';
import type { Chance } from '../harness/chance.ts';

/** An unexpected response; it is already in the history. */
export class Surprise extends Error {}

type Success<Id extends OperationId> = ReplyOf<Id>['body'];
type Input<Id extends OperationId> = Pick<CallInput<Id>, 'params' | 'body' | 'session'> & {
  query?: Exclude<CallInput<Id>['query'], string>;
};

// Twice the guaranteed time: a call that takes longer hangs.
const patienceMs = 12_000;
// Tests do not wait for the whole requested delay.
const longestPauseMs = 250;
const unclear = new Set([401, 429, 503, 504]);
const twiceAtOnce = 0.15;
const responseDiscarded = 0.1;
const nothing: ReadonlySet<ErrorCode> = new Set();

interface AnyBody {
  version?: number;
  state?: string;
  reference?: string | null;
  error?: { code: ErrorCode; retryAfterSeconds?: number };
}

function seenIn(body: AnyBody): Seen | null {
  if (body.version === undefined || body.state === undefined) return null;
  return { version: body.version, state: body.state, reference: body.reference ?? null };
}

function responseOf(reply: CallReply): Called['response'] {
  const body = (reply.body ?? {}) as AnyBody;
  const delayed =
    (body.error?.retryAfterSeconds ?? 0) >= 1 && Number(reply.headers.get('retry-after')) >= 1;
  return {
    status: reply.status,
    code: body.error?.code ?? null,
    retryAfter: delayed,
    seen: seenIn(body),
  };
}

function noResponseOf(error: unknown): NoResponse {
  const { code = '', message = String(error) } = error as NodeJS.ErrnoException;
  return { at: Date.now(), error: `${code} ${message}`.trim(), connection: connectionOf(error) };
}

const isAssertion = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AssertionError';

/** A request as the client makes it, with its operation. */
interface Sent {
  operation: OperationId;
  params: Readonly<Record<string, string>>;
  query: string | undefined;
  rawBody: string | undefined;
  token: string;
  session: string | undefined;
  signal: AbortSignal | undefined;
}

const routes = operationIds.map((id) => {
  const { method, path } = operations[id];
  const pattern = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return { id, method, path: new RegExp(`^${pattern}$`) };
});

function sentOf(url: URL, init: RequestInit): Sent {
  const headers = init.headers as Record<string, string>;
  for (const { id, method, path } of routes) {
    const match = method === init.method ? path.exec(url.pathname) : null;
    if (!match) continue;
    const params = Object.entries(match.groups ?? {});
    return {
      operation: id,
      params: Object.fromEntries(params.map(([name, value]) => [name, decodeURIComponent(value)])),
      query: url.search === '' ? undefined : url.search.slice(1),
      rawBody: init.body as string | undefined,
      token: headers['authorization']!.replace('Bearer ', ''),
      session: headers['session-capability'],
      signal: init.signal ?? undefined,
    };
  }
  throw new Error(`no operation is ${init.method} ${url.pathname}`);
}

/** The quote, checkout or request of a call; null: none. */
function resourceOf({ operation, params, rawBody }: Sent): string | null {
  const named = params['checkoutId'] ?? params['reservationRequestId'];
  const { creates } = rowOf(operation);
  if (named !== undefined || creates === undefined || rawBody === undefined) return named ?? null;
  return (JSON.parse(rawBody) as Record<string, string>)[creates] ?? null;
}

const withoutBody = new Set([204, 304]);

const asResponse = ({ status, headers, text }: Omit<CallReply, 'body'>): Response =>
  new Response(withoutBody.has(status) ? null : text, { status, headers });

/** A client that makes calls again until `giveUp` is aborted. */
export class CarefulClient {
  readonly partner: Partner;
  readonly #client: LatchkeyClient;
  readonly #history: History;
  readonly #chance: Chance;
  readonly #giveUp: AbortSignal;

  constructor(partner: Partner, history: History, chance: Chance, giveUp: AbortSignal) {
    this.partner = partner;
    this.#history = history;
    this.#chance = chance;
    this.#giveUp = giveUp;
    this.#client = createClient({
      ...partner.credentials,
      // Each request goes to where the partner's next call goes.
      baseUrl: 'http://service.invalid',
      maxRetries: Infinity,
      longestWaitSeconds: Infinity,
      timeoutMs: patienceMs,
      fetch: (url, init = {}) => this.#fetch(new URL(url as string), init),
      sleep: async (ms) => {
        await sleep(Math.min(ms, longestPauseMs));
        giveUp.throwIfAborted();
      },
    });
  }

  get applicationId(): string {
    return this.partner.credentials.applicationId;
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    if (url.pathname === '/oauth/token') return this.#exchange(url, init);
    const sent = sentOf(url, init);
    const times = this.#chance.happens(twiceAtOnce) ? 2 : 1;
    const replies = await Promise.all(Array.from({ length: times }, () => this.#once(sent)));
    const arrived = replies.filter((reply) => reply !== null);
    const reply = arrived.find(({ status }) => !unclear.has(status)) ?? arrived[0];
    if (!reply) throw new Error('no response');
    const isClear = !unclear.has(reply.status);
    if (isClear && this.#chance.happens(responseDiscarded)) throw new Error('it is discarded');
    return asResponse(reply);
  }

  async #exchange({ pathname }: URL, { method, headers, body }: RequestInit): Promise<Response> {
    const given = { method: method!, headers: headers as Record<string, string> };
    const form = body as string;
    return asResponse(await send(`${this.partner.origin}${pathname}`, { ...given, body: form }));
  }

  /** One attempt; null: no response. */
  async #once(sent: Sent): Promise<CallReply | null> {
    const { operation, signal, session, rawBody, query, ...rest } = sent;
    const startedAt = performance.now();
    let failure: unknown;
    const input = {
      ...rest,
      ...(query !== undefined && { query }),
      ...(rawBody !== undefined && { rawBody }),
      ...(session !== undefined && { session }),
      ...(signal && { signal }),
    } as CallInput<OperationId>;
    const reply = await this.partner.call(operation, input).catch((error: unknown) => {
      if (isAssertion(error)) this.surprise(`${operation}: ${String(error)}`);
      failure = error;
      return null;
    });
    this.#history.write({
      applicationId: this.applicationId,
      operation,
      resourceId: resourceOf(sent),
      startedAt,
      endedAt: performance.now(),
      response: reply && responseOf(reply),
      ...(reply === null && { noResponse: noResponseOf(failure) }),
    });
    return reply;
  }

  /** Records something unexpected. */
  surprise(text: string): void {
    this.#history.surprises.push(text);
  }

  /** Makes a call until it gets a clear response. A refusal is returned. */
  async #clear(id: OperationId, input: Input<OperationId>): Promise<unknown> {
    const { session, ...call } = input;
    const options = { signal: this.#giveUp, ...(session !== undefined && { session }) };
    let last: unknown = 'nothing arrived';
    while (!this.#giveUp.aborted) {
      try {
        return await this.#client.call(id, call as never, options);
      } catch (error) {
        const isRefused = error instanceof LatchkeyError;
        if (isRefused && !unclear.has(error.status)) return error;
        // The client asks for one new token for each call. Here clocks jump: it may need another.
        last = error;
        await sleep(this.#chance.below(longestPauseMs));
      }
    }
    this.surprise(`${id} of ${JSON.stringify(input.params)} was given up: ${String(last)}`);
    throw new Surprise(id);
  }

  /** Makes a call that must succeed. */
  async succeed<Id extends OperationId>(id: Id, input: Input<Id>): Promise<Success<Id>> {
    return (await this.unlessRefused(id, input, nothing))!;
  }

  /** Makes a call that may be refused with one of these codes. Null: it was. */
  async unlessRefused<Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    codes: ReadonlySet<ErrorCode>,
  ): Promise<Success<Id> | null> {
    const found = await this.#clear(id, input as Input<OperationId>);
    if (!(found instanceof LatchkeyError)) return found as Success<Id>;
    const { status, error, message } = found;
    if (codes.has(error.code as ErrorCode)) return null;
    this.surprise(`${id} of ${JSON.stringify(input.params)} returned ${status}: ${message}`);
    throw new Surprise(id);
  }
}
