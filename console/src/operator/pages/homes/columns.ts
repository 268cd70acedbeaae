/** The members of a home that the form has, as tables. */
import { weekdays } from '../../../../../src/contract/catalog-file.ts';

/** How a member is entered. */
export type FieldKind =
  | 'text'
  | 'long'
  | 'date'
  | 'time'
  | 'integer'
  | 'number'
  | 'money'
  | 'switch'
  | 'words'
  | 'weekdays'
  | readonly string[];

/** A member of the home, or of an item of one of its lists. */
export interface FieldOf {
  name: string;
  label: string;
  kind: FieldKind;
  /** Without a value the member is left out, or null. */
  empty?: 'absent' | 'null';
  hint?: string;
}

const field = (
  name: string,
  label: string,
  kind: FieldKind,
  more: Pick<FieldOf, 'empty' | 'hint'> = {},
): FieldOf => ({ name, label, kind, ...more });

const absent = { empty: 'absent' } as const;
const orNull = { empty: 'null' } as const;

export const contentFields = [
  field('name', 'Name', 'text'),
  field('destination', 'Destination', 'text', orNull),
  field('blurb', 'In one sentence', 'text', orNull),
  field('description', 'Description', 'long', orNull),
  field('sleeps', 'Sleeps', 'integer', orNull),
  field('bedrooms', 'Bedrooms', 'number', orNull),
  field('bathrooms', 'Bathrooms', 'number', orNull),
  field('checkInFrom', 'Arrival from', 'time', orNull),
  field('checkOutUntil', 'Departure until', 'time', orNull),
  field('timeZone', 'Time zone', 'text', { ...orNull, hint: 'As Europe/Lisbon. Empty: UTC.' }),
  field('currency', 'Currency', 'text', { hint: 'As EUR.' }),
  field('amenities', 'Amenities', 'words', { hint: 'Separated by commas.' }),
  field('indexable', 'Search engines may show it', 'switch'),
];

export const rateFields = [
  field('nightly', 'Price of a night', 'money', {
    ...absent,
    hint: 'Where nothing below says otherwise.',
  }),
];

const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export const weekdayFields = weekdays.map((day, at) =>
  field(day, weekdayNames[at]!, 'money', absent),
);

export const paymentFields = [
  field('dueNowPercent', 'Due at booking (%)', 'number'),
  field('balanceDaysBefore', 'The rest, days before arrival', 'integer'),
];

export const stayFields = [
  field('minNights', 'Minimum nights', 'integer'),
  field('maxNights', 'Maximum nights', 'integer'),
  field('advanceNoticeDays', 'Days of notice', 'integer'),
  field('bookingHorizonDays', 'Bookable days ahead', 'integer'),
  field('arrivalDays', 'Days of arrival', 'weekdays'),
  field('departureDays', 'Days of departure', 'weekdays'),
];

export const partyFields = [
  field('children', 'Children', 'switch'),
  field('infants', 'Infants', 'switch'),
  field('maxPets', 'Most pets', 'integer'),
];

/** A list of the home: where it is, its columns, and a new item. */
export interface ListOf {
  title: string;
  about: string;
  /** The members that lead to it. */
  path: readonly string[];
  columns: readonly FieldOf[];
  item: Readonly<Record<string, unknown>>;
  /** What an item is called. */
  noun: string;
}

export const rateLists: readonly ListOf[] = [
  {
    title: 'Seasons',
    about: 'MM-DD applies every year, YYYY-MM-DD once. The highest priority applies.',
    path: ['rates', 'seasons'],
    noun: 'season',
    item: { name: '', from: '', to: '' },
    columns: [
      field('name', 'Name', 'text'),
      field('from', 'From', 'text', { hint: '06-15' }),
      field('to', 'To, included', 'text', { hint: '09-10' }),
      field('changePercent', 'Change (%)', 'number', absent),
      field('nightly', 'Or its own price', 'money', absent),
      field('minNights', 'Minimum nights', 'integer', absent),
      field('priority', 'Priority', 'integer', absent),
    ],
  },
  {
    title: 'Dates',
    about: 'Prices and rules of certain dates, above every season.',
    path: ['rates', 'dates'],
    noun: 'range',
    item: { from: '', to: '' },
    columns: [
      field('from', 'First night', 'date'),
      field('to', 'Last night', 'date'),
      field('nightly', 'Price', 'money', absent),
      field('minNights', 'Minimum nights', 'integer', absent),
    ],
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
      field('percent', 'Discount (%)', 'number'),
    ],
  },
];

const per = ['stay', 'night', 'guest', 'guest_night'] as const;

export const chargeLists: readonly ListOf[] = [
  {
    title: 'Fees',
    about: 'In addition to the nights. Guests are adults and children.',
    path: ['fees'],
    noun: 'fee',
    item: { label: '', kind: 'fee', per: 'stay', amount: 0 },
    columns: [
      field('label', 'Label', 'text'),
      field('kind', 'Kind', ['fee', 'cleaning']),
      field('per', 'Per', [...per, 'pet', 'pet_night']),
      field('amount', 'Amount', 'money'),
      field('fromGuest', 'From guest', 'integer', absent),
    ],
  },
  {
    title: 'Taxes by percentage',
    about: 'Of accommodation after discounts, cleaning, or fees.',
    path: ['taxes'],
    noun: 'tax',
    item: { label: '', on: ['accommodation'], percent: 0 },
    columns: [
      field('label', 'Label', 'text'),
      field('on', 'On', 'words', { hint: 'accommodation, cleaning, fees' }),
      field('percent', '%', 'number'),
      field('staysUpToNights', 'Stays up to nights', 'integer', absent),
    ],
  },
  {
    title: 'Taxes by amount',
    about: 'Per stay, night or guest.',
    path: ['taxes'],
    noun: 'tax',
    item: { label: '', per: 'guest_night', amount: 0 },
    columns: [
      field('label', 'Label', 'text'),
      field('per', 'Per', per),
      field('amount', 'Amount', 'money'),
      field('adultsOnly', 'Adults only', 'switch', absent),
      field('maxNights', 'Most nights', 'integer', absent),
    ],
  },
  {
    title: 'Cancellation',
    about: 'What a cancellation refunds of what was collected.',
    path: ['cancellation'],
    noun: 'rule',
    item: { daysBefore: 30, refundPercent: 100 },
    columns: [
      field('daysBefore', 'Days before arrival', 'integer'),
      field('refundPercent', 'Refund (%)', 'number'),
    ],
  },
];

export const contentLists: readonly ListOf[] = [
  {
    title: 'Pictures',
    about: 'In their order. The first one is shown in lists.',
    path: ['images'],
    noun: 'picture',
    item: { url: 'https://', alt: '' },
    columns: [
      field('url', 'Address', 'text', absent),
      field('file', 'Or file', 'text', { ...absent, hint: 'In the data folder.' }),
      field('alt', 'What it shows', 'text'),
    ],
  },
  {
    title: 'Policies',
    about: 'Texts that the guest accepts.',
    path: ['policies'],
    noun: 'policy',
    item: { label: '', body: '' },
    columns: [field('label', 'Title', 'text'), field('body', 'Text', 'long')],
  },
];
