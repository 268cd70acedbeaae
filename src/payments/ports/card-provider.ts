import type { PaymentSetupFailure } from '../../contract/states.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { PortAnswer, UnknownAnswer } from '../../bookings/index.ts';
import type { EffectName, EffectOrigin } from '../rules/effect-name.ts';
import type { RefundAtProvider, RefundOfPayment } from '../rules/refund-comparison.ts';
import type { RefusalKind } from '../rules/refusal.ts';
import type { Dispute } from './payment-events.ts';

/**
 * Identifies one payment for the provider. A repeated call with the same identity has no second effect.
 * Name and round change only when the provider keeps an error under the identity, and a lookup has found no payment.
 */
export interface PaymentIdentity {
  paymentId: string;
  round: number;
  /** Null: the payment is named by its ID and the round. */
  name: EffectName | null;
}

/** A card that the provider keeps for later payments. Nothing in it reveals the card. */
export interface CardOnFile {
  customerReference: string;
  paymentMethodReference: string;
}

/** What the provider knows of a payment. `none`: it has no effect and no record that could have one. */
export type ProviderState =
  | 'none'
  | 'action_needed'
  | 'authorized'
  | 'captured'
  | 'voided'
  | 'declined';

/** What the provider knows of a refund. */
export type RefundState = 'none' | RefundAtProvider;

/** A hosted page of the provider, where a guest pays once with any card. */
export interface LinkRequest extends PaymentIdentity {
  amountMinor: number;
  /** ISO 4217, upper case. */
  currency: string;
  customerReference: string;
  /** Shown to the guest. */
  description: string;
  /** Our own names, such as the reference; no data of the guest. */
  metadata: Readonly<Record<string, string>>;
  /** Afterwards it can no longer be paid. */
  expiresAt: EpochMs;
  /** Where the guest is sent after the payment. */
  returnUrl: string;
}

/** What has become of a hosted page. `none`: the provider has no such page. */
export interface FoundLink {
  state: 'none' | 'open' | 'paid' | 'expired';
  pageReference: string | null;
  /** Only with `open`. */
  url: string | null;
  /** The payment; only with `paid`. */
  providerReference: string | null;
}

/** What the card fields of a checkout are prepared for. */
export interface CardRequest {
  applicationId: string;
  checkoutId: string;
  /** The number of the setup within the checkout, from 1. */
  number: number;
  guest: { name: string; email: string } | null;
  /** ISO 4217, upper case. */
  currency: string;
  /** Each amount of the payment schedule: a currency or amount that cannot be charged is refused here. */
  amountsMinor: readonly number[];
}

/** A payment to make with a card on file. Amounts are in the minor units of ISO 4217. */
export interface PaymentRequest extends PaymentIdentity {
  amountMinor: number;
  /** ISO 4217, upper case. */
  currency: string;
  card: CardOnFile;
  /** Shown to staff at the provider, and perhaps to the guest. */
  description: string;
  /** Our own names, such as the reference; no data of the guest. */
  metadata: Readonly<Record<string, string>>;
}

/** An effect on a payment that exists at the provider. */
export interface PaymentCall extends PaymentIdentity {
  providerReference: string;
}

/** The provider refuses permanently. `declineCode` is the provider's own code, for staff. */
export interface Declined<Reason extends string = 'declined'> {
  outcome: 'refused';
  reason: Reason;
  declineCode: string | null;
  /** What it means for the next try; absent: the bank gives no lasting reason. */
  kind?: RefusalKind;
}

/**
 * Whether the call had an effect is unknown, so the payment is looked up first. With `retryRound` the
 * provider has answered with an error, and repeats it for the same identity: when the lookup finds nothing, the
 * next round is needed. Without it, the same identity is repeated.
 */
export interface UnknownEffect extends UnknownAnswer {
  retryRound?: boolean;
}

/** A payment as the provider knows it. */
export interface FoundPayment {
  state: ProviderState;
  providerReference: string | null;
  amountMinor: number;
  capturedMinor: number;
  refundedMinor: number;
  /** What the guest's browser needs while an action is needed. */
  clientSecret: string | null;
  declineCode: string | null;
  /** Only with `declined`: what it means for the next try. */
  refusedAs?: RefusalKind;
  /** Whether the cardholder disputes it, or has done so. */
  isDisputed: boolean;
}

/** A payment in the provider's list. `paymentId` is null where somebody else made it. */
export interface ListedPayment {
  /** Null: it names no checkout. */
  origin: EffectOrigin | null;
  paymentId: string | null;
  /** Null: it has no customer. */
  customerReference: string | null;
  providerReference: string;
  state: ProviderState;
  amountMinor: number;
  capturedMinor: number;
  refundedMinor: number;
  /** ISO 4217, upper case. */
  currency: string;
  isDisputed: boolean;
  createdAt: EpochMs;
}

