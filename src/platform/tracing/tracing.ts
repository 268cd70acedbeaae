/**
 * Spans of this process. They belong to traces that begin with a call and continue in other processes. Without a
 * tracer, each place costs one comparison, and no library is loaded.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** What a span shows. Never guest details, keys, or URLs with a query. */
export type SpanAttributes = Record<string, string | number | boolean>;

/** `server`: a call. `client`: a request to another system. `internal`: work of this process. */
export type SpanKind = 'server' | 'client' | 'internal';

/** A span that has begun. */
export interface Span {
  /** The W3C header by which another process continues the trace; null: the trace is not recorded. */
  traceparent: string | null;
  set(attributes: SpanAttributes): void;
  /** `failure`: why the work failed; absent: it did not. */
  end(failure?: string): void;
}

/** Creates spans and sends them away. */
export interface Tracer {
  /** `cause`: the `traceparent` of the span that this one is a part of. Null: it begins a trace. */
  begin(name: string, kind: SpanKind, cause: string | null): Span;
  /** Sends what is left, for a limited time. */
  stop(): Promise<void>;
}

const current = new AsyncLocalStorage<Span>();
let tracer: Tracer | null = null;

/** Sets the tracer of this process; null: nothing is traced. */
export function useTracer(used: Tracer | null): void {
  tracer = used;
}

/** Whether this process has a tracer. */
export const isTracing = (): boolean => tracer !== null;

/** The span of the current work. Null: it belongs to no trace. */
export const currentSpan = (): Span | null =>
  tracer === null ? null : (current.getStore() ?? null);

/** The headers by which a receiver continues the current trace. */
export function traceHeaders(): { traceparent?: string } {
  const traceparent = currentSpan()?.traceparent;
  return traceparent ? { traceparent } : {};
}

/** Begins the span of a call. Null: this process has no tracer. */
export const beginCall = (name: string, traceparent: string | null): Span | null =>
  tracer && tracer.begin(name, 'server', traceparent);

/** Runs work as part of a span. */
export const withinSpan = <T>(span: Span, work: () => T): T => current.run(span, work);

/** Runs work in a span of its own. Without a cause that is traced, only runs it. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  work: () => Promise<T>,
  cause = currentSpan()?.traceparent ?? null,
): Promise<T> {
  if (tracer === null || cause === null) return work();
  const span = tracer.begin(name, kind, cause);
  try {
    const result = await withinSpan(span, work);
    span.end();
    return result;
  } catch (error) {
    span.end(error instanceof Error ? error.name : 'error');
    throw error;
  }
}

/** A method of a port that returns a promise. */
type Call = (...values: never[]) => Promise<unknown>;

/** The methods of a port that return a promise. */
type CallsOf<Port> = {
  [Name in keyof Port]: Port[Name] extends Call ? Name : never;
}[keyof Port] &
  string;

async function withOutcome(answering: Promise<unknown>): Promise<unknown> {
  const answer = await answering;
  const { outcome } = (answer ?? {}) as { outcome?: unknown };
  if (typeof outcome === 'string') currentSpan()?.set({ 'latchkey.outcome': outcome });
  return answer;
}

/** Wraps a port: these calls become spans of the current trace, with the `outcome` of the result. */
export function tracedPort<Port extends object>(
  name: string,
  port: Port,
  calls: readonly CallsOf<Port>[],
): Port {
  if (tracer === null) return port;
  const traced = calls.map((call) => {
    const member = port[call] as Call;
    const spanned = (...values: never[]): Promise<unknown> =>
      inSpan(`${name}.${call}`, 'client', () => withOutcome(member.apply(port, values)));
    return [call, spanned];
  });
  return { ...port, ...(Object.fromEntries(traced) as Partial<Port>) };
}
