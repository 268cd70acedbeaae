/** Prices of nights in a catalog file, and discounts on them. */
import * as Type from '../type.ts';
import { weekdays } from '../weekdays.ts';
import {
  Amount,
  Closed,
  Date,
  firstDay,
  lastDay,
  Name,
  Nights,
  Percent,
  Weekdays,
} from './values.ts';
import { When } from './when.ts';

/** The most entries that `rates.dates` of a home has. */
export const mostDates = 10_000;
const largestChangePercent = 1_000;

const nightly = Type.Optional(Amount('The price of a night.'));
const weekdayPrices = Type.Optional(
  Closed(
    'Prices of the nights of single weekdays, in place of `nightly`.',
    Object.fromEntries(
      weekdays.map((day) => [day, Type.Optional(Amount('The price of this night.'))]),
    ) as Record<(typeof weekdays)[number], typeof nightly>,
  ),
);

const Season = Closed('A part of the year with its own price, its own rules, or both.', {
  name: Name('For the operator.'),
  from: firstDay,
  to: lastDay,
  changePercent: Type.Optional(
    Type.Number({
      minimum: -100,
      maximum: largestChangePercent,
      description:
        'Changes the base price of the weekday; rounded half away from zero. At most four decimals. Not together with prices.',
    }),
  ),
  nightly,
  weekdays: weekdayPrices,
  ...Type.AllOptional({
    minNights: Nights('Minimum nights for an arrival in the season.'),
    maxNights: Nights('Maximum nights for an arrival in the season.'),
    minNightsThrough: Nights('Minimum nights of every stay that contains a night of the season.'),
    arrivalDays: Weekdays('Weekdays of arrival in the season.'),
    departureDays: Weekdays('Weekdays of departure in the season.'),
    priority: Type.WholeFrom(
      -1_000,
      1_000,
      'For each member, of the seasons that contain a day and state it, the one with the highest priority applies. Absent: 0.',
    ),
  }),
});

const DatedRate = Closed(
  'A price, rules, or both for certain dates. What it states takes precedence over every season; what it does not state is decided by the seasons, then by the listing.',
  {
    from: Date('First night.'),
    to: Date('Last night, included.'),
    nightly,
    minNights: Type.Optional(Nights('Minimum nights for an arrival on these dates.')),
    maxNights: Type.Optional(Nights('Maximum nights for an arrival on these dates.')),
    minNightsThrough: Type.Optional(
      Nights('Minimum nights of every stay that contains one of these nights.'),
    ),
    arrivalDays: Type.Optional(Weekdays('Weekdays of arrival on these dates.')),
    departureDays: Type.Optional(Weekdays('Weekdays of departure on these dates.')),
  },
);

/** What a night costs. */
export const Rates = Closed('What a night costs.', {
  nightly: Type.Optional(
    Amount(
      'The price of a night without a more specific price. Absent: such a night has no price.',
    ),
  ),
  weekdays: weekdayPrices,
  ...Type.AllOptional({
    seasons: Type.Array(Season, { maxItems: 1_000 }),
    dates: Type.Array(DatedRate, { maxItems: mostDates }),
    lengthDiscounts: Type.Array(
      Closed(
        'A discount for long stays, either `percent` or `amount`. Of those that match, the one with the highest `minNights` applies.',
        {
          label: Name('The label of its line.'),
          minNights: Nights('For stays of at least this many nights.'),
          percent: Type.Optional(Percent('Discount on accommodation.')),
          amount: Type.Optional(
            Amount('Instead of `percent`: taken once for each full `minNights` of the stay.'),
          ),
        },
      ),
      { maxItems: 90 },
    ),
    discounts: Type.Array(
      Closed(
        'A discount such as early bird or last minute. Of those whose condition holds, the one with the highest `percent` applies.',
        {
          label: Name('The label of its line.'),
          percent: Percent('Discount on accommodation after the discount for long stays.'),
          when: When,
        },
      ),
      { maxItems: 100 },
    ),
  }),
});

export type Season = Type.Static<typeof Season>;
export type DatedRate = Type.Static<typeof DatedRate>;
export type Rates = Type.Static<typeof Rates>;
