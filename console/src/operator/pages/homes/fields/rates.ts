/** Prices of nights, and discounts on them. */
import { weekdays } from '#contract/weekdays.ts';
import { whenFields } from './conditions.ts';
import { absent, field, type ListOf, standardly } from './field-of.ts';

const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const weekdayPrices = weekdays.map((day, at) =>
  field(`weekdays/${day}`, weekdayNames[at]!, 'money', absent),
);

export const rateFields = [
  field('nightly', 'Price of a night', 'money', {
    ...absent,
    hint: 'Where nothing below says otherwise.',
  }),
  ...weekdayPrices,
];

const layerRules = [
  field('minNights', 'Minimum nights', 'integer', absent),
  field('maxNights', 'Maximum nights', 'integer', absent),
  field('minNightsThrough', 'Minimum nights of stays through it', 'integer', absent),
  field('arrivalDays', 'Only arrivals on', 'weekdays', absent),
  field('departureDays', 'Only departures on', 'weekdays', absent),
];

export const rateLists: readonly ListOf[] = [
  {
    title: 'Seasons',
    about:
      'MM-DD applies every year, YYYY-MM-DD once. Of each member, the season with the highest priority that states it decides.',
    path: ['rates', 'seasons'],
    noun: 'season',
    item: { name: '', from: '', to: '' },
    columns: [
      field('name', 'Name', 'text'),
      field('from', 'From', 'text', { hint: '06-15' }),
      field('to', 'To, included', 'text', { hint: '09-10' }),
      field('priority', 'Priority', 'integer', standardly(0)),
      field('changePercent', 'Change (%)', 'percent', absent),
      field('nightly', 'Or its own price', 'money', absent),
    ],
    more: [...weekdayPrices, ...layerRules],
  },
  {
    title: 'Dates',
    about: 'Prices and rules of certain dates. What they state goes before every season.',
    path: ['rates', 'dates'],
    noun: 'range',
    item: { from: '', to: '' },
    columns: [
      field('from', 'First night', 'date'),
      field('to', 'Last night', 'date'),
      field('nightly', 'Price', 'money', absent),
    ],
    more: layerRules,
  },
  {
    title: 'Discounts for long stays',
    about: 'The one with the most nights that a stay reaches applies.',
    path: ['rates', 'lengthDiscounts'],
    noun: 'discount',
    item: { label: '', minNights: 7, percent: 10 },
    columns: [
      field('label', 'Label', 'text'),
      field('minNights', 'From nights', 'integer'),
      field('percent', 'Discount (%)', 'percent', { ...absent, replaces: ['amount'] }),
      field('amount', 'Or for each full number of nights', 'money', {
        ...absent,
        replaces: ['percent'],
      }),
    ],
  },
  {
    title: 'Other discounts',
    about:
      'Early bird, last minute. The highest percentage whose conditions hold applies, after the discount for long stays.',
    path: ['rates', 'discounts'],
    noun: 'discount',
    item: { label: '', percent: 10, when: { daysAhead: { min: 90 } } },
    columns: [
      field('label', 'Label', 'text'),
      field('percent', 'Discount (%)', 'percent'),
      ...whenFields,
    ],
  },
];
