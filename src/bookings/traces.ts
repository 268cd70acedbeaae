/** The trace of a booking, from the call through workers, webhooks and records. */
import type { Executor } from '../platform/postgres/database.ts';
import { currentSpan, inSpan, isTracing, type SpanKind } from '../platform/tracing/tracing.ts';
import { findTrace, type TracedBooking, writeTrace } from './store/traces.ts';

/**
 * Stores the current trace before the booking is written, so that a worker of any process finds it. A row of a
 * booking that is not written does no harm. Never fails: a trace decides nothing.
 */
export async function rememberTrace(executor: Executor, booking: TracedBooking): Promise<void> {
  const traceparent = currentSpan()?.traceparent;
  if (traceparent) await writeTrace(executor, booking, traceparent).catch(() => undefined);
}

/** Runs work as a span of the booking's trace. Without one, only runs it. */
export async function inTraceOf<T>(
  executor: Executor,
  booking: TracedBooking,
  name: string,
  kind: SpanKind,
  work: () => Promise<T>,
): Promise<T> {
  if (!isTracing()) return work();
  const cause = await findTrace(executor, booking).catch(() => null);
  return inSpan(name, kind, work, cause);
}
