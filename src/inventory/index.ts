export type { Availability } from './availability.ts';
export type { InventoryContext } from './context.ts';
export { decideInTime } from './decide-with-database-time.ts';
export { createLiveReads } from './live-reads.ts';
export { isTaken, takenNights } from './night-states.ts';
export { noAvailability } from './no-availability.ts';
export { openNightsIndex } from './nights-index/nights-index.ts';
export { createFeedReader, type FeedReader, noFeedReader } from './changes/reader.ts';
export { startTeller } from './changes/teller.ts';
export { listChanges } from './operations/list-changes.ts';
export { changeActs } from './staff/changes.ts';
export { sweepChanges } from './store/change-feed.ts';
export { listCalendars } from './operations/list-calendars.ts';
export { getCalendar } from './operations/get-calendar.ts';
export { searchListings } from './operations/search-listings.ts';
export {
  addBlocks,
  type AddedBlocks,
  listBlocks,
  type NewBlock,
  readTakenNights,
  removeBlock,
  type TakenNights,
} from './store/blocks.ts';
export {
  blockChannelNights,
  exportedFrom,
  freeCalendar,
  type NightsForChannel,
  readNightsForChannel,
  unblockChannelNights,
} from './store/channel-nights.ts';
export { readPreparation } from './store/preparation.ts';
export { type CalendarBar, readCalendarBars } from './store/calendar-bars.ts';
export {
  abandonedHolds,
  findStay,
  freeHolds,
  freeNights,
  hasNights,
  insertHolds,
  moveNights,
  readFreeListings,
  readOpenNights,
  endHolds,
} from './store/occupancies.ts';
export { sweepNightChanges } from './store/night-changes.ts';
export { observationExists } from './store/search-observations.ts';
export { importBlocks } from './import-block-file.ts';
export { blockImport, readFileBlocks } from './import-blocks.ts';
export {
  blockNights,
  listBlocksOf,
  artificialNightsRefusal,
  unblockNights,
} from './edit-blocks.ts';
export { blockActs } from './staff/blocks.ts';
