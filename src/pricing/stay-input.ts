import { dayNumber } from './rules/calendar-date.ts';
import type { Stay } from './rules/listing.ts';

/** Converts validated dates to a stay. */
export const stayOf = (input: { checkIn: string; checkOut: string }): Stay => ({
  checkIn: dayNumber(input.checkIn),
  checkOut: dayNumber(input.checkOut),
});
