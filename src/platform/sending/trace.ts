import { currentSpan } from '../tracing/tracing.ts';
import type { ExchangeResult } from './exchange.ts';

/** Shows the result of a request in the current span. */
export function setSendingResult({ status, error }: ExchangeResult<string>): void {
  currentSpan()?.set({
    ...(status !== null && { 'http.response.status_code': status }),
    ...(error !== null && { 'error.type': error }),
  });
}
