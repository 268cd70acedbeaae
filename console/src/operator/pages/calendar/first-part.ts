/** The part of the calendar that is in view when it opens. */
import { calendarQuery } from '../../api/homes-queries.ts';
import type { HomeFilter } from '../../api/homes-types.ts';
import { dateOf, dayOf, todayHere } from '../../words/days.ts';

/** The number of homes and nights of one read. */
export const partHomes = 40;
export const partDays = 56;

const daysBeforeToday = 2;

/** The first day of the grid, from the address. */
export const firstShown = (from: string | undefined): string => {
  const isDate = from !== undefined && !Number.isNaN(dayOf(from));
  return isDate ? from : dateOf(dayOf(todayHere()) - daysBeforeToday);
};

/** The query of the homes and nights that an address shows first. */
export const firstPartQuery = ({ from, ...filter }: HomeFilter & { from?: string | undefined }) =>
  calendarQuery(filter, { from: firstShown(from), days: partDays, offset: 0, limit: partHomes });
