import { type PartnerCall, partnerKinds } from '../access/index.ts';
import type { CatalogContext } from '../catalog/index.ts';
import type { OperationId } from '../contract/partner/operations.ts';
import type { Clock, ConfirmsTime, DatabaseClock } from '../platform/clock.ts';
import type { Availability } from './availability.ts';
import type { LiveReads } from './live-reads.ts';

/** The dependencies of operations on availability. */
export interface InventoryContext extends CatalogContext {
  /** The free nights, for search and calendar. */
  availability: Availability;
  liveReads: LiveReads;
  /** The database's time as this process estimates it; enough for a success. */
  now: Clock;
  /** Reads the time from the database; needed for a refusal. Throws `DatabaseUnavailableError`. */
  askTime: DatabaseClock['ask'];
  confirmsTime: ConfirmsTime;
}

/** The kinds of operation of this subject. */
export const { read } = partnerKinds<InventoryContext>();

/** A call on availability after validation. */
export type InventoryCall<Id extends OperationId> = PartnerCall<Id, InventoryContext>;
