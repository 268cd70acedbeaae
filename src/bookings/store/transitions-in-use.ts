/**
 * The clauses of every transition that is written: each row of the transition tables is decided for each booking that can
 * meet it, and guarded as its writers do. `statements.sql` has their statements.
 */
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import type { Charges } from '../../contract/partner/schemas/quote.ts';
import type { RequestState } from '../../contract/states.ts';
import type {
  Booking,
  BookingChange,
  Checkout,
  PaymentSetup,
  Quote,
  ReservationRequest,
} from '../rules/booking.ts';
import {
  checkoutTransitions,
  type CheckoutTrigger,
  decideApplyPromo,
  decideExpire,
  decideRemovePromo,
  decideSaveGuest,
  decideSetupAnswered,
  decideSetupPayment,
  decideSubmit,
  decideVerifyPayment,
  quoteExpired,
} from '../rules/checkout.ts';
import { newCheckout } from '../rules/new-checkout.ts';
import { requestTransitions } from '../rules/reservation-request.ts';
import { decideActionUnanswered, decideResolution, type Outcome } from '../rules/resolution.ts';
import { decideSubmitByStaff } from '../rules/staff-reservation.ts';
import { canBeClaimed, clausesOf, type TransitionGuard } from './bookings.ts';
import { isResolution } from './resolve-bookings.ts';
import type { TransitionClauses } from './transition-statement.ts';

const began = 0;
// So much later that a setup without an answer can be asked for again.
const now = 3_600_000;
const guest = { firstName: '', lastName: '', email: '', phone: '' };

const charges: Charges = {
  currency: 'EUR',
  accommodation: 1,
  fees: 0,
  cleaning: 0,
  taxes: 0,
  total: 1,
  dueNow: 1,
  schedule: [{ dueOn: '2027-01-01', amount: 1 }],
  lines: [],
  nights: [],
};

const quote: Quote = {
  applicationId: '',
  quoteId: '',
  listingId: '',
  checkIn: '2027-01-01',
  checkOut: '2027-01-02',
  party: { adults: 1, children: 0, infants: 0, pets: 0 },
  charges,
  terms: { version: '', policies: [], cancellation: [] },
  promotion: null,
  createdAt: began,
  expiresAt: now,
};

const named = {
  applicationId: '',
  bookingId: '',
  settlement: 'card',
  partnerReference: null,
} as const;
const written = { version: 1, attemptId: '', createdAt: began, updatedAt: began };

const setup: PaymentSetup = {
  state: 'ready',
  failure: null,
  attempts: 1,
  requestedAt: began,
  reference: 'one',
  clientSecret: '',
};

const promotionCodes = [null, 'ONE'];
const paymentSetups = [null, setup, { ...setup, state: 'pending' as const }];
const paymentMethods = [null, 'one'];

/** What can differ in a checkout of a state, as far as a clause depends on it. */
const checkoutsIn = (state: Checkout['state']): Checkout[] =>
  promotionCodes.flatMap((promotionCode) =>
    paymentSetups.flatMap((paymentSetup) =>
      paymentMethods.map((paymentMethodId) => ({
        ...newCheckout(quote, named),
        ...written,
        state,
        promotionCode,
        paymentSetup,
        paymentMethodId,
        submittedAt: quoteExpired({ state, quote }, now) ? null : began,
      })),
    ),
  );

const requestsIn = (state: RequestState): ReservationRequest[] =>
  promotionCodes.map((promotionCode) => {
    const {
      terms: _,
      paymentSetup: _setup,
      paymentMethodId: _method,
      ...common
    } = newCheckout(quote, named);
    return { ...common, ...written, kind: 'request', state, promotionCode, submittedAt: began };
  });

/** A decision and how it is written. */
type Written = readonly [BookingChange, TransitionGuard];

/** What a decision returns; null and refusals write nothing. */
type Decided = BookingChange | Refusal | null;

const changesOf = (decided: readonly Decided[]): BookingChange[] =>
  decided.filter((one): one is BookingChange => one !== null && !isRefusal(one));

const outcomes: readonly Outcome[] = [
  { result: 'made', announced: null },
  { result: 'refused', reason: 'refused' },
  { result: 'refused', reason: 'quote_expired' },
  { result: 'action_needed', clientSecret: '', since: began },
  { result: 'unknown', step: 'confirm' },
];

