import { dayNumber } from '../domain/calendar-date.ts';
import type { Stay } from '../domain/listing.ts';

/** The stay between two dates that validation has passed. */
export const stayOf = (input: { checkIn: string; checkOut: string }): Stay => ({
  checkIn: dayNumber(input.checkIn),
  checkOut: dayNumber(input.checkOut),
});
