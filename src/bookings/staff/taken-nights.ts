import { readTakenNights, type TakenNights } from '../../inventory/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { Booking } from '../rules/booking.ts';
import type { StayOfReservation } from '../rules/change-reservation.ts';

/** Stays and blocks, other than the booking itself, that occupy nights of a stay. */
export async function conflictsOf(
  executor: Executor,
  { attemptId }: Pick<Booking, 'attemptId'>,
  { listingId, checkIn, checkOut }: Pick<StayOfReservation, 'listingId' | 'checkIn' | 'checkOut'>,
): Promise<TakenNights[]> {
  const taken = await readTakenNights(executor, { listingId, from: checkIn, to: checkOut });
  return taken.filter((one) => one.kind === 'block' || one.attemptId !== attemptId);
}

/** Whether a stay can have its nights, as staff see it. */
export const availabilityOf = (taken: TakenNights[]) => ({ isFree: taken.length === 0, taken });

const takenBy: {
  readonly [Kind in TakenNights['kind']]: (taken: Extract<TakenNights, { kind: Kind }>) => string;
} = {
  block: ({ reason }) => `blocked${reason === null ? '' : `: ${reason}`}`,
  held: () => 'held for a booking',
  confirmed: ({ reference }) => reference,
};

const nightsTaken = (taken: TakenNights): string =>
  `${taken.from} to ${taken.to} (${takenBy[taken.kind](taken as never)})`;

/** Who has the nights, for a message. */
export const takenText = (taken: readonly TakenNights[]): string =>
  taken.map(nightsTaken).join(', ') || 'somebody was faster';
