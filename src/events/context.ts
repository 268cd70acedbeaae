import { type PartnerCall, partnerKinds } from '../access/index.ts';
import type { OperationId } from '../contract/partner/operations.ts';
import type { Executor } from '../platform/postgres/database.ts';

/** The dependencies of operations on events. */
export interface EventContext {
  executor: Executor;
}

/** The kinds of operation of this subject. */
export const { read } = partnerKinds<EventContext>();

/** A call on events after validation. */
export type EventCall<Id extends OperationId> = PartnerCall<Id, EventContext>;
