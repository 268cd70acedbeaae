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
import type { Party } from '../../pricing/index.ts';

/** A quote as it is kept. Dates are `YYYY-MM-DD` at the property. Spec: Resources, Quote. */
export interface Quote {
  applicationId: string;
  quoteId: string;
  listingId: string;
  checkIn: string;
  checkOut: string;
  party: Party;
  charges: Charges;
  terms: Terms;
  createdAt: EpochMs;
  expiresAt: EpochMs;
}

/** The payment setup of a card-paying checkout. Spec: Payment setup. */
export interface PaymentSetup {
  state: PaymentSetupState;
  failure: PaymentSetupFailure | null;
  /** How often it was asked for, this time included. */
  attempts: number;
  requestedAt: EpochMs;
  /** What the provider calls it, once ready. */
  reference: string | null;
  clientSecret: string | null;
}

/** What a checkout and a reservation request have in common: a quote being made a reservation. */
interface BookingRecord {
  applicationId: string;
  bookingId: string;
  quote: Quote;
  settlement: Settlement;
  version: number;
  guest: Guest | null;
  /** The quote's, less the promotion. */
  charges: Charges;
  failureReason: FailureReason | null;
  reference: string | null;
  /** Names the attempt to supplier and payment provider. */
  attemptId: string;
  /** When it was last given to a worker to resolve: at submit, again after an authentication. */
  submittedAt: EpochMs | null;
  resolvedAt: EpochMs | null;
  createdAt: EpochMs;
  updatedAt: EpochMs;
}

/** Spec: Resources, Checkout. */
export interface Checkout extends BookingRecord {
  kind: 'checkout';
  state: CheckoutState;
  promotionCode: string | null;
  /** The quote's; with a promotion, the refunds are those of its charges. */
  terms: Terms;
  paymentSetup: PaymentSetup | null;
  paymentMethodId: string | null;
}

/** Spec: Resources, Reservation request. */
export interface ReservationRequest extends BookingRecord {
  kind: 'request';
  state: RequestState;
  partnerReference: string | null;
}

/** One way or the other to turn a quote into a reservation. */
export type Booking = Checkout | ReservationRequest;

/** An event before it has its place in the application's order. Spec: Events. */
export type EventDraft = {
  [T in EventType]: { type: T; data: Record<string, unknown> };
}[EventType];

/** A reservation as it is kept. Spec: Resources, Reservation. */
export interface Reservation {
  reference: string;
  applicationId: string;
  kind: Booking['kind'];
  bookingId: string;
  state: ReservationState;
  listingId: string;
  checkIn: string;
  checkOut: string;
  party: Party;
  charges: Charges;
  confirmedAt: EpochMs;
  cancelledAt: EpochMs | null;
  updatedAt: EpochMs;
  /** When it had reached all records of the operator. */
  materializedAt: EpochMs | null;
  announced: Announcement | null;
}

/** A change that the supplier has made known for later; applied when it is next read. */
export interface Announcement {
  change: 'cancelled' | 'moved_one_day';
  at: EpochMs;
}

/** A step towards a reservation that somebody else takes: the supplier, or who holds the card. */
export type PortStep = 'hold' | 'authorize' | 'confirm' | 'capture' | 'undo';

/** Everything that one decision writes, in one statement. */
export interface BookingChange<B extends Booking = Booking> {
  /** The booking as it was read. */
  from: B;
  /** The booking as it will be, its version moved by one. */
  next: B;
  events: EventDraft[];
  /** When a worker takes it up next, in seconds from now; null: nothing is left to do. */
  dueInSeconds: number | null;
  /** A use of this promotion is counted; without room for it nothing is written. */
  takesPromotion?: string;
  /** A use of this promotion is given back. */
  releasesPromotion?: string;
  reservation?: Reservation;
  /** The step whose outcome is not known; absent: none. */
  unknownStep?: PortStep;
}
