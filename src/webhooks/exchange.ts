import type { Dispatcher } from 'undici';
import type { WebhookAttemptError } from './store/deliveries.ts';
import { DialError } from './dial.ts';

/** What came back. */
export interface Answer {
  /** Null: no answer. */
  status: number | null;
  /** Null: any 2xx. */
  error: WebhookAttemptError | null;
  /** The beginning of the body. */
  response: Buffer | null;
  retryAfter: string | null;
  /** Something was sent: it may have been taken, whatever came back. */
  sent: boolean;
}

/** What is sent. */
export interface Post {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A post that is under way. */
export interface Exchange {
  answer: Promise<Answer>;
  /** Ends it here and now: what has come is what there is. */
  expire(): void;
}

const readBytes = 16_384;
const keptBytes = 2_048;

/** Nothing came back. */
export const unanswered = (error: WebhookAttemptError, sent = false): Answer => ({
  status: null,
  error,
  response: null,
  retryAfter: null,
  sent,
});

function errorOfStatus(status: number): WebhookAttemptError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function errorOf(error: Error): WebhookAttemptError {
  if (error instanceof DialError) return error.reason;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'UND_ERR_HEADERS_OVERFLOW' ? 'response_too_long' : 'connection';
}

/** The answer as it comes in. What decides is the status; of the body, only the beginning is of interest. */
class Receiving implements Dispatcher.DispatchHandler {
  readonly #settle: (answer: Answer) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #head: Pick<Answer, 'status' | 'error' | 'retryAfter'> | null = null;
  #body: Buffer[] = [];
  #read = 0;
  #ended = false;

  constructor(settle: (answer: Answer) => void) {
    this.#settle = settle;
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
    // A copy: the chunk is a window on all that has come in one piece.
    if (this.#read < keptBytes) {
      this.#body.push(Buffer.from(chunk.subarray(0, keptBytes - this.#read)));
    }
    this.#read += chunk.length;
    if (this.#read <= readBytes) return;
    this.#end('connection');
    controller.abort(new Error('that is enough'));
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
    this.#controller?.abort(new Error('out of time'));
  }

  #end(errorWithoutHead: WebhookAttemptError): void {
    if (this.#ended) return;
    this.#ended = true;
    const sent = this.#controller !== null;
    if (!this.#head) return this.#settle(unanswered(errorWithoutHead, sent));
    const response = this.#body.length === 0 ? null : Buffer.concat(this.#body);
    this.#settle({ ...this.#head, response, sent });
  }
}

/** Posts once over this dispatcher. */
export function startExchange(dispatcher: Dispatcher, post: Post): Exchange {
  const { promise: answer, resolve } = Promise.withResolvers<Answer>();
  const receiving = new Receiving(resolve);
  dispatcher.dispatch({ method: 'POST', ...post }, receiving);
  return { answer, expire: () => receiving.expire() };
}
