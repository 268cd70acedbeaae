import { signalJoins, type CaptureSignal } from '../contract/partner/schemas/signal.ts';
import { findCheckout, findQuote, type FoundCheckout } from '../bookings/index.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { observationExists } from '../inventory/index.ts';

/** The resources that a signal is about, derived by the service and never from the caller. Spec: SIGNAL-2. */
export interface Join {
  searchObservationId?: string;
  listingId?: string;
  quoteId?: string;
  checkout?: FoundCheckout;
}

/** Finds the resource that the signal's name requires; null: this application has none with this ID. */
export async function findJoin(
  executor: Executor,
  applicationId: string,
  signal: CaptureSignal,
  isListing: (listingId: string) => boolean,
): Promise<Join | null> {
  const member = signalJoins[signal.name];
  if (member === null) return {};
  const id = signal[member];
  if (id === undefined) return {};
  switch (member) {
    case 'searchObservationId':
      return (await observationExists(executor, applicationId, id))
        ? { searchObservationId: id }
        : null;
    case 'listingId':
      return isListing(id) ? { listingId: id } : null;
    case 'quoteId': {
      const found = await findQuote(executor, applicationId, id);
      return found ? { quoteId: id, listingId: found.quote.listingId } : null;
    }
    case 'checkoutId': {
      const found = await findCheckout(executor, applicationId, id);
      if (!found) return null;
      const { quoteId, listingId } = found.checkout.quote;
      return { checkout: found, quoteId, listingId };
    }
  }
}
