/** Which calls of partners were refused, for the funnel. */
import type { OperationId } from '../contract/partner/operations.ts';
import { type LossyRecorder, startLossyRecorder } from '../platform/lossy-recorder.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { countRefusedCalls, type RefusedCall, type RefusedStep } from './store/count-funnel.ts';

/** The step of the funnel that an operation belongs to. Reads, sign-in and signals belong to none. */
export const stepOf: Readonly<Partial<Record<OperationId, RefusedStep>>> = {
  'distribution.listing.search': 'search',
  'reservation.quote.create': 'quote',
  'reservation.checkout.create': 'checkout',
  'reservation.checkout.saveGuest': 'checkout',
  'reservation.checkout.applyPromo': 'checkout',
  'reservation.checkout.removePromo': 'checkout',
  'reservation.checkout.setupPayment': 'checkout',
  'reservation.checkout.verifyPayment': 'checkout',
  'reservation.checkout.submit': 'submit',
  'reservation.reservationRequest.create': 'submit',
};

interface Priced {
  listing?: { listingId: string };
  quote?: { listingId: string };
  checkout?: { quote: { listingId: string } };
}

/** The home that a call is about, from what it has loaded, so that it is one that there is. Null: none. */
export function homeOf(loaded: unknown): string | null {
  if (typeof loaded !== 'object' || loaded === null) return null;
  const { listing, quote, checkout } = loaded as Priced;
  return listing?.listingId ?? quote?.listingId ?? checkout?.quote.listingId ?? null;
}

/** Counts refused calls in groups. Requests do not wait for it. */
export type RefusalRecorder = LossyRecorder<RefusedCall>;

const everyMs = 2_000;

/** Starts the recorder of this process. */
export const startRefusalRecorder = ({
  executor,
  log,
}: {
  executor: Executor;
  log: { warn(details: object, message: string): void };
}): RefusalRecorder =>
  startLossyRecorder({
    write: (refused) => countRefusedCalls(executor, refused),
    onDropped: (details) => log.warn(details, 'refused calls are missing from the funnel'),
    everyMs,
  });