const resolutionsOf = (booking: Booking): Decided[] =>
  outcomes.map((outcome) =>
    decideResolution(booking, outcome, {
      reference: 'one',
      now,
      reconcileInSeconds: 1,
      keepsNights: true,
    }),
  );

/** Every decision about a checkout, by what triggers it. */
const decisions: Readonly<Record<CheckoutTrigger, (checkout: Checkout) => readonly Decided[]>> = {
  saveGuest: (checkout) => [decideSaveGuest(checkout, guest, now)],
  applyPromo: (checkout) =>
    ['ONE', 'TWO'].map((code) =>
      decideApplyPromo(checkout, code, { charges, cancellation: [] }, now),
    ),
  removePromo: (checkout) =>
    checkout.promotionCode === null
      ? []
      : [decideRemovePromo(checkout, checkout.promotionCode, now)],
  setupPayment: (checkout) => [decideSetupPayment(checkout, now)],
  verifyPayment: (checkout) =>
    ['one', 'two'].map((paymentMethodId) =>
      decideVerifyPayment(checkout, { setupReference: 'one', paymentMethodId }, now),
    ),
  submit: (checkout) => [
    decideSubmit(checkout, quote.terms.version, true, now),
    decideSubmit(checkout, quote.terms.version, false, now),
  ],
  setupAnswered: (checkout) =>
    checkout.paymentSetup?.state === 'pending'
      ? [decideSetupAnswered(checkout, checkout.paymentSetup, { failed: 'unresolved' }, now)]
      : [],
  resolved: resolutionsOf,
  actionUnanswered: (checkout) => [decideActionUnanswered(checkout, now)],
  quoteExpired: (checkout) => [decideExpire(checkout, now)],
};

const identity = {
  operation: '',
  expectedVersion: 1,
  inputDigest: Buffer.of(),
  earlierDigests: [],
};

/** Of a command: from memory or read, with a daily limit or without. */
const byCommand: readonly TransitionGuard[] = [{}, { live: true }].flatMap((found) =>
  [false, true].map((limited) => ({
    ...found,
    limited,
    command: { ...identity, refused: false },
    line: now,
  })),
);
const byExpiry: readonly TransitionGuard[] = [{ command: { ...identity, refused: true } }];
const byWorker: readonly TransitionGuard[] = [{ fence: 1 }];
const byStaff: readonly TransitionGuard[] = [{}];

/** Those who write what a trigger causes. Staff resolve what is uncertain, and what they make themselves. */
const writers: Readonly<Record<CheckoutTrigger, readonly TransitionGuard[]>> = {
  saveGuest: byCommand,
  applyPromo: byCommand,
  removePromo: byCommand,
  setupPayment: byCommand,
  verifyPayment: byCommand,
  submit: byCommand,
  quoteExpired: byExpiry,
  setupAnswered: byWorker,
  actionUnanswered: byWorker,
  resolved: [...byWorker, ...byStaff],
};

const guarded = (
  changes: readonly BookingChange[],
  guards: readonly TransitionGuard[],
): Written[] =>
  changes.flatMap((change) =>
    guards
      // A worker writes most outcomes with others, by another statement.
      .filter((guard) => guard.fence === undefined || !isResolution(change))
      .map((guard): Written => [change, guard]),
  );

function writtenTransitions(): Written[] {
  const ofCheckouts = checkoutTransitions.flatMap(({ from, on }) =>
    guarded(
      checkoutsIn(from).flatMap((checkout) => changesOf(decisions[on](checkout))),
      writers[on],
    ),
  );
  const ofRequests = requestTransitions.flatMap(({ from }) =>
    guarded(
      requestsIn(from).flatMap((request) => changesOf(resolutionsOf(request))),
      writers.resolved,
    ),
  );
  const submittedByStaff = checkoutsIn('needs_guest').map((checkout) =>
    decideSubmitByStaff(checkout, guest, now),
  );
  return [...ofCheckouts, ...ofRequests, ...guarded(submittedByStaff, byStaff)];
}

const withClaim = ([change, guard]: Written): TransitionClauses[] => {
  const clauses = clausesOf(change, guard);
  const isClaimed = guard.command?.refused === false && canBeClaimed(change);
  return isClaimed ? [clauses, { ...clauses, claim: true }] : [clauses];
};

/** The clauses of the transitions that are written; the same ones can occur more than once. */
export const transitionsInUse = (): TransitionClauses[] => writtenTransitions().flatMap(withClaim);
