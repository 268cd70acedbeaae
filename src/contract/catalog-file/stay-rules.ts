/** Who may stay, and when, in a catalog file. */
import * as Type from '../type.ts';
import { Closed, Days, Nights, Time, Weekdays } from './values.ts';

/** When a stay may begin and end. */
export const StayRules = Closed('When a stay may begin and end.', {
  ...Type.AllOptional({
    minNights: Nights('Minimum nights. Absent: 1.'),
    maxNights: Nights('Maximum nights. Absent: 90.'),
    arrivalDays: Weekdays('Absent: every weekday.'),
    departureDays: Weekdays('Absent: every weekday.'),
    preparationNights: Type.WholeFrom(
      0,
      7,
      'Nights after each stay, and after each event of another channel, that partners do not get. Absent: 0.',
    ),
    gapMinNights: Nights(
      'Below the minimum, a stay of at least this length is allowed where it leaves no free night before or after it.',
    ),
    advanceNotice: Closed('The long form of `advanceNoticeDays`.', {
      days: Days('Whole days at the property between booking and arrival.'),
      until: Type.Optional(
        Time('The hour at the property until which it can be booked on that day. Absent: 24:00.'),
      ),
    }),
    advanceNoticeDays: Days('Whole days at the property between booking and arrival. Absent: 0.'),
    bookingHorizonDays: Days('Latest day of arrival, in days from today. Absent: 730.'),
  }),
});

/** Who may stay. */
export const PartyRules = Closed('Who may stay.', {
  children: Type.Optional(Type.Flag('Absent: true.')),
  infants: Type.Optional(Type.Flag('Absent: true.')),
  maxPets: Type.Optional(Type.WholeFrom(0, 99, 'Absent: 0, no pets.')),
});