/** Some of the listed payments. `next` continues with the page after; null: this is the last one. */
export interface PageOfPayments {
  payments: ListedPayment[];
  next: string | null;
}

/** A refund in the provider's list. */
export interface ListedRefund {
  /** The ID of our row; null: somebody else made it. */
  refundId: string | null;
  refundReference: string;
  /** The payment that it refunds. */
  providerReference: string;
  /** Null: it names no checkout. */
  origin: EffectOrigin | null;
  state: RefundState;
  amountMinor: number;
  /** ISO 4217, upper case. */
  currency: string;
}

/** An open hosted page in the provider's list. */
export interface ListedLink {
  pageReference: string;
  /** Null: it names no checkout. */
  origin: EffectOrigin | null;
  paymentId: string | null;
  amountMinor: number;
  /** ISO 4217, upper case. */
  currency: string;
}

/** A dispute in the provider's list, and the payment that it is about. */
export interface ListedDispute extends Dispute {
  providerReference: string;
}

/** Money that the provider has sent to the operator's bank. */
export interface ListedPayout {
  payoutReference: string;
  /** `YYYY-MM-DD`, in UTC. */
  arrivesOn: string;
  /** ISO 4217, upper case. */
  currency: string;
  amountMinor: number;
  /** False: somebody asked for it by hand, so the provider does not say what is in it. */
  isExplained: boolean;
}

/** What a payout is made of. The amounts less the fees add up to the payout. */
export interface PayoutLine {
  kind: 'payment' | 'refund' | 'dispute' | 'fee' | 'other';
  /** The payment that it is about; null: none. */
  providerReference: string | null;
  amountMinor: number;
  feeMinor: number;
}

/** Some of a list. `next` continues with the page after; null: this is the last one. */
export interface PageOf<Item> {
  items: Item[];
  next: string | null;
}

/** A page of what was created in a period, newest first; `after` null: the first. */
export interface ListQuery {
  range: PaymentRange;
  after: string | null;
}

/** A period in which payments were created: from `since` on, and before `until`; null: until now. */
export interface PaymentRange {
  since: EpochMs;
  until: EpochMs | null;
}

/** The guest of a checkout, as far as the provider knows the guest. */
export interface CustomerOfGuest {
  applicationId: string;
  checkoutId: string;
  /** Null: no card was kept. */
  customerReference: string | null;
  /** The last setup; null: none was ready. */
  setupReference: string | null;
  email: string;
}

/**
 * A provider of hosted card fields and card payments. Card numbers never reach this service. Each answer is
 * `done`, `refused` (without an effect) or `unknown`; a method throws only if the code is wrong. `signal`
 * ends the call, and then the answer is `unknown`. Spec: CARD-10.
 */
