import * as Type from '../../type.ts';
import { operatorLimits } from '../limits.ts';
import { BlockSource } from './homes.ts';
import { pageQuery } from './shared.ts';

const { calendarDays, searchTextLength } = operatorLimits;

/** Which homes a list has: those that match all members. */
export const homeFilter = {
  ...Type.AllOptional({
    text: Type.String({
      maxLength: searchTextLength,
      description: 'Only homes whose name, slug or destination contains this, without accents.',
    }),
    catalogId: Type.UuidInput('Only homes that this catalog sells.'),
    collectionId: Type.UuidInput('Only homes of this collection.'),
    offset: Type.AtLeast(0, 'How many homes to skip at the beginning. Absent: 0.'),
  }),
};

export const CalendarQuery = Type.RequestObject({
  from: Type.KeptDate('The first night.'),
  days: Type.Optional(
    Type.WholeFrom(
      calendarDays.min,
      calendarDays.max,
      `The number of nights; ${calendarDays.default} if absent.`,
    ),
  ),
  limit: pageQuery.limit,
  ...Type.AllOptional({
    freeFrom: Type.KeptDate(
      'With `freeTo`: only homes that are free for every night from this one on.',
    ),
    freeTo: Type.KeptDate('The day after the last of these nights.'),
    sleeps: Type.WholeFrom(
      1,
      100,
      'Only homes for this many adults and children; those without a limit, too.',
    ),
  }),
  ...homeFilter,
});

const CalendarBar = Type.ResponseObject('CalendarBar', 'Nights of a home that are taken.', {
  id: Type.Text('Of a block: its ID.'),
  kind: Type.Enum(['stay', 'hold', 'block', 'simulated'], {
    description:
      '`hold`: a booking whose outcome is not known yet. `simulated`: nights that the simulation marks as taken.',
  }),
  from: Type.KeptDate('The first night.'),
  to: Type.KeptDate('The day after the last night.'),
  reference: Type.Nullable(Type.Text('Of a stay: its reservation.')),
  application: Type.Nullable(Type.Text('Of a stay or hold: who booked it.')),
  guest: Type.Nullable(Type.Text('Of a stay: first and last name; null: removed.')),
  guests: Type.Nullable(Type.Whole('Of a stay: adults and children.')),
  source: Type.Nullable(Type.Described(BlockSource, 'Of a block: where it comes from.')),
  reason: Type.Nullable(Type.Text('Of a block, for staff.')),
});

const CalendarHome = Type.ResponseObject(
  'CalendarHome',
  'A home with a price and rule for each day.',
  {
    listingId: Type.Uuid('Its ID.'),
    slug: Type.String(),
    name: Type.String(),
    destination: Type.Nullable(Type.String()),
    sleeps: Type.Nullable(Type.Whole('For how many adults and children; null: it has no limit.')),
    currency: Type.Text('ISO 4217.'),
    today: Type.KeptDate('Today at the property.'),
    prices: Type.Array(Type.Nullable(Type.Minor('In minor units.')), {
      description: 'The price of each night without adjustments; null: no rule prices it.',
    }),
    minNights: Type.Array(Type.Integer(), {
      description: 'The minimum nights of a stay that begins on this day.',
    }),
    bars: Type.Array(CalendarBar, { description: 'By date. They do not overlap.' }),
  },
);

export const MultiCalendar = Type.ResponseObject(
  'MultiCalendar',
  'Homes in the order of their catalogs, with the nights that are taken.',
  {
    from: Type.KeptDate('The first night.'),
    days: Type.Whole('The number of nights.'),
    offset: Type.Whole('The place of the first of these homes, from 0.'),
    total: Type.Whole('How many homes the filter finds.'),
    homes: Type.Array(CalendarHome),
  },
);
