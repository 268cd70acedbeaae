/** The cancellation policy as a text for guests. */

import type { CancellationRule, KeepRule, Listing, Policy } from './listing.ts';

/** The rules that the text states. */
export type StatedCancellation = Pick<
  Listing,
  | 'policies'
  | 'cancellation'
  | 'cancellationGrace'
  | 'cancellationAlwaysRefunds'
  | 'cancellationText'
  | 'fees'
  | 'taxes'
>;

/** The label of the policy that states the cancellation rules. */
export const CANCELLATION_LABEL = 'Cancellation';

/**
 * The policies that a guest accepts: the operator's, and the cancellation rules as the operator's own text, or else as
 * text that is made of them.
 *
 * Spec: TERMS-8.
 */
export const acceptedPolicies = (listing: StatedCancellation): Policy[] => [
  ...listing.policies,
  listing.cancellationText ?? { label: CANCELLATION_LABEL, body: cancellationText(listing) },
];

function cancellationText(listing: StatedCancellation): string {
  const { cancellation } = listing;
  const isLongForm = cancellation.some((rule) => 'keep' in rule);
  const body = isLongForm
    ? longText(cancellation as KeepRule[])
    : shortText(cancellation as CancellationRule[]);
  return [...graceText(listing), body, ...alwaysText(listing)].join(' ');
}

function shortText(rules: CancellationRule[]): string {
  const sentences = rules
    .toSorted((a, b) => b.daysBefore - a.daysBefore)
    .map(
      ({ daysBefore, refundPercent }) =>
        `Cancel ${latestDay(daysBefore)}, and ${refundPercent} % of what has been collected by then is refunded.`,
    );
  if (sentences.length === 0) return 'Nothing is refunded after a cancellation.';
  const days = 'Days end at midnight at the property.';
  const first = sentences.length > 1 ? ' The first of these that applies counts.' : '';
  return `${sentences.join(' ')}${first} Later, nothing is refunded. ${days}`;
}

function latestDay(daysBefore: number): string {
  if (daysBefore === 0) return 'by the day of arrival';
  return `at least ${counted(daysBefore, 'day')} before arrival`;
}

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;

/** Entries as they read best: by days, then by hours, then until check-in. */
function inOrder(rules: readonly KeepRule[]): KeepRule[] {
  const hours = ({ until }: KeepRule): number =>
    until?.daysBefore === undefined ? (until?.hoursBefore ?? 0) : (until.daysBefore + 1) * 24;
  return rules.toSorted((a, b) => hours(b) - hours(a));
}

function longText(rules: readonly KeepRule[]): string {
  const sentences = inOrder(rules).map(
    (rule) => `Cancel ${untilText(rule)}, and ${keptText(rule)}.`,
  );
  const first = sentences.length > 1 ? ' The first of these that applies counts.' : '';
  const later = 'Later, everything is kept.';
  return `${sentences.join(' ')}${first} ${later} What has been collected above that is refunded. Days end at midnight at the property.`;
}

function untilText({ until }: KeepRule): string {
  if (until?.daysBefore !== undefined) return latestDay(until.daysBefore);
  if (until?.hoursBefore) return `at least ${counted(until.hoursBefore, 'hour')} before check-in`;
  return 'before check-in';
}

const wholes = {
  total: 'of the total',
  accommodation: 'of the price of the accommodation',
  collected: 'of what has been collected by then',
} as const;

function keptText({ keep: { percent = 0, of = 'total', nights } }: KeepRule): string {
  if (nights !== undefined) {
    return nights === 1
      ? 'the price of the first night is kept'
      : `the price of the first ${nights} nights is kept`;
  }
  return percent === 0 ? 'nothing is kept' : `${percent} % ${wholes[of]} is kept`;
}

function graceText({ cancellationGrace }: StatedCancellation): string[] {
  if (!cancellationGrace) return [];
  const { hours, ifDaysAhead = 0 } = cancellationGrace;
  const condition =
    ifDaysAhead > 0 ? ` if arrival is at least ${counted(ifDaysAhead, 'day')} ahead of it` : '';
  return [
    `Within ${counted(hours, 'hour')} of the offer that was booked, everything is refunded${condition}.`,
  ];
}

const alwaysNames: Readonly<Record<string, string>> = {
  cleaning: 'cleaning',
  fees: 'fees',
  taxes: 'taxes',
};

function alwaysText({ cancellationAlwaysRefunds = [], fees, taxes }: StatedCancellation): string[] {
  if (cancellationAlwaysRefunds.length === 0) return [];
  const lines = [...fees, ...taxes];
  const names = cancellationAlwaysRefunds.map(
    (name) => alwaysNames[name] ?? lines.find(({ id }) => id === name)?.label ?? name,
  );
  return [`Nothing is ever kept of: ${names.join(', ')}.`];
}
