/** Which calls of partners were refused, and which searches answered, for the funnel. */
import type { Log } from '../platform/log.ts';
import type { OperationId } from '../contract/partner/operations.ts';
import { type LossyRecorder, startLossyRecorder } from '../platform/lossy-recorder.ts';
import type { Executor } from '../platform/postgres/database.ts';
import {
  countAnsweredSearches,
  countRefusedCalls,
  type RefusedCall,
  type RefusedStep,
} from './store/count-funnel.ts';

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

/** A call that counts: one that was refused, or a search that was answered. */
type CountedCall = RefusedCall | { answeredSearchOf: string };

/** Counts calls in groups. Requests do not wait for it. */
export type RefusalRecorder = LossyRecorder<CountedCall>;

async function countCalls(executor: Executor, calls: readonly CountedCall[]): Promise<void> {
  const searches: string[] = [];
  const refused: RefusedCall[] = [];
  for (const call of calls) {
    if ('answeredSearchOf' in call) searches.push(call.answeredSearchOf);
    else refused.push(call);
  }
  if (searches.length > 0) await countAnsweredSearches(executor, searches);
  if (refused.length > 0) await countRefusedCalls(executor, refused);
}

const everyMs = 2_000;

/** Starts the recorder of this process. */
export const startRefusalRecorder = ({
  executor,
  log,
}: {
  executor: Executor;
  log: Pick<Log, 'warn'>;
}): RefusalRecorder =>
  startLossyRecorder({
    write: (calls) => countCalls(executor, calls),
    onDropped: (details) => log.warn(details, 'refused calls are missing from the funnel'),
    everyMs,
  });
