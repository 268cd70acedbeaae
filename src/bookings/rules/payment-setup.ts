import { limits } from '../../contract/limits.ts';
import type { NextAction } from '../../contract/states.ts';
import type { PaymentSetup } from './booking.ts';
import type { EpochMs } from '../../contract/time.ts';

type Setup = Pick<PaymentSetup, 'state' | 'failure' | 'requestedAt'>;

/** Whether a setup was requested less than a minute ago and has no answer yet. Spec: CARD-2. */
export const setupUnderWay = (
  setup: Pick<Setup, 'state' | 'requestedAt'> | null,
  now: EpochMs,
): boolean =>
  setup?.state === 'pending' &&
  now < setup.requestedAt + limits.paymentSetupUnansweredSeconds * 1000;

/** What a client can do about the payment of a checkout that needs one. Spec: CARD-2, CARD-3. */
export function paymentActions(setup: Setup | null, now: EpochMs): readonly NextAction[] {
  if (!setup) return ['setup_payment'];
  if (setup.state === 'ready') return ['verify_payment'];
  if (setup.state === 'failed') {
    return [setup.failure === 'not_authorized' ? 'contact_support' : 'setup_payment'];
  }
  return [setupUnderWay(setup, now) ? 'poll' : 'setup_payment'];
}
