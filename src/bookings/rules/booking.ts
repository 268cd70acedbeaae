import type { EpochMs } from '../../contract/time.ts';
import type { Charges, Terms } from '../../contract/partner/schemas/quote.ts';
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import type { EventType } from '../../contract/events.ts';
import type {
  CheckoutState,
  FailureReason,
  PaymentSetupFailure,
  PaymentSetupState,
  RequestState,
  ReservationState,
} from '../../contract/states.ts';
import type { Settlement } from '../../contract/wire.ts';
import { isCollected, type Party } from '../../pricing/index.ts';
import type { FailureDetails } from './failure.ts';

/** Terms as they are stored: those of an earlier version say nothing of a deposit. */
export type KeptTerms = Omit<Terms, 'securityDeposit'> & Partial<Pick<Terms, 'securityDeposit'>>;

/** A stored quote. Dates are `YYYY-MM-DD` at the property. Spec: QUOTE-1. */
export interface Quote {
  applicationId: string;
  quoteId: string;
  listingId: string;
  checkIn: string;
  checkOut: string;
  party: Party;
  /** With a promotion code: the reduced charges. */
  charges: Charges;
  terms: KeptTerms;
  /** The promotion code that it was asked for with; null: none. */
  promotion: QuotePromotion | null;
  createdAt: EpochMs;
  expiresAt: EpochMs;
}

/** A promotion of a quote, and what the quote would be without it. */
export interface QuotePromotion {
  code: string;
  charges: Charges;
  cancellation: Terms['cancellation'];
}

/** What a quote would be without its promotion. */
export const withoutPromotion = ({
  promotion,
  charges,
  terms,
}: Quote): Omit<QuotePromotion, 'code'> =>
  promotion ?? { charges, cancellation: terms.cancellation };

/** The payment setup of a card-paying checkout. Spec: CARD-1. */
export interface PaymentSetup {
  state: PaymentSetupState;
  failure: PaymentSetupFailure | null;
  /** The number of setups of this checkout, this one included. */
  attempts: number;
  requestedAt: EpochMs;
  /** The provider's name for it, once ready. */
  reference: string | null;
  clientSecret: string | null;
}

/** The common part of a checkout and a reservation request. */
interface BookingMembers {
  applicationId: string;
  bookingId: string;
  quote: Quote;
  settlement: Settlement;
  version: number;
  guest: Guest | null;
  /** The charges of the quote, less the promotion. */
  charges: Charges;
  failureReason: FailureReason | null;
  /** What changed, where that is why it failed. */
  failureDetails: FailureDetails | null;
  promotionCode: string | null;
  /** The partner's own reference; null: none. That of a request is unique in the application. */
  partnerReference: string | null;
  reference: string | null;
  /** Identifies the attempt for the supplier and the payment provider. */
  attemptId: string;
  /** When it last became due for a worker: at submit, and again after an authentication. */
  submittedAt: EpochMs | null;
  resolvedAt: EpochMs | null;
  createdAt: EpochMs;
  updatedAt: EpochMs;
}

/** Spec: CHECKOUT-1. */
export interface Checkout extends BookingMembers {
  kind: 'checkout';
  state: CheckoutState;
  /** The terms of the quote; with a promotion, refunds follow the reduced charges. */
  terms: KeptTerms;
  paymentSetup: PaymentSetup | null;
  paymentMethodId: string | null;
}

/** Spec: REQUEST-1. */
export interface ReservationRequest extends BookingMembers {
  kind: 'request';
  state: RequestState;
}

/** Turns a quote into a reservation. */
export type Booking = Checkout | ReservationRequest;

/** Whether a card is asked for: it is charged by us, and something will be due to us. Spec: CARD-11. */
export const asksForCard = ({
  settlement,
  charges,
}: Pick<Booking, 'settlement' | 'charges'>): boolean =>
  settlement === 'card' && charges.schedule.some((part) => isCollected(part) && part.amount > 0);

/** Whether the guest's card pays it. */
export const isPaidByCard = (booking: Booking): booking is Checkout =>
  booking.kind === 'checkout' && asksForCard(booking);

/** An event without its sequence yet. Spec: EVENT-3. */
export type EventDraft = {
  [T in EventType]: { type: T; data: Record<string, unknown> };
}[EventType];

/** A stored reservation. Spec: RESERVATION-3. */
export interface Reservation {
  reference: string;
  /** Rises with every change of the stay, so that only one of two concurrent changes applies. */
  version: number;
  applicationId: string;
  kind: Booking['kind'];
  bookingId: string;
  state: ReservationState;
  listingId: string;
  checkIn: string;
  checkOut: string;
  party: Party;
  charges: Charges;
  /** The refunds of the stay as staff have changed it; null: those of the booking's terms. */
  cancellation: Terms['cancellation'] | null;
  /** The refund that staff decided at the cancellation, in minor units of the charges' currency. */
  refundMinor: number | null;
  /** What had been collected when staff cancelled, by the day at the property. */
  collectedMinor: number | null;
  confirmedAt: EpochMs;
  cancelledAt: EpochMs | null;
  updatedAt: EpochMs;
  /** When it had reached all systems of the operator. */
  materializedAt: EpochMs | null;
  announced: Announcement | null;
}

/** A future change that the supplier announced; applied at the first read after `at`. */
export interface Announcement {
  change: 'cancelled' | 'moved_one_day';
  at: EpochMs;
}

/** A step of a booking that the supplier or the payment provider performs. */
export type PortStep = 'hold' | 'authorize' | 'confirm' | 'capture' | 'undo';

/** Everything that one decision writes, in one statement. */
export interface BookingChange<B extends Booking = Booking> {
  /** The booking as it was read. */
  from: B;
  /** The booking after the change, with its version increased by one. */
  next: B;
  events: EventDraft[];
  /** When a worker claims it next, in seconds from now; null: no work is left. */
  dueInSeconds: number | null;
  /** Takes a use of this promotion; if none is left, nothing is written. */
  takesPromotion?: string;
  /** Gives back a use of this promotion. */
  releasesPromotion?: string;
  reservation?: Reservation;
  /** Nothing is written unless the nights of the attempt are held in this database. */
  needsNights?: boolean;
  /** The step whose outcome is unknown; absent: none. */
  unknownStep?: PortStep;
}
