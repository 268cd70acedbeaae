import type { Dispatcher } from 'undici';
import { DialError } from './dial.ts';

/** Why an exchange failed. */
export type ExchangeError =
  | 'timeout'
  | 'connection'
  | 'tls'
  | 'redirect'
  | 'status'
  | 'response_too_long';

/** The result of an HTTP exchange. */
export interface ExchangeResult<Reason extends string = ExchangeError> {
  /** Null: no response. */
  status: number | null;
  /** Null: the status is 2xx. */
  error: Reason | null;
  /** The start of the body. */
  response: Buffer | null;
  retryAfter: string | null;
  /** Whether something was sent, so that the endpoint may have processed it. */
  sent: boolean;
}

/** The request to send. */
export interface Post {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A request in flight. */
export interface Exchange {
  result: Promise<ExchangeResult>;
  /** Ends the exchange now, with what was received. */
  expire(): void;
}

/** The timeout of an attempt, from name resolution to the end of the response. Spec: WEBHOOK-4. */
export const attemptTimeoutMs = 15_000;

const readBytes = 16_384;
const keptBytes = 2_048;

/** The result without a response. */
export const withoutResponse = <Reason extends string = ExchangeError>(
  error: Reason,
  sent = false,
): ExchangeResult<Reason> => ({
  status: null,
  error,
  response: null,
  retryAfter: null,
  sent,
});

function errorOfStatus(status: number): ExchangeError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function errorOf(error: Error): ExchangeError {
  if (error instanceof DialError) return error.reason;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'UND_ERR_HEADERS_OVERFLOW' ? 'response_too_long' : 'connection';
}

/** Receives the response. Only the status decides; only the start of the body is kept. */
class Receiving implements Dispatcher.DispatchHandler {
  readonly #finish: (result: ExchangeResult) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #head: Pick<ExchangeResult, 'status' | 'error' | 'retryAfter'> | null = null;
  #body: Buffer[] = [];
  #read = 0;
  #ended = false;

  constructor(finish: (result: ExchangeResult) => void) {
    this.#finish = finish;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('too late'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    const retryAfter = headers['retry-after'];
    this.#head = {
      status,
      error: errorOfStatus(status),
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
    };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // Copies the chunk, which is a view of a larger buffer.
    if (this.#read < keptBytes) {
      this.#body.push(Buffer.from(chunk.subarray(0, keptBytes - this.#read)));
    }
    this.#read += chunk.length;
    if (this.#read <= readBytes) return;
    this.#end('connection');
    controller.abort(new Error('enough was received'));
  }

  onResponseEnd(): void {
    this.#end('connection');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#end(errorOf(error));
  }

  expire(): void {
    if (this.#ended) return;
    this.#end('timeout');
    this.#controller?.abort(new Error('timeout'));
  }

  #end(errorWithoutHead: ExchangeError): void {
    if (this.#ended) return;
    this.#ended = true;
    const sent = this.#controller !== null;
    if (!this.#head) return this.#finish(withoutResponse(errorWithoutHead, sent));
    const response = this.#body.length === 0 ? null : Buffer.concat(this.#body);
    this.#finish({ ...this.#head, response, sent });
  }
}

/** Sends one POST request over this dispatcher. */
export function startExchange(dispatcher: Dispatcher, post: Post): Exchange {
  const { promise: result, resolve } = Promise.withResolvers<ExchangeResult>();
  const receiving = new Receiving(resolve);
  dispatcher.dispatch({ method: 'POST', ...post }, receiving);
  return { result, expire: () => receiving.expire() };
}
