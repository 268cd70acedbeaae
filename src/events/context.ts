import { partnerKinds } from '../access/index.ts';
import type { Executor } from '../platform/postgres/database.ts';

/** The dependencies of operations on events. */
export interface EventContext {
  executor: Executor;
}

/** The kinds of operation of this subject. */
export const { read } = partnerKinds<EventContext>();
