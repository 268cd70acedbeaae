/** Formats for times. */

const steps = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;

const relativeFormat = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const exactFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const nowWithinSeconds = 3;

/** How long ago, or how soon: "4 minutes ago". */
export function relativeInstant(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  const size = Math.abs(seconds);
  if (size < nowWithinSeconds) return 'just now';
  const step = steps.find((one) => size >= one.seconds);
  return step ? relativeFormat.format(Math.trunc(seconds / step.seconds), step.unit) : 'just now';
}

/** The instant with seconds and time zone. */
export const exactInstant = (at: string): string => exactFormat.format(new Date(at));

/** A duration: "240 ms", "14.9 s". */
export const durationText = (ms: number): string =>
  ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;

/** An instant as the value of a `datetime-local` field, in the browser's time zone. */
export function localField(at: number): string {
  const shifted = at - new Date(at).getTimezoneOffset() * 60_000;
  return new Date(shifted).toISOString().slice(0, 16);
}
