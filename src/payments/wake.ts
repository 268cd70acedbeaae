import { wakeUncertainCheckout } from '../bookings/index.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { wakeAccountOf } from './store/accounts.ts';
import { findIntent } from './store/intents.ts';
import { wakeReturnOf } from './store/returns.ts';

/**
 * Looks up a payment now instead of after its delay, because the provider says that it has changed. An
 * unknown ID is ignored. Returns whether something was waiting.
 */
export async function wakePayment(executor: Executor, paymentId: string): Promise<boolean> {
  const intent = await findIntent(executor, paymentId);
  if (!intent) return false;
  if (await wakeReturnOf(executor, paymentId)) return true;
  if (await wakeAccountOf(executor, paymentId)) return true;
  return wakeUncertainCheckout(executor, intent.applicationId, intent.checkoutId);
}
