/** The members of a home that the form has, as tables. */
import { limits } from '../../../../../src/contract/limits.ts';
import { weekdays } from '../../../../../src/contract/weekdays.ts';

/** How a member is entered. */
export type FieldKind =
  | 'text'
  | 'long'
  | 'date'
  | 'time'
  | 'integer'
  | 'number'
  | 'coordinate'
  | 'money'
  | 'switch'
  | 'yes or no'
  | 'words'
  | 'weekdays'
  | readonly string[];

/** A member of the home, or of an item of one of its lists. */
export interface FieldOf {
  /** Its path, as `geo/latitude`. */
  name: string;
  label: string;
  kind: FieldKind;
  /** Without a value the member is left out, or null. */
  empty?: 'absent' | 'null';
  /** What an absent member means. */
  standard?: unknown;
  hint?: string;
}

const field = (
  name: string,
  label: string,
  kind: FieldKind,
  more: Pick<FieldOf, 'empty' | 'standard' | 'hint'> = {},
): FieldOf => ({ name, label, kind, ...more });

const absent = { empty: 'absent' } as const;
const orNull = { empty: 'null' } as const;
const yes = { standard: true } as const;

/** A number that has a standard value. */
const standardly = (value: number) => ({ ...absent, hint: String(value) });

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
  field('geo/latitude', 'Latitude', 'coordinate', absent),
  field('geo/longitude', 'Longitude', 'coordinate', absent),
  field('amenities', 'Amenities', 'words', { hint: 'Separated by commas.' }),
  field('indexable', 'Search engines may show it', 'switch', yes),
];

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

export const paymentFields = [
  field('dueNowPercent', 'Due at booking (%)', 'number', standardly(100)),
  field('balanceDaysBefore', 'The rest, days before arrival', 'integer', standardly(0)),
];

export const stayFields = [
  field('minNights', 'Minimum nights', 'integer', standardly(limits.nightsPerStay.min)),
  field('maxNights', 'Maximum nights', 'integer', standardly(limits.nightsPerStay.max)),
  field('advanceNoticeDays', 'Days of notice', 'integer', standardly(0)),
  field(
    'bookingHorizonDays',
    'Bookable days ahead',
    'integer',
    standardly(limits.bookingHorizonDays),
  ),
  field('arrivalDays', 'Days of arrival', 'weekdays', { standard: weekdays }),
  field('departureDays', 'Days of departure', 'weekdays', { standard: weekdays }),
];

export const partyFields = [
  field('children', 'Children', 'switch', yes),
  field('infants', 'Infants', 'switch', yes),
  field('maxPets', 'Most pets', 'integer', standardly(0)),
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
  /** Which items of the member belong to the list, if not all. */
  has?: (entry: Readonly<Record<string, unknown>>) => boolean;
  /** A list that each item has. */
  inner?: ListOf;
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
      field('priority', 'Priority', 'integer', standardly(0)),
      ...weekdayPrices,
      field('arrivalDays', 'Only arrivals on', 'weekdays', absent),
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
      field('arrivalDays', 'Only arrivals on', 'weekdays', absent),
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
      field('taxed', 'Taxed', 'switch', yes),
    ],
  },
  {
    title: 'Taxes by percentage',
    about: 'Of accommodation after discounts, cleaning, or fees.',
    path: ['taxes'],
    noun: 'tax',
    item: { label: '', on: ['accommodation'], percent: 0 },
    has: (tax) => 'on' in tax,
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
    has: (tax) => !('on' in tax),
    columns: [
      field('label', 'Label', 'text'),
      field('per', 'Per', per),
      field('amount', 'Amount', 'money'),
      field('adultsOnly', 'Adults only', 'switch', absent),
      field('maxNights', 'Most nights', 'integer', absent),
      field('staysUpToNights', 'Stays up to nights', 'integer', absent),
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
    title: 'Rooms',
    about: 'In their order, with their beds.',
    path: ['spaces'],
    noun: 'room',
    item: { type: '', name: null, isPrivate: null, beds: [] },
    columns: [
      field('type', 'Kind of room', 'text', { hint: 'bedroom' }),
      field('name', 'Name', 'text', orNull),
      field('isPrivate', 'Private', 'yes or no'),
    ],
    inner: {
      title: 'Beds',
      about: '',
      path: ['beds'],
      noun: 'bed',
      item: { type: '', quantity: 1 },
      columns: [
        field('type', 'Kind of bed', 'text', { hint: 'double' }),
        field('quantity', 'How many', 'integer'),
      ],
    },
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
