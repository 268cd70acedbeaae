import { dayNumber } from './rules/calendar-date.ts';
import type { Stay } from './rules/listing.ts';

/** The stay between two dates that validation has passed. */
export const stayOf = (input: { checkIn: string; checkOut: string }): Stay => ({
  checkIn: dayNumber(input.checkIn),
  checkOut: dayNumber(input.checkOut),
});
