/** Times relative to now, durations, and fields. */
import { isoInstant } from './dates.ts';

const steps = [
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;

const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const nowWithinSeconds = 3;
const daySeconds = 86_400;

/** How long ago, or how soon: "4 minutes ago". Undefined: a day or more. */
export function relativeInstant(at: string, now: number): string | undefined {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  const size = Math.abs(seconds);
  if (size >= daySeconds) return undefined;
  if (size < nowWithinSeconds) return 'just now';
  const step = steps.find((one) => size >= one.seconds);
  return step ? relativeFormat.format(Math.trunc(seconds / step.seconds), step.unit) : 'just now';
}

/** A duration: "240 ms", "14.9 s". */
export const durationText = (ms: number): string =>
  ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;

/** An instant as the value of a `datetime-local` field, in the browser's time zone. */
export const localField = (at: number): string =>
  isoInstant(at - new Date(at).getTimezoneOffset() * 60_000).slice(0, 16);
