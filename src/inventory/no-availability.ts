import type { Availability } from './availability.ts';

const notServed = (): Promise<never> =>
  Promise.reject(new Error('This process serves no searches and no calendars.'));

/** The availability of a process without the role `api`: it has no nights in memory. */
export const noAvailability: Availability = {
  prepare: () => Promise.resolve(),
  freeHomes: notServed,
  openNights: notServed,
  knownUntil: () => Number.POSITIVE_INFINITY,
  follow: () => Promise.resolve(),
  size: () => ({ homes: 0, bytes: 0 }),
  took: () => undefined,
  changed: () => undefined,
};
