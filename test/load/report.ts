/** What a load run prints: rates, latencies, errors. */
import type { Called } from '../faults/history.ts';

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const cells = (first: string, others: readonly string[]): string =>
  `${first.padEnd(40)}${others.map((text) => text.padStart(10)).join('')}`;

function latencies(name: string, calls: readonly Called[], seconds: number): string {
  const ms = calls.map(({ startedAt, endedAt }) => endedAt - startedAt).toSorted((a, b) => a - b);
  const figures = [0.5, 0.95, 0.99, 1].map((share) => quantile(ms, share).toFixed(1));
  return cells(name, [String(calls.length), (calls.length / seconds).toFixed(1), ...figures]);
}

const endOf = ({ response }: Called): string =>
  response === null ? 'no response' : `${response.status} ${response.code ?? ''}`.trimEnd();

const failed = ({ response }: Called): boolean => response === null || response.status >= 400;

/** Whether the service failed: a 5xx, or no response. A refusal is no failure. */
const isFailure = ({ response }: Called): boolean => response === null || response.status >= 500;

/** The calls that the service should have answered, and has not. */
export const failuresIn = (calls: readonly Called[]): number => calls.filter(isFailure).length;

/** A line of the log of the service, as pino writes it. */
export interface LogLine {
  time: string | number;
  msg: string;
}

// The service notes a failure at about the moment in which the caller sees it.
const momentMs = 1_000;
const mostShown = 20;
const linesEach = 5;

function describe(
  { operation, startedAt, endedAt, noResponse }: Called,
  log: readonly LogLine[],
): string[] {
  const { at, error, connection } = noResponse!;
  const on = connection
    ? `a ${connection.isReused ? 'reused' : 'new'} connection of ${connection.ageMs} ms`
    : 'no connection';
  const near = log.filter(({ time }) => Math.abs(new Date(time).getTime() - at) <= momentMs);
  return [
    `${operation} at ${new Date(at).toISOString()} after ${Math.round(endedAt - startedAt)} ms on ${on}: ${error}`,
    ...near.slice(0, linesEach).map((line) => `  the service then: ${JSON.stringify(line)}`),
    ...(near.length === 0 ? ['  the service has logged nothing then'] : []),
  ];
}

/** Each call without a response: the operation, the error, its connection, and the log of that moment. */
export function withoutResponse(calls: readonly Called[], log: readonly LogLine[]): string[] {
  const found = calls.filter(({ noResponse }) => noResponse !== undefined);
  return found.slice(0, mostShown).flatMap((call) => describe(call, log));
}

/** Rates and latencies by operation, and the errors by code. Latencies in milliseconds. */
export function reportOf(calls: readonly Called[], seconds: number): string {
  const operations = [...Map.groupBy(calls, ({ operation }) => operation)].toSorted(byName);
  const errors = [...Map.groupBy(calls.filter(failed), endOf)].toSorted(byName);
  return [
    cells('operation', ['calls', 'per s', 'p50', 'p95', 'p99', 'longest']),
    ...operations.map(([name, called]) => latencies(name, called, seconds)),
    latencies('all', calls, seconds),
    '',
    errors.length === 0 ? 'no errors' : 'errors',
    ...errors.map(([end, called]) => cells(`  ${end}`, [String(called.length)])),
  ].join('\n');
}
