import { partnerKinds } from '../access/index.ts';
import type { ConfirmsTime } from '../platform/clock.ts';
import type { Executor } from '../platform/postgres/database.ts';

/** The dependencies of operations on events. */
export interface EventContext {
  executor: Executor;
  confirmsTime: ConfirmsTime;
}

/** The kinds of operation of this subject. */
export const { read } = partnerKinds<EventContext>();
