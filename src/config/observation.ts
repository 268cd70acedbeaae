import { isPlainUrl, type Reader } from './reader.ts';
import type { ValueOf } from './settings.ts';

/** How the log is written. */
export type LogFormat = ValueOf<'LATCHKEY_LOG_FORMAT'>;

/** How a process can be observed. */
export interface Observation {
  logLevel: string;
  /** Null: `text` at a terminal, else `json`. */
  logFormat: LogFormat | null;
  /** Where traces are sent, and the share of them that is recorded, 0 to 1; null: nothing is traced. */
  traces: { endpoint: string; share: number } | null;
  /** The port of metrics and health; null: none. */
  metricsPort: number | null;
}

function tracesOf(reader: Reader): Observation['traces'] {
  const endpoint = reader.text('OTEL_EXPORTER_OTLP_ENDPOINT');
  const text = reader.textOr('OTEL_TRACES_SAMPLER_ARG');
  const share = /^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(share)) {
    reader.wrong('OTEL_TRACES_SAMPLER_ARG', 'must be a share from 0 to 1, as 0.1.');
  }
  if (endpoint === null) return null;
  if (!isPlainUrl(endpoint)) {
    reader.wrong(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'must be an http or https URL without query, fragment or user.',
    );
  }
  return { endpoint: endpoint.replace(/\/+$/, ''), share };
}

function metricsPortOf(reader: Reader, port: number): number | null {
  const name = 'LATCHKEY_METRICS_PORT';
  if (reader.text(name) === null) return null;
  const metricsPort = reader.integer(name);
  if (metricsPort === port) reader.wrong(name, 'must be another port than PORT.');
  return metricsPort;
}

/** Reads how a process can be observed that listens on this port. */
export const observationOf = (reader: Reader, port: number): Observation => ({
  logFormat:
    reader.text('LATCHKEY_LOG_FORMAT') === null ? null : reader.oneOf('LATCHKEY_LOG_FORMAT'),
  logLevel: reader.oneOf('LATCHKEY_LOG_LEVEL'),
  traces: tracesOf(reader),
  metricsPort: metricsPortOf(reader, port),
});
