/** Why a calendar of another channel could not be read. */

/** What each problem means, as a sentence for staff. `detail` is `Problem.detail`. */
export const problemTexts = {
  dns: () => 'The name of its server cannot be resolved.',
  forbidden_address: () => 'Its URL, or a redirect, leads to an address that is not allowed.',
  connection: () => 'Its server cannot be reached, or broke off.',
  tls: () => 'The certificate of its server is not valid.',
  timeout: () => 'It did not arrive within 30 seconds.',
  redirects: () => 'Its server redirects too often, or to no URL.',
  status: (detail) => `Its server answers with status ${detail}.`,
  too_large: (detail) => `It is larger than ${detail} bytes.`,
  compressed: () =>
    'Its server compresses it in a way that was not asked for, or its compression is damaged.',
  not_text: () => 'It is UTF-16, which calendars must not be.',
  not_a_calendar: () => 'It is not an iCalendar file: it has no BEGIN:VCALENDAR.',
  incomplete: () => 'It is incomplete: its end is missing.',
  outside: () => 'Something stands outside of the calendar.',
  no_begin: (detail) => `END:${detail} has no BEGIN:${detail}.`,
  no_end: (detail) => `BEGIN:${detail} has no END:${detail}.`,
  stray_line: () => 'A line has no name and value.',
  damaged_name: (detail) => `An event has a line with the unknown name ${detail}.`,
  no_start: () => 'An event has no DTSTART.',
  bad_value: (detail) => `The value of ${detail} cannot be read.`,
  several_values: (detail) => `An event has several different values of ${detail}.`,
  ends_before_start: () => 'An event ends before it begins.',
  unknown_time_zone: (detail) =>
    `Nobody knows the time zone "${detail}": its times are read as times at the home.`,
  too_complex: () => 'It has too many events, or a rule that does not end.',
  url_unreadable: () => 'Its URL was sealed with another master key.',
} as const satisfies Record<string, (detail: string) => string>;

/** The name of a problem. */
export type ProblemName = keyof typeof problemTexts;

/** Why a calendar could not be read. Nothing that it had blocked has changed. */
export interface Problem {
  problem: ProblemName;
  /** What varies in its text. Null: nothing. */
  detail: string | null;
}

/** A problem as a sentence. */
export const problemText = ({ problem, detail }: Problem): string =>
  problemTexts[problem](detail ?? '');

/** A problem that was found at a line of a calendar. */
export interface ReadProblem extends Problem {
  /** Null: of the calendar as a whole. */
  line: number | null;
  /** Of the event. */
  uid: string | null;
}

/** Whether a calendar with this problem may have lost something. The others are only reported. Spec: CHANNEL-2. */
export const isDamage = ({ problem }: Problem): boolean => problem !== 'unknown_time_zone';

/** Creates a problem. */
export const problemOf = (
  problem: ProblemName,
  detail: string | number | null = null,
): Problem => ({
  problem,
  detail: detail === null ? null : String(detail),
});
