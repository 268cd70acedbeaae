import type { Database } from '../../platform/postgres/database.ts';
import { actOnMoney, type MoneyActInput } from './money-act.ts';

/**
 * Gives back a part of what was collected, without a cancellation; what is still to be collected stays as it is.
 * The worker refunds it. Every refund lowers `due`, so one that is sent again with the same `seenDue` is refused.
 * Spec: MONEY-11.
 */
export const refundPayment = (database: Database, actor: string, input: MoneyActInput) =>
  actOnMoney(database, actor, { act: 'refund', action: 'payment.refund', details: {} }, input);

/** Lowers what is still to be collected, and gives nothing back. Spec: MONEY-11. */
export const reducePayment = (database: Database, actor: string, input: MoneyActInput) =>
  actOnMoney(database, actor, { act: 'reduce', action: 'payment.reduce', details: {} }, input);
