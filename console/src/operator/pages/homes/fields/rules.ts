/** Payment, stays, party and cancellation. */
import { limits } from '#contract/limits.ts';
import { weekdays } from '#contract/weekdays.ts';
import { absent, field, type FormOf, type ListOf, standardly, yes } from './field-of.ts';

const inParts = { replaces: ['schedule'] };

export const paymentFields = [
  field('dueNowPercent', 'Due at booking (%)', 'percent', { ...standardly(100), ...inParts }),
  field('balanceDaysBefore', 'The rest, days before arrival', 'integer', {
    ...standardly(0),
    ...inParts,
  }),
];

export const depositFields = [
  field('securityDeposit/amount', 'Amount', 'money', absent),
  field('securityDeposit/dueDaysBefore', 'Due days before arrival', 'integer', standardly(0)),
  field('securityDeposit/returnedDaysAfter', 'Returned within days after departure', 'integer', {
    ...standardly(0),
  }),
];

const longNotice = { ...absent, replaces: ['advanceNoticeDays'] };

export const stayFields = [
  field('minNights', 'Minimum nights', 'integer', standardly(limits.nightsPerStay.min)),
  field('maxNights', 'Maximum nights', 'integer', standardly(limits.nightsPerStay.max)),
  field('advanceNoticeDays', 'Days of notice', 'integer', {
    ...standardly(0),
    replaces: ['advanceNotice'],
  }),
  field('advanceNotice/days', 'Or days of notice, until an hour', 'integer', longNotice),
  field('advanceNotice/until', 'The hour at the property', 'time', longNotice),
  field(
    'bookingHorizonDays',
    'Bookable days ahead',
    'integer',
    standardly(limits.bookingHorizonDays),
  ),
  field('preparationNights', 'Nights of preparation after a stay', 'integer', standardly(0)),
  field('gapMinNights', 'Shorter stays that fill a gap, from nights', 'integer', absent),
  field('arrivalDays', 'Days of arrival', 'weekdays', { standard: weekdays }),
  field('departureDays', 'Days of departure', 'weekdays', { standard: weekdays }),
];

export const partyFields = [
  field('children', 'Children', 'switch', yes),
  field('infants', 'Infants', 'switch', yes),
  field('maxPets', 'Most pets', 'integer', standardly(0)),
];

export const paymentLists: readonly ListOf[] = [
  {
    title: 'Payment in parts',
    about:
      'In place of the two members above: the first at booking, the last one is the rest. Each other says one of percentage, amount and nights.',
    path: ['payment', 'schedule'],
    noun: 'payment',
    item: {},
    columns: [
      field('daysBefore', 'Days before arrival', 'integer', { ...absent, hint: 'At booking' }),
      field('percent', 'Percentage', 'percent', { ...absent, replaces: ['amount', 'nights'] }),
      field('amount', 'Or an amount', 'money', { ...absent, replaces: ['percent', 'nights'] }),
      field('nights', 'Or the first nights', 'integer', {
        ...absent,
        replaces: ['percent', 'amount'],
      }),
    ],
    replaces: [
      ['payment', 'dueNowPercent'],
      ['payment', 'balanceDaysBefore'],
    ],
    isAbsentWhenEmpty: true,
  },
];

const isShort = (rule: Readonly<Record<string, unknown>>): boolean =>
  rule['refundPercent'] !== undefined;

const cancellationForms: readonly FormOf[] = [
  {
    title: 'What is refunded',
    has: isShort,
    fields: [
      field('daysBefore', 'Days before arrival', 'integer'),
      field('refundPercent', 'Refund (%)', 'percent'),
    ],
    item: { daysBefore: 30, refundPercent: 100 },
  },
  {
    title: 'What is kept',
    has: (rule) => !isShort(rule),
    fields: [
      field('until/daysBefore', 'Until days before arrival', 'integer', {
        ...absent,
        replaces: ['until/hoursBefore', 'until/of'],
        hint: 'Until check-in',
      }),
      field('until/hoursBefore', 'Or hours before check-in', 'integer', {
        ...absent,
        replaces: ['until/daysBefore'],
        needs: { 'until/of': 'check_in' },
      }),
      field('keep/percent', 'Keep (%)', 'percent', { ...absent, replaces: ['keep/nights'] }),
      field('keep/of', 'Of', ['total', 'accommodation', 'collected'], {
        ...absent,
        replaces: ['keep/nights'],
      }),
      field('keep/nights', 'Or keep the first nights', 'integer', {
        ...absent,
        replaces: ['keep/percent', 'keep/of'],
      }),
    ],
    item: { until: { daysBefore: 30 }, keep: { percent: 0 } },
  },
];

export const cancellationLists: readonly ListOf[] = [
  {
    title: 'Cancellation',
    about:
      'All in one form: what is refunded of what was collected, or what is kept. After the last one nothing is refunded.',
    path: ['cancellation'],
    noun: 'rule',
    item: { daysBefore: 30, refundPercent: 100 },
    columns: [],
    forms: cancellationForms,
  },
];

export const cancellationFields = [
  field('cancellationGrace/hours', 'Everything back within hours of the quote', 'integer', absent),
  field('cancellationGrace/ifDaysAhead', 'If arrival is days ahead', 'integer', standardly(0)),
  field('cancellationAlwaysRefunds', 'Always refunded', 'words', {
    ...absent,
    hint: 'cleaning, fees, taxes, or an id',
  }),
  field('cancellationText/label', 'Title of your own text', 'text', {
    ...absent,
    hint: 'In place of the text made from the rules.',
  }),
  field('cancellationText/body', 'Your own text', 'long', absent),
];
