import {
  createClient,
  type InputOf,
  type LatchkeyClient,
  LatchkeyError,
  NoAnswerError,
} from '../../packages/partner/src/index.ts';
import type { OperationId, ReplyOf } from '../contract/partner/operations.ts';
import type { ApplicationKey } from './credentials.ts';
import { DemoFailure } from './failure.ts';

/** The input of a call, and the session capability of its checkout. */
export type PartnerInput<Id extends OperationId> = InputOf<Id> & { session?: string };

/** A successful response. */
export interface PartnerResponse<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** The response body of an operation. */
export type BodyOf<Id extends OperationId> = ReplyOf<Id>['body'];

/** A token with its scopes. */
export interface Token {
  accessToken: string;
  expiresInSeconds: number;
  scope: string;
}

const tokenOf = (body: Record<string, unknown>): Token => ({
  accessToken: String(body['access_token']),
  expiresInSeconds: Number(body['expires_in']),
  scope: String(body['scope']),
});

const invalidKey = (baseUrl: string): string =>
  `The service at ${baseUrl} refuses the key: run "npm start" with the same LATCHKEY_DATA_DIR, or check APPLICATION_ID, APPLICATION_KEY and BASE_URL if you set them.`;

/** What a person can do about a failed call. The same error: nothing that the demo knows. */
function explained(error: unknown, baseUrl: string): unknown {
  const { origin } = new URL(baseUrl);
  if (error instanceof NoAnswerError) {
    return new DemoFailure(
      error.status === null
        ? `Latchkey does not respond at ${origin}: run "npm start" in another terminal, then the demo again.`
        : `Another program responds at ${origin}: stop it, or run "npm start" with another PORT.`,
    );
  }
  if (!(error instanceof LatchkeyError) || error.operation !== 'token') return error;
  return new DemoFailure(
    error.error.code === 'unauthenticated'
      ? invalidKey(origin)
      : `The service at ${origin} returned no token (${error.message}): wait a minute and run the demo again.`,
  );
}

/** The server of a partner, with the client that every partner can use. */
export class Partner {
  readonly baseUrl: string;
  readonly credentials: ApplicationKey;
  readonly #client: LatchkeyClient;
  #token: Token | null = null;

  constructor(baseUrl: string, credentials: ApplicationKey) {
    this.baseUrl = baseUrl;
    this.credentials = credentials;
    this.#client = createClient({
      baseUrl,
      ...credentials,
      fetch: (...request) => this.#observed(...request),
    });
  }

  /** The token that the client has exchanged for its first call. */
  async token(): Promise<Token> {
    if (!this.#token) await this.call('distribution.site.get', {});
    return this.#token!;
  }

  /** Makes a call. Throws `DemoFailure` if a person can do something about it, or `LatchkeyError`. */
  async call<Id extends OperationId>(
    id: Id,
    { session, ...input }: PartnerInput<Id>,
  ): Promise<PartnerResponse<BodyOf<Id>>> {
    const options = session === undefined ? {} : { session };
    try {
      const reply = await this.#client.reply(id, input as unknown as InputOf<Id>, options);
      return reply as unknown as PartnerResponse<BodyOf<Id>>;
    } catch (error) {
      throw explained(error, this.baseUrl);
    }
  }

  /** Remembers what the client keeps to itself, to show it. */
  async #observed(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(...request);
    if (response.ok && String(request[0]).endsWith('/oauth/token')) {
      this.#token = tokenOf((await response.clone().json()) as Record<string, unknown>);
    }
    return response;
  }
}
