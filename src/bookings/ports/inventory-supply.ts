import { areContested } from '../../channels/index.ts';
import { inventoryDefinitionVersion } from '../../contract/wire.ts';
import { findStay, readOpenNights } from '../../inventory/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { isPaidByCard } from '../rules/booking.ts';
import { holdNights } from '../store/nights.ts';
import type { Supply } from './supply.ts';

const done = { outcome: 'done' } as const;
const unknown = { outcome: 'unknown' } as const;
const soldOut = { outcome: 'refused', reason: 'sold_out' } as const;

/**
 * The operator's own inventory: nights are rows of this database. `hold` inserts them. The statement that
 * writes the outcome of a booking also confirms or frees them, so `release` has nothing to do. `confirm` refuses
 * while another channel has sold some of the nights: the release gives them to it.
 */
export const createInventorySupply = (executor: Executor): Supply => ({
  definitionVersion: inventoryDefinitionVersion,
  keepsNights: true,
  openNights: (listingId, from, nights, _signal, own) =>
    readOpenNights(executor, listingId, from, nights, own?.attemptId),
  async hold(booking, fence) {
    const verdict = await holdNights(executor, booking, fence);
    if (verdict === 'held') return done;
    if (verdict === 'overtaken') return unknown;
    // A separate statement: it sees what was committed while the first one waited.
    return (await findStay(executor, booking.attemptId)) ? done : soldOut;
  },
  // Without a card, `confirm` follows at once and looks itself.
  recheck: async (booking) =>
    isPaidByCard(booking) && (await areContested(executor, booking.attemptId)) ? soldOut : done,
  async confirm({ attemptId }) {
    return (await areContested(executor, attemptId)) ? soldOut : { ...done, announced: null };
  },
  release: async () => done,
  async lookUp({ attemptId }) {
    const stay = await findStay(executor, attemptId);
    return stay === 'confirmed'
      ? { ...done, stay, announced: null }
      : { ...done, stay: stay ?? 'none' };
  },
});
