import type { EpochMs } from '../contract/time.ts';

const minute = 60;
const hour = 60 * minute;

/** After the first failed attempt, after the second, and so on. */
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

// Spread, so that what failed together does not come back together.
const jitter = 0.1;
const longestAskedSeconds = 24 * hour;

/**
 * How long to wait after so many failed attempts; null: there is no other.
 *
 * @param askedSeconds what the receiver has asked for: heeded where it is longer
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

const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)/i;

function secondsAsked(header: string, now: EpochMs): number {
  if (/^\d+$/.test(header)) return Number(header);
  const at = weekday.test(header) ? Date.parse(header) : Number.NaN;
  return Math.ceil((at - now) / 1_000);
}

/** What a `Retry-After` asks for, in seconds from now, a day at most; null: nothing that can be read. */
export function readRetryAfter(header: string, now: EpochMs): number | null {
  const seconds = secondsAsked(header.trim(), now);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), longestAskedSeconds);
}
