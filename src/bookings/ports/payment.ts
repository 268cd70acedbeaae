import type { PaymentSetupFailure } from '../../contract/states.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Checkout } from '../rules/booking.ts';
import type { PortAnswer } from './ask-port.ts';

/** The state of an attempt's payment. `returned`: voided or refunded. */
export type PaymentState = 'none' | 'action_needed' | 'authorized' | 'captured' | 'returned';

/** The authentication that the bank demands. */
export interface PaymentAction {
  /** What the guest's browser needs. */
  clientSecret: string;
  /** When the payment was first requested: from then on the guest has an hour. */
  since: EpochMs;
}

/**
 * The payment provider. Card numbers never reach this service. The checkout's `attemptId` identifies the
 * payment: a repeated call has no second effect and returns the current state. When a booking ends without a
 * reservation, its payment goes back by itself: nothing is asked here.
 */
export interface Payment {
  /** False: there is no provider, so this deployment serves no card-paying application. */
  isConfigured: boolean;
  /** `paymentSetup.kind`: `simulation`, or a provider of hosted card fields. */
  kind: string;
  publishableKey: string;
  /** Prepares the card fields; identified by the checkout's `attemptId` and the number of the setup. */
  setup(
    checkout: Checkout,
    signal: AbortSignal,
  ): Promise<PortAnswer<{ reference: string; clientSecret: string }, PaymentSetupFailure>>;
  /** Whether this setup succeeded with this payment method, which is stored for later payments. Called at
   * verifyPayment. */
  verify(
    checkout: Checkout,
    card: { setupReference: string; paymentMethodId: string },
    signal: AbortSignal,
  ): Promise<PortAnswer<object, 'not_verified'>>;
  /**
   * Whether the guest has to act before the payment is authorized, as far as that is known at submit. If it is not
   * known, the authorization shows it.
   */
  needsAction(checkout: Checkout, signal: AbortSignal): Promise<PortAnswer<{ isNeeded: boolean }>>;
  /** Authorizes the amount due now; with an `action`, the guest has to act first. */
  authorize(
    checkout: Checkout,
    signal: AbortSignal,
  ): Promise<PortAnswer<{ action: PaymentAction | null }, 'declined'>>;
  /** Captures the authorized amount. */
  capture(checkout: Checkout, signal: AbortSignal): Promise<PortAnswer<object, 'declined'>>;
  /** Reads the state of the payment. `refused`: the card was declined permanently. */
  lookUp(
    checkout: Checkout,
    signal: AbortSignal,
  ): Promise<PortAnswer<{ payment: PaymentState }, 'declined'>>;
}
