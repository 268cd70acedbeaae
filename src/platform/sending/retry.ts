import type { EpochMs } from '../../contract/time.ts';

const minute = 60;
const hour = 60 * minute;

/** The delays after the first failed attempt, after the second, and so on. */
const delaysSeconds: readonly number[] = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** The number of failed attempts after which the longest delay follows. */
export const delays = delaysSeconds.length;

// Spreads retries, so that deliveries that failed together are not all repeated at once.
const jitter = 0.1;
const longestAskedSeconds = 24 * hour;

/**
 * The delay after this number of failed attempts. Null: no further attempt.
 *
 * @param askedSeconds the delay that the receiver asked for; used if it is longer
 * @param chance from 0 to 1
 */
export function retryInSeconds(
  failedAttempts: number,
  askedSeconds: number | null,
  chance: number,
): number | null {
  const delay = delaysSeconds[failedAttempts - 1];
  if (delay === undefined) return null;
  return Math.max(delay * (1 + jitter * chance), askedSeconds ?? 0);
}

// `Retry-After` is respected only with these statuses.
const respected: ReadonlySet<number | null> = new Set([429, 503]);

const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)/i;

function secondsAsked(header: string, now: EpochMs): number {
  if (/^\d+$/.test(header)) return Number(header);
  const at = weekday.test(header) ? Date.parse(header) : Number.NaN;
  return Math.ceil((at - now) / 1_000);
}

/** Parses `Retry-After` into seconds from now, at most a day. Null: not readable. */
export function readRetryAfter(header: string, now: EpochMs): number | null {
  const seconds = secondsAsked(header.trim(), now);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), longestAskedSeconds);
}

/** The delay in seconds that a response of the instant `at` asks for. Null: none. */
export function delayAsked(
  { status, retryAfter }: { status: number | null; retryAfter: string | null },
  at: EpochMs,
): number | null {
  return respected.has(status) && retryAfter !== null ? readRetryAfter(retryAfter, at) : null;
}
