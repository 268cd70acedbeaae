/** The daily limit of reservations of an application. */
import { selling } from './homes.ts';
import { refused } from './reply-summary.ts';
import { checkoutsOf, requestsOf, type AccountName, type World } from './world.ts';

/** The refusal above the limit. */
export const dayFull = refused('429 rate_limited reservations_per_day');

/** Whether an application has reached its daily limit. Failed and cancelled reservations are not counted. */
export function isDayFull({ inventory, accounts }: World, by: AccountName): boolean {
  const { reservationsPerDay } = selling[by];
  if (!inventory || reservationsPerDay === null) return false;
  const account = accounts[by];
  const submitted = [
    ...checkoutsOf(account).flatMap(([, one]) => (one.isSubmitted ? [one] : [])),
    ...requestsOf(account).map(([, one]) => one),
  ];
  const counted = submitted.filter(
    ({ failure, reservation }) => failure === null && reservation?.state !== 'cancelled',
  );
  return counted.length >= reservationsPerDay;
}
