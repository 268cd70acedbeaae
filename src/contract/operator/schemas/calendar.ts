import Type from 'typebox';
import {
  Described,
  Integer,
  Minor,
  Nullable,
  optional,
  RequestObject,
  ResponseObject,
  Text,
  Uuid,
  UuidInput,
} from '../../partner/schemas/primitives.ts';
import { operatorLimits } from '../limits.ts';
import { BlockSource } from './homes.ts';
import { pageQuery, KeptDate } from './shared.ts';

const { calendarDays, searchTextLength } = operatorLimits;

/** Which homes a list has: those that match all members. */
export const homeFilter = {
  ...optional({
    text: Type.String({
      maxLength: searchTextLength,
      description: 'Only homes whose name, slug or destination contains this, without accents.',
    }),
    catalogId: UuidInput('Only homes that this catalog sells.'),
    collectionId: UuidInput('Only homes of this collection.'),
    offset: Type.Integer({
      minimum: 0,
      description: 'How many homes to skip at the beginning. Absent: 0.',
    }),
  }),
};

export const CalendarQuery = RequestObject({
  from: KeptDate('The first night.'),
  days: Type.Optional(
    Type.Integer({
      minimum: calendarDays.min,
      maximum: calendarDays.max,
      description: `The number of nights; ${calendarDays.default} if absent.`,
    }),
  ),
  limit: pageQuery.limit,
  ...optional({
    freeFrom: KeptDate('With `freeTo`: only homes that are free for every night from this one on.'),
    freeTo: KeptDate('The day after the last of these nights.'),
    sleeps: Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Only homes for this many adults and children; those without a limit, too.',
    }),
  }),
  ...homeFilter,
});

const CalendarBar = ResponseObject('CalendarBar', 'Nights of a home that are taken.', {
  id: Text('Of a block: its ID.'),
  kind: Type.Enum(['stay', 'hold', 'block', 'simulated'], {
    description:
      '`hold`: a booking whose outcome is not known yet. `simulated`: nights that the simulation marks as taken.',
  }),
  from: KeptDate('The first night.'),
  to: KeptDate('The day after the last night.'),
  reference: Nullable(Text('Of a stay: its reservation.')),
  application: Nullable(Text('Of a stay or hold: who booked it.')),
  guest: Nullable(Text('Of a stay: first and last name; null: removed.')),
  guests: Nullable(Integer('Of a stay: adults and children.')),
  source: Nullable(Described(BlockSource, 'Of a block: where it comes from.')),
  reason: Nullable(Text('Of a block, for staff.')),
});

const CalendarHome = ResponseObject('CalendarHome', 'A home with a price and rule for each day.', {
  listingId: Uuid('Its ID.'),
  slug: Type.String(),
  name: Type.String(),
  destination: Nullable(Type.String()),
  sleeps: Nullable(Integer('For how many adults and children; null: it has no limit.')),
  currency: Text('ISO 4217.'),
  today: KeptDate('Today at the property.'),
  prices: Type.Array(Nullable(Minor('In minor units.')), {
    description: 'The price of each night without adjustments; null: no rule prices it.',
  }),
  minNights: Type.Array(Type.Integer(), {
    description: 'The minimum nights of a stay that begins on this day.',
  }),
  bars: Type.Array(CalendarBar, { description: 'By date. They do not overlap.' }),
});

export const MultiCalendar = ResponseObject(
  'MultiCalendar',
  'Homes in the order of their catalogs, with the nights that are taken.',
  {
    from: KeptDate('The first night.'),
    days: Integer('The number of nights.'),
    offset: Integer('The place of the first of these homes, from 0.'),
    total: Integer('How many homes the filter finds.'),
    homes: Type.Array(CalendarHome),
  },
);
