/** The tracer of OpenTelemetry. Loaded only where it is configured. */
import type { Log } from '../log.ts';
import {
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as OtelSpan,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  BasicTracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { Span, SpanAttributes, SpanKind, Tracer } from './tracing.ts';

/** How traces are sent. */
export interface TracerSettings {
  /** The address of an OTLP receiver over HTTP, without `/v1/traces`. */
  endpoint: string;
  /** The share of traces that are recorded, 0 to 1. */
  share: number;
  /** What all spans of this process carry. */
  process: SpanAttributes;
  log: Pick<Log, 'info' | 'warn'>;
}

const sendEveryMs = 1_000;
const sendWithinMs = 3_000;

const kinds: Readonly<Record<SpanKind, Kind>> = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  internal: Kind.INTERNAL,
};

/** Logs when spans can no longer be sent, and when they can again. */
function reporting(exporter: SpanExporter, log: TracerSettings['log']): SpanExporter {
  let failing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const wasFailing = failing;
        failing = result.code !== ExportResultCode.SUCCESS;
        if (failing && !wasFailing) log.warn({ err: result.error }, 'traces cannot be sent');
        if (!failing && wasFailing) log.info({}, 'traces are sent again');
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

const sampled = (flags: number): boolean => (flags & TraceFlags.SAMPLED) !== 0;

function traceparentOf(span: OtelSpan): string | null {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return sampled(traceFlags) ? `00-${traceId}-${spanId}-01` : null;
}

const asSpan = (span: OtelSpan): Span => ({
  traceparent: traceparentOf(span),
  set: (attributes) => void span.setAttributes(attributes),
  end(failure) {
    if (failure !== undefined) {
      span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end();
  },
});

/** The context of a cause. A header that is not valid counts as none. Spec: CALL-18. */
function contextOf(traceparent: string | null): Context {
  const parent = traceparent === null ? null : parseTraceParent(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

/** Opens a tracer that sends spans in groups. */
export function openTracer({ endpoint, share, process, log }: TracerSettings): Tracer {
  const url = `${endpoint}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: sendWithinMs });
  // A caller that records its trace does not decide how many are recorded here.
  const ofShare = new TraceIdRatioBasedSampler(share);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(process),
    sampler: new ParentBasedSampler({ root: ofShare, remoteParentSampled: ofShare }),
    spanProcessors: [
      new BatchSpanProcessor(reporting(exporter, log), {
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: sendWithinMs,
      }),
    ],
  });
  const spans = provider.getTracer('latchkey');
  return {
    begin: (name, kind, cause) =>
      asSpan(spans.startSpan(name, { kind: kinds[kind] }, contextOf(cause))),
    stop: () => provider.shutdown(),
  };
}
