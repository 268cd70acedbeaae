import type { ServiceError } from '../contract/types.ts';
import { LatchkeyError, NoAnswerError } from './errors.ts';
import { newId } from './identity.ts';
import { type AnyInput, type OperationId, type OperationRow, pathOf, rowOf } from './operation.ts';
import { decideNext, delaySeconds } from './repeat.ts';
import { type Attempt, send } from './send.ts';
import { type ClientSettings, waits } from './settings.ts';
import { Tokens, type TokenSettings } from './tokens.ts';

/** What a call needs besides its input. */
export interface CallOptions {
  /** The session capability of the checkout. */
  session?: string;
  /** Ends the call. A write that was sent may have taken effect. */
  signal?: AbortSignal;
  /** For this call alone. */
  maxRetries?: number;
}

/** A reply with its status and headers. */
export interface Reply<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

type AnyBody = Readonly<Record<string, unknown>>;

/** The operation that finds out whether a write took effect, and the member that names its resource. */
const readers: Readonly<Partial<Record<OperationId, { by: OperationId; id: string }>>> = {
  'reservation.reservationRequest.create': {
    by: 'reservation.reservationRequest.get',
    id: 'reservationRequestId',
  },
  'reservation.checkout.saveGuest': { by: 'reservation.checkout.get', id: 'checkoutId' },
  'reservation.checkout.applyPromo': { by: 'reservation.checkout.get', id: 'checkoutId' },
  'reservation.checkout.setupPayment': { by: 'reservation.checkout.get', id: 'checkoutId' },
  'reservation.checkout.verifyPayment': { by: 'reservation.checkout.get', id: 'checkoutId' },
  'reservation.checkout.submit': { by: 'reservation.checkout.get', id: 'checkoutId' },
};

const reasonOf = ({ details }: ServiceError): string | undefined => {
  const { reason } = (details ?? {}) as { reason?: unknown };
  return typeof reason === 'string' ? reason : undefined;
};

const failureOf = (id: OperationId | 'sandbox', attempt: Exclude<Attempt, { kind: 'answered' }>) =>
  attempt.kind === 'refused'
    ? new LatchkeyError(id, attempt.status, attempt.error)
    : new NoAnswerError(id, attempt.status, attempt.cause);

/** Makes calls: with a token, with an identity, and again where that is safe. */
export class Caller {
  readonly #settings: ClientSettings;
  readonly #tokens: Tokens;
  readonly #shared: TokenSettings;
  readonly #deprecated = new Set<OperationId>();