export interface CardProvider {
  /** `paymentSetup.kind`. */
  kind: string;
  publishableKey: string;
  /** Prepares the card fields of a checkout. Identified by the checkout and the number of the setup. */
  prepareCard(
    card: CardRequest,
    signal: AbortSignal,
  ): Promise<
    PortAnswer<
      { customerReference: string; setupReference: string; clientSecret: string },
      PaymentSetupFailure
    >
  >;
  /** Makes the customer of a checkout that has left no card. Identified by the checkout. */
  prepareCustomer(
    customer: Pick<CardRequest, 'applicationId' | 'checkoutId' | 'guest'>,
    signal: AbortSignal,
  ): Promise<PortAnswer<{ customerReference: string }, PaymentSetupFailure>>;
  /** Whether this setup succeeded with this payment method. `not_verified`: not yet, or with another one. */
  verifyCard(
    setup: { setupReference: string; paymentMethodId: string },
    signal: AbortSignal,
  ): Promise<PortAnswer<CardOnFile, 'not_verified'>>;
  /** Deletes every customer that the setups of a checkout have made, with cards. `done` also if there is none left. */
  deleteCustomers(
    guest: CustomerOfGuest,
    signal: AbortSignal,
  ): Promise<{ outcome: 'done' } | UnknownAnswer>;
  /** Authorizes an amount without the guest. With an `action`, the guest has to authenticate first. */
  authorize(
    payment: PaymentRequest,
    signal: AbortSignal,
  ): Promise<
    | { outcome: 'done'; providerReference: string; action: { clientSecret: string } | null }
    | Declined
    | UnknownEffect
  >;
  /** Captures an amount up to the authorized one; the rest is released. `done` also if it was captured before. */
  capture(
    payment: PaymentCall & { amountMinor: number; currency: string },
    signal: AbortSignal,
  ): Promise<{ outcome: 'done' } | Declined | UnknownEffect>;
  /** Voids a payment that is not captured, also one that waits for the guest. `done` also if it was voided before. */
  void(
    payment: PaymentCall,
    signal: AbortSignal,
  ): Promise<{ outcome: 'done' } | Declined<'captured'> | UnknownEffect>;
  /** Authorizes and captures at once, without the guest: for later instalments. */
  charge(
    payment: PaymentRequest,
    signal: AbortSignal,
  ): Promise<
    | { outcome: 'done'; providerReference: string }
    | Declined<'declined' | 'authentication_required'>
    | UnknownEffect
  >;
  /** Makes a hosted page that can be paid once, until it expires. */
  createLink(
    link: LinkRequest,
    signal: AbortSignal,
  ): Promise<{ outcome: 'done'; pageReference: string; url: string } | Declined | UnknownEffect>;
  /** Finds a hosted page by its reference, or in the list of the customer's pages by its ID or its name. */
  findLink(
    link: {
      paymentId: string;
      name: EffectName | null;
      pageReference: string | null;
      customerReference: string;
    },
    signal: AbortSignal,
  ): Promise<({ outcome: 'done' } & FoundLink) | UnknownAnswer>;
  /** Lists the hosted pages that can be paid, made in a period. */
  listOpenLinks(
    query: ListQuery,
    signal: AbortSignal,
  ): Promise<({ outcome: 'done' } & PageOf<ListedLink>) | UnknownAnswer>;
  /** Ends a hosted page, so that it can no longer be paid, and says what has become of it: `expired` or `paid`. */
  endLink(
    link: PaymentIdentity & { pageReference: string },
    signal: AbortSignal,
  ): Promise<({ outcome: 'done' } & FoundLink) | UnknownAnswer>;
  /** Refunds a part of a captured payment. Identified by its name, or without one by `refundId` and the round. */
  refund(
    refund: {
      refundId: string;
      round: number;
      name: EffectName | null;
      providerReference: string;
      amountMinor: number;
      currency: string;
      reason: string;
    },
    signal: AbortSignal,
  ): Promise<
    | { outcome: 'done'; refundReference: string; state: 'pending' | 'done' }
    | Declined
    | UnknownEffect
  >;
  /**
   * Finds a payment by its reference, or in the list of the customer's payments by its ID or its name. Never by
   * search, which lags.
   */
  findPayment(
    payment: {
      paymentId: string;
      name: EffectName | null;
      providerReference: string | null;
      customerReference: string;
    },
    signal: AbortSignal,
  ): Promise<({ outcome: 'done' } & FoundPayment) | UnknownAnswer>;
  /** Finds a refund by its reference, or in the list of the payment's refunds by its ID or its name. */
  findRefund(
    refund: {
      refundId: string;
      name: EffectName | null;
      providerReference: string;
      refundReference: string | null;
    },
    signal: AbortSignal,
  ): Promise<
    | {
        outcome: 'done';
        state: RefundState;
        refundReference: string | null;
        declineCode: string | null;
        /** Only with `failed`. */
        refusedAs?: RefusalKind;
      }
    | UnknownAnswer
  >;
  /** Lists all refunds of a payment. */
  refundsOf(
    payment: { providerReference: string },
    signal: AbortSignal,
  ): Promise<PortAnswer<{ refunds: RefundOfPayment[] }>>;
  /** Lists the payments that were created in this period, newest first, in pages; `after` null: the first. */
  listPayments(
    page: { range: PaymentRange; after: string | null },
    signal: AbortSignal,
  ): Promise<PortAnswer<PageOfPayments>>;
  /** Lists the refunds that were created in this period, of any payment. */
  listRefunds(page: ListQuery, signal: AbortSignal): Promise<PortAnswer<PageOf<ListedRefund>>>;
  /** Lists the disputes that were created in this period. */
  listDisputes(page: ListQuery, signal: AbortSignal): Promise<PortAnswer<PageOf<ListedDispute>>>;
  /** Lists the payouts that arrive in this period. */
  listPayouts(page: ListQuery, signal: AbortSignal): Promise<PortAnswer<PageOf<ListedPayout>>>;
  /** Lists what a payout is made of. */
  listPayoutLines(
    page: { payout: ListedPayout; after: string | null },
    signal: AbortSignal,
  ): Promise<PortAnswer<PageOf<PayoutLine>>>;
}
