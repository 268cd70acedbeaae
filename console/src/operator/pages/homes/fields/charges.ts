/** Fees and taxes. */
import { countFields, whenFields } from './conditions.ts';
import { absent, field, type FormOf, type ListOf, yes } from './field-of.ts';

const isThere = (entry: Readonly<Record<string, unknown>>, name: string): boolean =>
  entry[name] !== undefined;

const on = field('on', 'Of', 'words', { hint: 'accommodation, cleaning, fees, or an id' });

const feeForms: readonly FormOf[] = [
  {
    title: 'An amount',
    has: (fee) => !isThere(fee, 'percent'),
    fields: [
      field('amount', 'Amount', 'money'),
      field('per', 'Per', ['stay', 'night', 'guest', 'guest_night', 'pet', 'pet_night']),
    ],
    item: { per: 'stay', amount: 0 },
  },
  {
    title: 'A percentage',
    has: (fee) => isThere(fee, 'percent'),
    fields: [field('percent', 'Percentage', 'percent'), on],
    item: { percent: 10, on: ['accommodation'] },
  },
];

const taxForms: readonly FormOf[] = [
  {
    title: 'A percentage',
    has: (tax) => isThere(tax, 'percent') && !isThere(tax, 'per'),
    fields: [
      field('percent', 'Percentage', 'percent'),
      on,
      field('included', 'The prices contain it', 'switch', absent),
    ],
    item: { percent: 0, on: ['accommodation'] },
  },
  {
    title: 'An amount',
    has: (tax) => !isThere(tax, 'percent') && !isThere(tax, 'tiers'),
    fields: [
      field('amount', 'Amount', 'money'),
      field('per', 'Per', ['stay', 'night', 'guest', 'guest_night']),
    ],
    item: { per: 'guest_night', amount: 0 },
  },
  {
    title: 'A percentage for each guest and night',
    has: (tax) => isThere(tax, 'percent') && isThere(tax, 'per'),
    fields: [
      field('percent', 'Percentage', 'percent'),
      on,
      field('maxAmount', 'At most', 'money', absent),
    ],
    item: { per: 'guest_night', percent: 5, on: ['accommodation'] },
  },
  {
    title: 'Steps for each guest and night',
    has: (tax) => isThere(tax, 'tiers'),
    fields: [],
    item: { per: 'guest_night', tiers: [{ from: 0, amount: 0 }] },
    inner: {
      title: 'Steps',
      about: '',
      path: ['tiers'],
      noun: 'step',
      item: { from: 0, amount: 0 },
      columns: [field('from', 'From a share of', 'money'), field('amount', 'Amount', 'money')],
    },
  },
];

export const chargeLists: readonly ListOf[] = [
  {
    title: 'Fees',
    about: 'In addition to the nights, in this order. Guests are adults and children.',
    path: ['fees'],
    noun: 'fee',
    item: { label: '', kind: 'fee', per: 'stay', amount: 0 },
    columns: [
      field('label', 'Label', 'text'),
      field('kind', 'Kind', ['fee', 'cleaning']),
      field('taxed', 'Taxed', 'switch', yes),
    ],
    forms: feeForms,
    more: [...countFields, ...whenFields],
  },
  {
    title: 'Taxes',
    about:
      'In this order. A percentage is of accommodation after discounts, of cleaning, of fees, or of an earlier fee or tax by its id.',
    path: ['taxes'],
    noun: 'tax',
    item: { label: '', percent: 0, on: ['accommodation'] },
    columns: [field('label', 'Label', 'text')],
    forms: taxForms,
    more: [
      ...countFields,
      ...whenFields,
      field('adultsOnly', 'Adults only', 'switch', { ...absent, replaces: ['who'] }),
      field('staysUpToNights', 'Not on stays of more nights than', 'integer', {
        ...absent,
        replaces: ['when/stayNights'],
      }),
    ],
  },
];
