import { errors, messageOf, type Refusal } from '../contract/errors.ts';
import type { ErrorEnvelope } from '../contract/partner/schemas/error.ts';

/** An error response. */
export interface ErrorResponse {
  status: number;
  body: ErrorEnvelope;
  headers: Record<string, string>;
}

/** Seconds until a retry, where the refusal says no other. Spec: ERROR-9. */
const defaultRetrySeconds = 2;

/** The envelope of a refusal. Spec: ERROR-1. */
export function errorResponse(refusal: Refusal, requestId: string): ErrorResponse {
  const { status, retryable } = errors[refusal.refused];
  const retryAfterSeconds = retryable
    ? (refusal.retryAfterSeconds ?? defaultRetrySeconds)
    : undefined;
  return {
    status,
    // `refuse` guarantees that the details fit the code.
    body: {
      error: {
        code: refusal.refused,
        message: messageOf(refusal),
        requestId,
        retryable,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        ...(refusal.details && { details: refusal.details }),
      },
    } as ErrorEnvelope,
    headers: {
      'cache-control': 'no-store',
      ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
    },
  };
}
