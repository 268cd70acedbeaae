import type { Checkout } from '../domain/booking.ts';
import type { SetupAnswer } from '../domain/checkout.ts';

/** Who holds the guest's card. Card numbers never come here. */
export interface Payment {
  /** `paymentSetup.kind`: `simulation`, or a provider of hosted card fields. */
  kind: string;
  publishableKey: string;
  /** Prepares the card fields; named by the checkout's `attemptId` and the number of the setup. */
  setup(checkout: Checkout): Promise<SetupAnswer>;
  /** Whether it is known at once that the guest must complete a step of authentication. */
  needsAction(paymentMethodId: string): boolean;
  /** Asks the card for the amount due now; asked twice for one `attemptId`, it answers the same. */
  authorize(checkout: Checkout): Promise<'authorized' | 'declined'>;
}
