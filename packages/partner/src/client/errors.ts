import type { ServiceError } from '../contract/types.ts';
import type { OperationId } from './operation.ts';

/**
 * The service refused a call. `error` is a union: compare `error.code`, and `error.details` is that of the code. A
 * code that this client does not know is kept as it came. Support finds the call by `requestId`.
 */
export class LatchkeyError extends Error {
  override readonly name = 'LatchkeyError';
  readonly operation: OperationId | 'sandbox' | 'token';
  readonly status: number;
  readonly error: ServiceError;

  constructor(operation: OperationId | 'sandbox' | 'token', status: number, error: ServiceError) {
    super(`${operation}: ${status} ${error.code}: ${error.message} (request ${error.requestId})`);
    this.operation = operation;
    this.status = status;
    this.error = error;
  }

  get requestId(): string {
    return this.error.requestId;
  }
}

/**
 * No answer of the service arrived: the network failed, the call took too long, or a proxy answered in its place. A
 * write may have taken effect: make the same call again, with the same IDs and versions.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly operation: OperationId | 'sandbox' | 'token';
  /** Null: no response at all. */
  readonly status: number | null;

  constructor(
    operation: OperationId | 'sandbox' | 'token',
    status: number | null,
    cause?: unknown,
  ) {
    const what =
      status === null
        ? 'no response'
        : `a response with status ${status} that is not of the service`;
    super(`${operation}: ${what}`, { cause });
    this.operation = operation;
    this.status = status;
  }
}