  constructor(settings: ClientSettings) {
    const { applicationId, applicationKey } = settings;
    this.#settings = settings;
    this.#shared = {
      applicationId,
      applicationKey,
      baseUrl: settings.baseUrl.replace(/\/+$/, ''),
      fetch: settings.fetch ?? ((...request) => fetch(...request)),
      timeoutMs: settings.timeoutMs ?? 15_000,
      maxRetries: settings.maxRetries ?? 4,
      longestWaitSeconds: settings.longestWaitSeconds ?? 60,
      sleep: settings.sleep ?? waits,
    };
    this.#tokens = new Tokens(this.#shared);
  }

  /** Waits, as the settings say. */
  sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#shared.sleep(milliseconds, signal);
  }

  /** Makes a call. Throws `LatchkeyError` or `NoAnswerError`. */
  async call(id: OperationId, input: AnyInput, options: CallOptions): Promise<Reply<unknown>> {
    const row = rowOf(id);
    const body = await this.#withIdentity(id, row, input.body);
    const path = pathOf(id, input);
    const most = options.maxRetries ?? this.#shared.maxRetries;
    let isRenewed = false;
    for (let attempt = 1; ; attempt += 1) {
      options.signal?.throwIfAborted();
      const accessToken = await this.#tokens.get();
      const result = await this.#once(row, { path, body, accessToken }, options);
      if (result.kind === 'answered') {
        this.#noteDeprecation(id, result.headers);
        return result;
      }
      const isRefused = result.kind === 'refused';
      const asked = isRefused ? result.retryAfterSeconds : undefined;
      const failed = isRefused
        ? { code: result.error.code, reason: reasonOf(result.error) }
        : { code: 'lost' };
      const next = decideNext(row, failed, isRenewed);
      if (failed.code === 'unauthenticated') await this.#tokens.drop(accessToken);
      const wait = next.do === 'renew' ? 0 : delaySeconds(attempt, asked, Math.random());
      if (next.do === 'stop' || attempt > most || wait > this.#shared.longestWaitSeconds) {
        throw failureOf(id, result);
      }
      if (next.do === 'renew') {
        isRenewed = true;
        continue;
      }
      await this.sleep(wait * 1000, options.signal);
      if (next.do === 'repeat') continue;
      const found = await this.#read(id, { ...input, body }, options);
      if (found) return found;
    }
  }

  /** Makes a call of the sandbox, which is not in the contract. Throws `LatchkeyError` or `NoAnswerError`. */
  async sandbox(
    method: string,
    path: string,
    body: AnyBody | undefined,
    { signal }: CallOptions,
  ): Promise<Reply<unknown>> {
    const row = { method, path, repeat: 'command' } as const;
    for (let isRenewed = false; ; isRenewed = true) {
      const accessToken = await this.#tokens.get();
      const result = await this.#once(
        row,
        { path: `/sandbox/v1${path}`, body, accessToken },
        signal ? { signal } : {},
      );
      if (result.kind === 'answered') return result;
      const isRefused = result.kind === 'refused' && result.error.code === 'unauthenticated';
      if (!isRefused || isRenewed) throw failureOf('sandbox', result);
      await this.#tokens.drop(accessToken);
    }
  }

  #noteDeprecation(operation: OperationId, headers: Headers): void {
    const since = /^@(\d+)$/.exec(headers.get('deprecation') ?? '')?.[1];
    if (since === undefined || this.#deprecated.has(operation)) return;
    this.#deprecated.add(operation);
    this.#settings.onDeprecation?.({ operation, since: new Date(Number(since) * 1000) });
  }

  async #withIdentity(
    operation: OperationId,
    { creates }: OperationRow,
    given: AnyBody | undefined,
  ): Promise<AnyBody | undefined> {
    if (creates === undefined || given?.[creates] !== undefined) return given;
    const id = newId();
    const body = { [creates]: id, ...given };
    await this.#settings.onIdentity?.({ operation, member: creates, id, body });
    return body;
  }

  #once(
    row: OperationRow,
    call: { path: string; body: AnyBody | undefined; accessToken: string },
    { session, signal }: CallOptions,
  ): Promise<Attempt> {
    const { consumer } = this.#settings;
    return send(this.#shared.fetch, {
      method: row.method,
      url: `${this.#shared.baseUrl}${call.path}`,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${call.accessToken}`,
        ...(call.body && { 'content-type': 'application/json' }),
        ...(session !== undefined && row.session && { 'session-capability': session }),
        ...(consumer !== undefined && row.provenance && { 'x-booking-consumer': consumer }),
      },
      ...(call.body && { body: JSON.stringify(call.body) }),
      timeoutMs: this.#shared.timeoutMs,
      signal,
    });
  }

  /**
   * Reads the resource of a write that may have taken effect. A request that exists, and a checkout that was
   * submitted, are the reply. Everything else: the same write again finds out.
   */
  async #read(
    id: OperationId,
    { params = {}, body = {} }: AnyInput,
    options: CallOptions,
  ): Promise<Reply<unknown> | null> {
    const reader = readers[id];
    if (!reader) return null;
    const input = { params: { [reader.id]: params[reader.id] ?? body[reader.id] } };
    const found = await this.call(reader.by, input, options).catch((error: unknown) => {
      if (error instanceof LatchkeyError || error instanceof NoAnswerError) return null;
      throw error;
    });
    if (!found || id === 'reservation.reservationRequest.create') return found;
    const { nextActions = [] } = found.body as { nextActions?: readonly string[] };
    const isSubmitted = id === 'reservation.checkout.submit' && !nextActions.includes('submit');
    return isSubmitted ? found : null;
  }
}
