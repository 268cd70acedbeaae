/** A correct partner's server: it records every call, and repeats calls without a clear response. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ErrorCode } from '../../src/contract/errors.ts';
import type { OperationId, ReplyOf } from '../../src/contract/partner/operations.ts';
import type { CallInput, CallReply, Partner } from '../harness/partner.ts';
import { connectionOf } from '../harness/http-client.ts';
import type { Called, History, NoResponse, Seen } from './history.ts';
import type { Chance } from '../harness/chance.ts';

/** An unexpected response; it is already in the history. */
export class Surprise extends Error {}

type Success<Id extends OperationId> = ReplyOf<Id>['body'];

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

/** Resolves to null if there is no response. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const isAssertion = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AssertionError';

/** A client that repeats calls until `giveUp` is aborted. */
export class CarefulClient {
  readonly partner: Partner;
  readonly #history: History;
  readonly #chance: Chance;
  readonly #giveUp: AbortSignal;
  #token: Promise<string> | null = null;

  constructor(partner: Partner, history: History, chance: Chance, giveUp: AbortSignal) {
    this.partner = partner;
    this.#history = history;
    this.#chance = chance;
    this.#giveUp = giveUp;
  }

  get applicationId(): string {
    return this.partner.credentials.applicationId;
  }

  #fetchToken(): Promise<string> {
    const fetching = this.partner.freshToken();
    this.#token = fetching;
    fetching.catch(() => {
      if (this.#token === fetching) this.#token = null;
    });
    return fetching;
  }

  /** One call; null: no response. */
  async #once<Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    resourceId: string | null,
  ): Promise<CallReply | null> {
    const token = await (this.#token ?? this.#fetchToken()).catch(() => null);
    if (token === null) return null;
    const startedAt = performance.now();
    let failure: unknown = new Error(`nothing within ${patienceMs} ms`);
    const calling = this.partner.call(id, { ...input, token }).catch((error: unknown) => {
      if (isAssertion(error)) this.surprise(`${id}: ${String(error)}`);
      failure = error;
      return null;
    });
    const reply = await within(calling, patienceMs);
    this.#history.write({
      applicationId: this.applicationId,
      operation: id,
      resourceId,
      startedAt,
      endedAt: performance.now(),
      response: reply && responseOf(reply),
      ...(reply === null && { noResponse: noResponseOf(failure) }),
    });
    if (reply?.status === 401) this.#token = null;
    return reply;
  }

  /** Records something unexpected. */
  surprise(text: string): void {
    this.#history.surprises.push(text);
  }

  #times(): number {
    return this.#chance.happens(twiceAtOnce) ? 2 : 1;
  }

  /** Repeats the same call until it gets a clear response. */
  async clear<Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    resourceId: string | null = null,
  ): Promise<CallReply> {
    let last = 'nothing arrived';
    while (!this.#giveUp.aborted) {
      const calls = Array.from({ length: this.#times() }, () => this.#once(id, input, resourceId));
      const replies = await Promise.all(calls);
      const reply = replies.find((one) => one !== null && !unclear.has(one.status));
      if (reply && !this.#chance.happens(responseDiscarded)) return reply;
      last = replies[0]?.text ?? last;
      await sleep(reply ? 0 : this.#chance.below(longestPauseMs));
    }
    this.surprise(`${id} of ${resourceId} was given up: ${last}`);
    throw new Surprise(id);
  }

  /** The same for a call that must succeed. */
  async succeed<Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    resourceId: string | null = null,
  ): Promise<Success<Id>> {
    return (await this.unlessRefused(id, input, resourceId, nothing))!;
  }

  /** The same for a call that may be refused with one of these codes. Null: it was. */
  async unlessRefused<Id extends OperationId>(
    id: Id,
    input: CallInput<Id>,
    resourceId: string | null,
    codes: ReadonlySet<ErrorCode>,
  ): Promise<Success<Id> | null> {
    const reply = await this.clear(id, input, resourceId);
    if (reply.status < 300) return reply.body as Success<Id>;
    const { error } = (reply.body ?? {}) as AnyBody;
    if (error && codes.has(error.code)) return null;
    this.surprise(`${id} of ${resourceId} returned ${reply.status}: ${reply.text}`);
    throw new Surprise(id);
  }
}
