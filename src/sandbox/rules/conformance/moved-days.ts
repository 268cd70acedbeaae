import { dateText, dayNumber } from '../../../pricing/index.ts';

interface Dates {
  checkIn: string;
  checkOut: string;
}

/** The dates of a stay, some days later. */
export const movedDays = ({ checkIn, checkOut }: Dates, days: number): Dates => ({
  checkIn: dateText(dayNumber(checkIn) + days),
  checkOut: dateText(dayNumber(checkOut) + days),
});
