/** How many calls of partners were refused, and how many searches answered, for the funnel. */
import type { Log } from '../platform/log.ts';
import type { OperationId } from '../contract/partner/operations.ts';
import { type LossyRecorderContext, startLossyRecorder } from '../platform/lossy-recorder.ts';
import type { Executor } from '../platform/postgres/database.ts';
import {
  type AnsweredSearches,
  countAnsweredSearches,
  countRefusedCalls,
  type RefusedCalls,
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

/** Counts calls in memory, and writes the counts every two seconds. Requests do not wait for it. */
export interface CallCounts {
  refused(call: Omit<RefusedCalls, 'calls'>): void;
  answered(applicationId: string): void;
  /** Writes what is counted and counts no more. */
  stop(): Promise<void>;
}

const everyMs = 2_000;
// Bounds the memory to a megabyte: refusals of many homes are of as many kinds.
const mostKinds = 4_096;

/** Counts the calls of each kind, which a text names. */
function startCounter<Counted extends { calls: number }>(
  context: Pick<LossyRecorderContext<Counted>, 'write' | 'onDropped'>,
) {
  const recorder = startLossyRecorder({ ...context, everyMs: 0 });
  const counts = new Map<string, Counted>();
  let pending: NodeJS.Timeout | undefined;

  function handOver(): void {
    clearTimeout(pending);
    pending = undefined;
    for (const one of counts.values()) recorder.record(one);
    counts.clear();
  }

  return {
    count(kind: string, first: () => Counted): void {
      const known = counts.get(kind);
      if (known) {
        known.calls += 1;
        return;
      }
      counts.set(kind, first());
      if (counts.size >= mostKinds) handOver();
      else pending ??= setTimeout(handOver, everyMs);
    },
    stop(): Promise<void> {
      handOver();
      return recorder.stop();
    },
  };
}

/** Starts the counts of this process. */
export function startCallCounts({
  executor,
  log,
}: {
  executor: Executor;
  log: Pick<Log, 'warn'>;
}): CallCounts {
  const onDropped = (details: { dropped: number; err: unknown }): void =>
    log.warn(details, 'refused calls are missing from the funnel');
  // Two counters: a group is written by one statement, so that one that fails is not counted in part.
  const searches = startCounter<AnsweredSearches>({
    write: (counts) => countAnsweredSearches(executor, counts),
    onDropped,
  });
  const refusals = startCounter<RefusedCalls>({
    write: (counts) => countRefusedCalls(executor, counts),
    onDropped,
  });
  return {
    refused(call) {
      const { applicationId, listingId, step, reason } = call;
      const kind = `${applicationId} ${listingId} ${step} ${reason}`;
      refusals.count(kind, () => ({ ...call, calls: 1 }));
    },
    answered: (applicationId) => searches.count(applicationId, () => ({ applicationId, calls: 1 })),
    async stop() {
      await Promise.all([searches.stop(), refusals.stop()]);
    },
  };
}
