import { setTimeout as sleep } from 'node:timers/promises';
import type { OperationId, ReplyOf } from '../contract/partner/operations.ts';
import type { ErrorEnvelope } from '../contract/partner/schemas/error.ts';
import type { ApplicationKey } from './credentials.ts';
import { DemoFailure } from './failure.ts';

/** One HTTP request of a partner. */
export interface PartnerRequest {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  body?: object;
  /** The session capability of the checkout. */
  session?: string;
}

/** A successful response. */
export interface PartnerResponse<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/** The response body of an operation. */
export type BodyOf<Id extends OperationId> = ReplyOf<Id>['body'];

/** An error of the contract. The client acts on its code; support needs its request ID. */
export class ApiError extends Error {
  readonly status: number;
  readonly error: ErrorEnvelope['error'];

  constructor(status: number, error: ErrorEnvelope['error']) {
    super(`${status} ${error.code}: ${error.message} (request ${error.requestId})`);
    this.status = status;
    this.error = error;
  }
}

/** A token with its scopes. */
export interface Token {
  accessToken: string;
  expiresInSeconds: number;
  scope: string;
}

const timeoutMs = 15_000;
const renewBeforeEndSeconds = 60;
const attemptsAtMost = 5;

async function send(url: string, init: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    return { response, text: await response.text() };
  } catch {
    const { origin } = new URL(url);
    throw new DemoFailure(
      `Latchkey does not respond at ${origin}: run "npm start" in another terminal, then the demo again.`,
    );
  }
}

function jsonOf<T>(url: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    const { origin } = new URL(url);
    throw new DemoFailure(
      `Another program responds at ${origin}: stop it, or run "npm start" with another PORT.`,
    );
  }
}

/** A minimal partner server: one token for all calls, and retries of retryable errors. */
export class Partner {
  readonly baseUrl: string;
  readonly credentials: ApplicationKey;
  #token: Promise<Token> | null = null;
  #renewAt = 0;

  constructor(baseUrl: string, credentials: ApplicationKey) {
    this.baseUrl = baseUrl;
    this.credentials = credentials;
  }

  /** The token; exchanges the key for a new one if there is none or it expires soon. */
  token(): Promise<Token> {
    if (!this.#token || performance.now() > this.#renewAt) this.#token = this.#exchange();
    return this.#token;
  }

  /**
   * Makes a call. After a 401 it gets a new token, once. After a retryable error it waits and repeats the
   * call with the same IDs and versions, so that nothing happens twice. Throws `ApiError` on every other
   * error.
   */
  async call<Id extends OperationId>(
    request: PartnerRequest,
  ): Promise<PartnerResponse<BodyOf<Id>>> {
    let renewed = false;
    for (let attempt = 1; ; attempt += 1) {
      const { status, headers, body } = await this.#send<BodyOf<Id> | ErrorEnvelope>(request);
      if (status < 400) return { status, headers, body: body as BodyOf<Id> };
      const { error } = body as ErrorEnvelope;
      if (error.code === 'unauthenticated' && !renewed) {
        renewed = true;
        this.#token = null;
        continue;
      }
      if (!error.retryable || attempt === attemptsAtMost) throw new ApiError(status, error);
      await sleep((error.retryAfterSeconds ?? 1) * 1000);
    }
  }

  async #send<Body>({
    method,
    path,
    body,
    session,
  }: PartnerRequest): Promise<PartnerResponse<Body>> {
    const { accessToken } = await this.token();
    const url = `${this.baseUrl}${path}`;
    const { response, text } = await send(url, {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(session !== undefined && { 'session-capability': session }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: jsonOf<Body>(url, text) };
  }

  async #exchange(): Promise<Token> {
    const { applicationId, applicationKey } = this.credentials;
    const url = `${this.baseUrl}/oauth/token`;
    const basic = Buffer.from(`${applicationId}:${applicationKey}`).toString('base64');
    const { response, text } = await send(url, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const body = jsonOf<Record<string, string>>(url, text);
    if (!response.ok) throw new DemoFailure(exchangeProblem(url, body));
    const token = {
      accessToken: String(body['access_token']),
      expiresInSeconds: Number(body['expires_in']),
      scope: String(body['scope']),
    };
    this.#renewAt = performance.now() + (token.expiresInSeconds - renewBeforeEndSeconds) * 1000;
    return token;
  }
}

function exchangeProblem(url: string, { error, error_description: text }: Record<string, string>) {
  const { origin } = new URL(url);
  if (error === 'invalid_client') {
    return `The service at ${origin} refuses the key: run "npm start" with the same LATCHKEY_DATA_DIR, or check APPLICATION_ID, APPLICATION_KEY and BASE_URL if you set them.`;
  }
  return `The service at ${origin} returned no token (${error}: ${text}): wait a minute and run the demo again.`;
}
