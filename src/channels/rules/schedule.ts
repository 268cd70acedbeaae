/** When a calendar is read next. */

const longestBackoffSeconds = 6 * 3_600;
const jitter = 0.1;

/**
 * The delay in seconds until a calendar is read again: its interval, doubled for each further failure up to six
 * hours, and not before the server allows it. Up to 10 % longer, so that calendars are not all read at the same time.
 *
 * @param failures attempts that failed since the last success
 * @param askedSeconds the delay that the server asked for
 * @param chance from 0 to 1
 */
export function nextReadInSeconds(
  everySeconds: number,
  failures: number,
  askedSeconds: number | null,
  chance: number,
): number {
  const doubled = everySeconds * 2 ** Math.max(0, Math.min(failures, 20) - 1);
  const most = Math.max(everySeconds, longestBackoffSeconds);
  return Math.max(Math.min(doubled, most) * (1 + jitter * chance), askedSeconds ?? 0);
}
