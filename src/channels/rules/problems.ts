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
  not_text: () => 'It is not UTF-8 text.',
  not_a_calendar: () => 'It is not an iCalendar file: it does not begin with BEGIN:VCALENDAR.',
  incomplete: () => 'It is incomplete: it does not end with END:VCALENDAR.',
  malformed: (detail) => `It is not a valid iCalendar file: ${detail}.`,
  unknown_time_zone: (detail) => `It uses the time zone "${detail}", which it does not define.`,
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

/** Creates a problem. */
export const problemOf = (
  problem: ProblemName,
  detail: string | number | null = null,
): Problem => ({
  problem,
  detail: detail === null ? null : String(detail),
});
