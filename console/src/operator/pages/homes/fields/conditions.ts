/** The conditions of fees, taxes and discounts. */
import { absent, field } from './field-of.ts';

const seasonDay = { ...absent, hint: '04-15' };
const lastDay = { ...absent, hint: '10-31' };

/** When a fee, tax or discount applies. */
export const whenFields = [
  field('when/nights/from', 'Only nights from', 'text', seasonDay),
  field('when/nights/to', 'Only nights to, included', 'text', lastDay),
  field('when/stayNights/min', 'Stays from nights', 'integer', absent),
  field('when/stayNights/max', 'Stays up to nights', 'integer', {
    ...absent,
    replaces: ['staysUpToNights'],
  }),
  field('when/daysAhead/min', 'Booked at least days ahead', 'integer', absent),
  field('when/daysAhead/max', 'Booked at most days ahead', 'integer', absent),
];

const ages = { ...absent, replaces: ['adultsOnly'] };

/** Whom and which nights a fee or tax counts, and where it is paid. */
export const countFields = [
  field('who/ages/from', 'Guests from age', 'integer', ages),
  field('who/ages/to', 'Guests up to age', 'integer', ages),
  field('fromGuest', 'From guest', 'integer', absent),
  field('maxNights', 'Most nights', 'integer', absent),
  field('fromNight', 'From night', 'integer', absent),
  field('payAt', 'Paid at', ['property'], absent),
  field('id', 'Its id, for other taxes', 'text', { ...absent, hint: 'local' }),
  field('net', 'Of prices without included taxes', 'switch', absent),
];
