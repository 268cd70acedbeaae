/** The kinds of rules that a home may have beside plain prices, fees and taxes. */
import type { CatalogListing } from '../../src/contract/catalog-file.ts';

type Line =
  | NonNullable<CatalogListing['fees']>[number]
  | NonNullable<CatalogListing['taxes']>[number];

const lineHas =
  (isSo: (line: Line) => boolean) =>
  ({ fees = [], taxes = [] }: CatalogListing): boolean =>
    [...fees, ...taxes].some(isSo);

const seasonHas =
  (member: 'departureDays' | 'maxNights' | 'minNightsThrough') =>
  ({ rates }: CatalogListing): boolean =>
    (rates.seasons ?? []).some((season) => season[member] !== undefined);

const groups = new Set(['accommodation', 'cleaning', 'fees']);

/** Whether a home of a catalog file has a rule of each kind. */
export const ruleKinds = {
  'a share of a guest with a cap': lineHas((line) => 'maxAmount' in line),
  'steps by the price': lineHas((line) => 'tiers' in line),
  'a line by age': lineHas(({ who }) => who !== undefined),
  'a line for some nights': lineHas(({ when }) => when?.nights !== undefined),
  'a line by the length of the stay': lineHas(({ when }) => when?.stayNights !== undefined),
  'a percentage of another line': lineHas(({ on = [] }) => on.some((name) => !groups.has(name))),
  'a tax that the prices contain': lineHas((line) => 'included' in line),
  'a line that is paid at the property': lineHas(({ payAt }) => payAt !== undefined),
  'a fee by percentage': ({ fees = [] }) => fees.some(({ percent }) => percent !== undefined),
  'a discount by the day of booking': ({ rates }) => rates.discounts !== undefined,
  'departure days of a season': seasonHas('departureDays'),
  'a schedule of payments': ({ payment }) => payment !== undefined && 'schedule' in payment,
  'a security deposit': ({ securityDeposit }) => securityDeposit !== undefined,
  preparation: ({ stayRules }) => stayRules?.preparationNights !== undefined,
  gaps: ({ stayRules }) => stayRules?.gapMinNights !== undefined,
  'an hour of notice': ({ stayRules }) => stayRules?.advanceNotice !== undefined,
  'a cancellation that keeps nights': ({ cancellation = [] }) =>
    cancellation.some((rule) => 'keep' in rule && 'nights' in rule.keep),
  'a grace after booking': ({ cancellationGrace }) => cancellationGrace !== undefined,
  'a number of registration': ({ registration }) => registration !== undefined,
} as const satisfies Record<string, (listing: CatalogListing) => boolean>;

/** The kinds that at least one of these homes has. */
export const kindsIn = (listings: readonly CatalogListing[]): string[] =>
  Object.entries(ruleKinds).flatMap(([kind, has]) => (listings.some(has) ? [kind] : []));
