import { LatchkeyError, NoAnswerError } from './errors.ts';
import { decideNext, delaySeconds } from './repeat.ts';
import type { ClientSettings } from './settings.ts';
import type { ServiceError } from '../contract/types.ts';

interface Token {
  accessToken: string;
  /** By the clock of this process. */
  renewAt: number;
}

interface TokenReply {
  access_token?: string;
  expires_in?: number;
  error?: string;
  error_description?: string;
}

/** What the tokens need of the settings. */
export type TokenSettings = Required<
  Pick<
    ClientSettings,
    | 'baseUrl'
    | 'applicationId'
    | 'applicationKey'
    | 'fetch'
    | 'timeoutMs'
    | 'maxRetries'
    | 'longestWaitSeconds'
  >
> & { sleep: NonNullable<ClientSettings['sleep']> };

const renewBeforeEndSeconds = 60;

/** OAuth has errors of another shape: here they get that of the service, so that callers compare one thing. */
function errorOf(status: number, reply: TokenReply, headers: Headers): ServiceError {
  const codes: Readonly<Record<number, ServiceError['code']>> = {
    401: 'unauthenticated',
    429: 'rate_limited',
    503: 'unavailable',
  };
  return {
    code: codes[status] ?? 'invalid_input',
    message: reply.error_description ?? reply.error ?? `status ${status}`,
    retryable: status === 429 || status === 503,
    requestId: headers.get('x-request-id') ?? '',
    details: { reason: reply.error },
  } as unknown as ServiceError;
}

/**
 * The token of an application: exchanged once for all callers at the same time, kept until a minute before its end,
 * and exchanged again after `drop`.
 */
export class Tokens {
  readonly #settings: TokenSettings;
  #current: Promise<Token> | null = null;

  constructor(settings: TokenSettings) {
    this.#settings = settings;
  }

  /** The access token. Throws `LatchkeyError` if the key is refused, `NoAnswerError` if nobody answers. */
  async get(): Promise<string> {
    const token = await (this.#current ?? this.#begin());
    if (Date.now() < token.renewAt) return token.accessToken;
    return (await this.#renewal(token)).accessToken;
  }

  /** Forgets a token that the service refused; a newer one stays. */
  async drop(accessToken: string): Promise<void> {
    const current = this.#current;
    const token = await current?.catch(() => null);
    if (token?.accessToken === accessToken && this.#current === current) this.#current = null;
  }

  async #renewal(old: Token): Promise<Token> {
    const current = this.#current;
    // Somebody else may have begun an exchange while this caller waited.
    if (current !== null && (await current.catch(() => null)) !== old) return current;
    return this.#begin();
  }

  #begin(): Promise<Token> {
    const exchange = this.#exchange(1);
    this.#current = exchange;
    exchange.catch(() => {
      if (this.#current === exchange) this.#current = null;
    });
    return exchange;
  }

  async #exchange(attempt: number): Promise<Token> {
    const { baseUrl, applicationId, applicationKey, timeoutMs, maxRetries, longestWaitSeconds } =
      this.#settings;
    const asked = Date.now();
    let status: number | null = null;
    let reply: TokenReply | null = null;
    let headers = new Headers();
    let cause: unknown;
    try {
      const response = await this.#settings.fetch(`${baseUrl}/oauth/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${btoa(`${applicationId}:${applicationKey}`)}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      ({ status, headers } = response);
      reply = (await response.json()) as TokenReply;
    } catch (error) {
      cause = error;
    }
    if (status === 200 && typeof reply?.access_token === 'string') {
      const lifetime = Math.max(1, (reply.expires_in ?? 0) - renewBeforeEndSeconds);
      return { accessToken: reply.access_token, renewAt: asked + lifetime * 1000 };
    }
    const error =
      status !== null && reply?.error !== undefined ? errorOf(status, reply, headers) : null;
    const failure = error
      ? new LatchkeyError('token', status!, error)
      : new NoAnswerError('token', status, cause);
    const retryAfter = headers.get('retry-after');
    const wait = delaySeconds(
      attempt,
      retryAfter === null ? undefined : Number(retryAfter),
      Math.random(),
    );
    const next = decideNext({ repeat: 'read' }, { code: error?.code ?? 'lost' }, true);
    if (next.do !== 'repeat' || attempt > maxRetries || wait > longestWaitSeconds) throw failure;
    await this.#settings.sleep(wait * 1000, undefined);
    return this.#exchange(attempt + 1);
  }
}
