/** Erases again who had been erased before the database was put back. */
import { findErased, type GuestBooking } from '../bookings/index.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseConflict } from '../contract/operator/errors.ts';
import type { Database } from '../platform/postgres/database.ts';
import { inSlices } from '../platform/slices.ts';
import { erasedAtOnce, eraseGuest, type ErasureContext } from './erase-guest.ts';
import { readErasureLine } from './erasure-line.ts';
import { indexGuests } from './index-guests.ts';

export const notIndexed = refuseConflict(
  'Bookings of an earlier version are still being indexed. Try again in some minutes.',
);

const readErasureLines = (lines: readonly string[]) =>
  lines.map(readErasureLine).filter((one) => one !== null);

/** The bookings that the erasures of these lines have erased, as far as they have a guest again. */
export async function findErasedAgain(
  database: Database,
  lines: readonly string[],
  indexedWithinMs: number,
): Promise<GuestBooking[] | Refusal<'conflict'>> {
  if (!(await indexGuests(database, indexedWithinMs))) return notIndexed;
  return findErased(database, readErasureLines(lines));
}

const erased = async (
  context: ErasureContext,
  bookings: readonly GuestBooking[],
): Promise<Refusal<'conflict'> | null> => {
  if (bookings.length === 0) return null;
  const erasure = {
    batches: () => inSlices(bookings, erasedAtOnce),
    email: null,
    actor: 'service',
    reason: 'Erased before the database was put back.',
    isRepeated: true,
    refuse: () => null,
  };
  const again = await eraseGuest(context, erasure, false);
  return isRefusal(again) ? again : null;
};

const indexedWithinMs = 1_000;

/**
 * Carries out the erasures of the file `erasures` as far as the database knows the persons again. Returns how many
 * bookings had a guest again. Each erasure names its bookings, so only what is found by an address alone waits for the
 * index: then it is refused. Customers of the card provider are deleted by the worker. Spec: RESTORE-6.
 */
export async function repeatErasures(
  context: ErasureContext,
): Promise<number | Refusal<'conflict'>> {
  const lines = await context.erasures.read();
  if (lines.length === 0) return 0;
  const { database } = context;
  const named = await findErased(database, readErasureLines(lines));
  const refused = await erased(context, named);
  if (refused) return refused;
  const others = await findErasedAgain(database, lines, indexedWithinMs);
  if (isRefusal(others)) return others;
  return (await erased(context, others)) ?? named.length + others.length;
}
