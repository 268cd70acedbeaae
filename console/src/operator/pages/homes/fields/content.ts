/** The texts, pictures and rooms of a home. */
import { absent, field, type ListOf, orNull, yes } from './field-of.ts';

const propertyTypes = ['house', 'apartment', 'cabin', 'villa', 'boat', 'room', 'other'] as const;

export const contentFields = [
  field('name', 'Name', 'text'),
  field('propertyType', 'Kind of home', propertyTypes, orNull),
  field('registration/number', 'Registration number', 'text', {
    ...absent,
    hint: 'If required.',
  }),
  field('destination', 'Destination', 'text', { ...orNull, isWide: true }),
  field('blurb', 'In one sentence', 'text', { ...orNull, isWide: true }),
  field('description', 'Description', 'long', orNull),
  field('sleeps', 'Sleeps', 'integer', orNull),
  field('bedrooms', 'Bedrooms', 'number', orNull),
  field('bathrooms', 'Bathrooms', 'number', orNull),
  field('checkInFrom', 'Arrival from', 'time', orNull),
  field('checkOutUntil', 'Departure until', 'time', orNull),
  field('timeZone', 'Time zone', 'text', { ...orNull, hint: 'As Europe/Lisbon.' }),
  field('currency', 'Currency', 'text', { hint: 'As EUR.' }),
  field('geo/latitude', 'Latitude', 'coordinate', absent),
  field('geo/longitude', 'Longitude', 'coordinate', absent),
  field('amenities', 'Amenities', 'words', { hint: 'Separated by commas.' }),
  field('indexable', 'Search engines may show it', 'switch', { ...yes, isWide: true }),
];

export const addressFields = [
  field('address/lines', 'Street and number', 'lines', { ...absent, hint: 'One line each.' }),
  field('address/postalCode', 'Postal code', 'text', absent),
  field('address/city', 'Town', 'text', absent),
  field('address/region', 'Region', 'text', absent),
  field('address/country', 'Country', 'text', { ...absent, hint: 'Two letters, as PT.' }),
  field('arrivalInstructions', 'Arrival instructions', 'long', {
    ...orNull,
    hint: 'Keys, parking, the way.',
  }),
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
