export type { Availability } from './availability.ts';
export type { InventoryContext } from './context.ts';
export { decideInTime } from './in-time.ts';
export { createLiveReads } from './live-reads.ts';
export { getCalendar } from './operations/get-calendar.ts';
export { searchListings } from './operations/search-listings.ts';
export { observationExists } from './store/search-observations.ts';
