import type { PaymentSetupFailure } from '../../contract/states.ts';
import type { Checkout } from '../rules/booking.ts';
import type { PortAnswer } from './ask-port.ts';

/** How the payment of an attempt stands: `returned`: voided or refunded. */
export type PaymentStanding = 'none' | 'action_needed' | 'authorized' | 'captured' | 'returned';

/** What the guest's browser needs for a step of authentication; null: what the setup has. */
export interface PaymentAction {
  clientSecret: string | null;
}

/**
 * Who holds the guest's card. Card numbers never come here. The checkout's `attemptId` names the
 * payment: asked for the same again, the provider does nothing twice and answers how it stands.
 */
export interface Payment {
  /** `paymentSetup.kind`: `simulation`, or a provider of hosted card fields. */
  kind: string;
  publishableKey: string;
  /** Prepares the card fields; named by the checkout's `attemptId` and the number of the setup. */
  setup(
    checkout: Checkout,
    signal: AbortSignal,
  ): Promise<PortAnswer<{ reference: string; clientSecret: string }, PaymentSetupFailure>>;
  /** Whether the method that the guest gave is known to need a step of authentication. Asked at submit. */
  verify(
    checkout: Checkout,
    signal: AbortSignal,
  ): Promise<PortAnswer<{ needsAction: boolean }, 'declined'>>;
  /** Reserves the amount due now on the card; with an `action`, the guest has to act first. */
  authorize(
    checkout: Checkout,
    signal: AbortSignal,
  ): Promise<PortAnswer<{ action: PaymentAction | null }, 'declined'>>;
  /** Takes what was authorized. */
  capture(checkout: Checkout, signal: AbortSignal): Promise<PortAnswer<object, 'declined'>>;
  /** Ends an authorization; where there is none, that is done. */
  void(checkout: Checkout, signal: AbortSignal): Promise<PortAnswer<object, 'captured'>>;
  /** Gives back so much of what was captured, in minor units of the charges' currency. */
  refund(
    checkout: Checkout,
    amountMinor: number,
    signal: AbortSignal,
  ): Promise<PortAnswer<object, 'declined'>>;
  /** How the payment stands. `refused`: the card was declined for good. */
  lookUp(
    checkout: Checkout,
    signal: AbortSignal,
  ): Promise<PortAnswer<{ payment: PaymentStanding }, 'declined'>>;
}
