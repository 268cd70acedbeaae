import { refuse, refuseBecause, type Refusal } from '../../contract/errors.ts';
import type { EventType } from '../../contract/events.ts';
import type { Charges, Terms } from '../../contract/partner/schemas/quote.ts';
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import { limits } from '../../contract/limits.ts';
import type {
  CheckoutState,
  FailureReason,
  NextAction,
  PaymentSetupFailure,
} from '../../contract/states.ts';
import {
  type BookingChange,
  type Checkout,
  type PaymentSetup,
  type Quote,
  asksForCard,
  withoutPromotion,
} from './booking.ts';
import type { EpochMs } from '../../contract/time.ts';
import { paymentActions, setupUnderWay } from './payment-setup.ts';

/** What can cause a transition of a checkout: commands of the partner, and events inside this service. */
export type CheckoutTrigger =
  | 'saveGuest'
  | 'applyPromo'
  | 'removePromo'
  | 'setupPayment'
  | 'verifyPayment'
  | 'submit'
  | 'setupAnswered'
  | 'resolved'
  | 'actionUnanswered'
  | 'quoteExpired';

/** The commands that a partner can send. */
export type CheckoutCommand = Extract<
  CheckoutTrigger,
  'saveGuest' | 'applyPromo' | 'removePromo' | 'setupPayment' | 'verifyPayment' | 'submit'
>;

/** Selects between transitions with the same state and trigger. `card`: one must still be verified. */
export type CheckoutCondition =
  | 'card'
  | 'no_card'
  | 'accepted'
  | 'action_needed'
  | 'made'
  | 'refused'
  | 'expired'
  | 'unknown';

export interface CheckoutTransition {
  from: CheckoutState;
  on: CheckoutTrigger;
  when?: CheckoutCondition;
  to: CheckoutState;
  emits: readonly EventType[];
}

const resolved = ['checkout.resolved'] as const;
const confirmed = ['checkout.resolved', 'reservation.confirmed'] as const;

/** The transition table of a checkout; any other pair is `invalid_state`. Spec: CHECKOUT-1. */
export const checkoutTransitions: readonly CheckoutTransition[] = [
  { from: 'needs_guest', on: 'saveGuest', when: 'card', to: 'needs_payment', emits: [] },
  { from: 'needs_guest', on: 'saveGuest', when: 'no_card', to: 'ready', emits: [] },
  { from: 'needs_payment', on: 'saveGuest', to: 'needs_payment', emits: [] },
  { from: 'ready', on: 'saveGuest', to: 'ready', emits: [] },

  // A code can leave nothing to pay, and another one, or none, something again.
  { from: 'needs_guest', on: 'applyPromo', to: 'needs_guest', emits: [] },
  { from: 'needs_payment', on: 'applyPromo', when: 'card', to: 'needs_payment', emits: [] },
  { from: 'needs_payment', on: 'applyPromo', when: 'no_card', to: 'ready', emits: [] },
  { from: 'ready', on: 'applyPromo', when: 'card', to: 'needs_payment', emits: [] },
  { from: 'ready', on: 'applyPromo', when: 'no_card', to: 'ready', emits: [] },

  { from: 'needs_guest', on: 'removePromo', to: 'needs_guest', emits: [] },
  { from: 'needs_payment', on: 'removePromo', when: 'card', to: 'needs_payment', emits: [] },
  { from: 'needs_payment', on: 'removePromo', when: 'no_card', to: 'ready', emits: [] },
  { from: 'ready', on: 'removePromo', when: 'card', to: 'needs_payment', emits: [] },
  { from: 'ready', on: 'removePromo', when: 'no_card', to: 'ready', emits: [] },

  { from: 'needs_payment', on: 'setupPayment', to: 'needs_payment', emits: [] },
  { from: 'needs_payment', on: 'setupAnswered', to: 'needs_payment', emits: [] },
  { from: 'ready', on: 'setupAnswered', to: 'ready', emits: [] },
  { from: 'needs_payment', on: 'verifyPayment', to: 'ready', emits: [] },

  { from: 'ready', on: 'submit', when: 'accepted', to: 'pending', emits: [] },
  { from: 'ready', on: 'submit', when: 'action_needed', to: 'requires_action', emits: [] },
  { from: 'requires_action', on: 'verifyPayment', to: 'pending', emits: [] },
  { from: 'requires_action', on: 'actionUnanswered', to: 'failed', emits: resolved },

  // It was never submitted, so there is no event.
  { from: 'needs_guest', on: 'quoteExpired', to: 'expired', emits: [] },
  { from: 'needs_payment', on: 'quoteExpired', to: 'expired', emits: [] },
  { from: 'ready', on: 'quoteExpired', to: 'expired', emits: [] },

  { from: 'pending', on: 'resolved', when: 'made', to: 'confirmed', emits: confirmed },
  { from: 'pending', on: 'resolved', when: 'refused', to: 'failed', emits: resolved },
  { from: 'pending', on: 'resolved', when: 'expired', to: 'expired', emits: resolved },
  { from: 'pending', on: 'resolved', when: 'unknown', to: 'uncertain', emits: [] },
  { from: 'pending', on: 'resolved', when: 'action_needed', to: 'requires_action', emits: [] },
  { from: 'uncertain', on: 'resolved', when: 'made', to: 'confirmed', emits: confirmed },
  { from: 'uncertain', on: 'resolved', when: 'refused', to: 'failed', emits: resolved },
];

/** The row for a state, a trigger and a condition; undefined: no transition. */
export function checkoutTransition(
  from: CheckoutState,
  on: CheckoutTrigger,
  when?: CheckoutCondition,
): CheckoutTransition | undefined {
  return checkoutTransitions.find(
    (row) => row.from === from && row.on === on && (row.when === undefined || row.when === when),
  );
}

const permits = (state: CheckoutState, on: CheckoutTrigger): boolean =>
  checkoutTransitions.some((row) => row.from === state && row.on === on);

/** Actions of a failed checkout or request, by reason. Spec: CHECKOUT-2. */
export const actionsAfterFailure: Readonly<Record<FailureReason, readonly NextAction[]>> = {
  sold_out: ['refresh_quote'],
  price_changed: ['refresh_quote'],
  policy_changed: ['refresh_quote'],
  quote_expired: ['refresh_quote'],
  authority_revoked: ['contact_support'],
  refused: ['contact_support'],
};

type ActionsSource = Pick<Checkout, 'state' | 'failureReason'> & {
  quote: Pick<Quote, 'expiresAt'>;
  paymentSetup: Pick<PaymentSetup, 'state' | 'failure' | 'requestedAt'> | null;
};

/** The next-action table: what a client can do in each state. Spec: CHECKOUT-2. */
const actionsIn: Readonly<
  Record<CheckoutState, (checkout: ActionsSource, now: EpochMs) => readonly NextAction[]>
> = {
  needs_guest: () => ['save_guest'],
  needs_payment: (checkout, now) => paymentActions(checkout.paymentSetup, now),
  ready: () => ['submit'],
  pending: () => ['poll'],
  requires_action: () => ['verify_payment'],
  confirmed: () => ['view_confirmation'],
  uncertain: () => ['poll'],
  failed: (checkout) => actionsAfterFailure[checkout.failureReason ?? 'refused'],
  expired: () => ['refresh_quote'],
};

const unsubmitted: ReadonlySet<CheckoutState> = new Set(['needs_guest', 'needs_payment', 'ready']);

/** Whether the quote expired before the checkout was submitted. */
export const quoteExpired = (
  checkout: Pick<ActionsSource, 'state' | 'quote'>,
  now: EpochMs,
): boolean => unsubmitted.has(checkout.state) && now >= checkout.quote.expiresAt;

/**
 * What a client can do now. `now` is the database's time. Every command fails once the quote has
 * expired, so an unsubmitted checkout then offers only a new quote. Spec: CHECKOUT-6.
 */
export const nextActionsOf = (checkout: ActionsSource, now: EpochMs): readonly NextAction[] =>
  quoteExpired(checkout, now) ? ['refresh_quote'] : actionsIn[checkout.state](checkout, now);

/** Null: the state takes this command. */
export const stateRefusal = (
  checkout: Checkout,
  command: CheckoutCommand,
): Refusal<'invalid_state'> | null =>
  permits(checkout.state, command)
    ? null
    : refuseBecause(
        'invalid_state',
        `A checkout in state ${checkout.state} does not take ${command}.`,
      );

type Patch = Partial<Omit<Checkout, 'kind' | 'version' | 'state'>>;

/** A checkout in its next version. Spec: CHECKOUT-3. */
function transitioned(
  checkout: Checkout,
  to: CheckoutState,
  now: EpochMs,
  patch: Patch = {},
): Checkout {
  return { ...checkout, ...patch, state: to, version: checkout.version + 1, updatedAt: now };
}

/** Called after `stateRefusal`, so a missing row is a defect. */
function destination(
  checkout: Checkout,
  on: CheckoutTrigger,
  when?: CheckoutCondition,
): CheckoutState {
  const row = checkoutTransition(checkout.state, on, when);
  if (!row) throw new Error(`no transition from ${checkout.state} on ${on} ${when ?? ''}`);
  return row.to;
}

/** Whether a card must still be verified, by the charges after the change. Spec: CARD-11. */
const cardOf = (
  { paymentMethodId, settlement }: Checkout,
  charges: Charges,
): Extract<CheckoutCondition, 'card' | 'no_card'> =>
  paymentMethodId === null && asksForCard({ settlement, charges }) ? 'card' : 'no_card';

// A setup without an outcome stays due for a worker, even if something else changes the checkout.
const setupDue = (checkout: Checkout): number | null =>
  checkout.paymentSetup?.state === 'pending' ? 0 : null;

/** Replaces the guest. Spec: CHECKOUT-5. */
export function decideSaveGuest(
  checkout: Checkout,
  guest: Guest,
  now: EpochMs,
): BookingChange<Checkout> {
  const to = destination(checkout, 'saveGuest', cardOf(checkout, checkout.charges));
  return {
    from: checkout,
    next: transitioned(checkout, to, now, { guest }),
    events: [],
    dueInSeconds: setupDue(checkout),
  };
}

/**
 * Replaces charges and refunds by those with the promotion. Releases the use of the old code and takes
 * one of the new code. Spec: TERMS-9.
 */
export function decideApplyPromo(
  checkout: Checkout,
  code: string,
  { charges, cancellation }: { charges: Charges; cancellation: Terms['cancellation'] },
  now: EpochMs,
): BookingChange<Checkout> {
  const held = checkout.promotionCode;
  const to = destination(checkout, 'applyPromo', cardOf(checkout, charges));
  return {
    from: checkout,
    next: transitioned(checkout, to, now, {
      promotionCode: code,
      charges,
      terms: { ...checkout.quote.terms, cancellation },
    }),
    events: [],
    dueInSeconds: setupDue(checkout),
    ...(held !== code && { takesPromotion: code }),
    ...(held !== null && held !== code && { releasesPromotion: held }),
  };
}

/** Restores the charges and refunds that the quote had without the promotion, and releases its use. */
export function decideRemovePromo(
  checkout: Checkout,
  held: string,
  now: EpochMs,
): BookingChange<Checkout> {
  const { charges, cancellation } = withoutPromotion(checkout.quote);
  const to = destination(checkout, 'removePromo', cardOf(checkout, charges));
  return {
    from: checkout,
    next: transitioned(checkout, to, now, {
      promotionCode: null,
      charges,
      terms: { ...checkout.quote.terms, cancellation },
    }),
    events: [],
    dueInSeconds: setupDue(checkout),
    releasesPromotion: held,
  };
}

/** Asks the payment provider for a setup, unless one is under way. Spec: CARD-2. */
export function decideSetupPayment(
  checkout: Checkout,
  now: EpochMs,
): BookingChange<Checkout> | Refusal<'invalid_state'> {
  if (setupUnderWay(checkout.paymentSetup, now)) {
    return refuseBecause('invalid_state', 'A payment setup is already in progress.');
  }
  const paymentSetup: PaymentSetup = {
    state: 'pending',
    failure: null,
    attempts: (checkout.paymentSetup?.attempts ?? 0) + 1,
    requestedAt: now,
    reference: null,
    clientSecret: null,
  };
  const to = destination(checkout, 'setupPayment');
  return {
    from: checkout,
    next: transitioned(checkout, to, now, { paymentSetup }),
    events: [],
    dueInSeconds: 0,
  };
}

/** The payment provider's answer to a setup. */
export type SetupAnswer =
  | { ready: { reference: string; clientSecret: string } }
  | { failed: PaymentSetupFailure };

/** Applies the payment provider's answer. Spec: CARD-1. */
export function decideSetupAnswered(
  checkout: Checkout,
  setup: PaymentSetup,
  answer: SetupAnswer,
  now: EpochMs,
): BookingChange<Checkout> {
  const paymentSetup: PaymentSetup =
    'ready' in answer
      ? { ...setup, ...answer.ready, state: 'ready' }
      : { ...setup, state: 'failed', failure: answer.failed };
  const to = destination(checkout, 'setupAnswered');
  return {
    from: checkout,
    next: transitioned(checkout, to, now, { paymentSetup }),
    events: [],
    dueInSeconds: null,
  };
}

/** Records the payment method that the guest verified; from `requires_action` the checkout is due at once. */
export function decideVerifyPayment(
  checkout: Checkout,
  input: { setupReference: string; paymentMethodId: string },
  now: EpochMs,
): BookingChange<Checkout> | Refusal<'invalid_state' | 'conflict'> {
  if (checkout.paymentSetup?.state !== 'ready') {
    return refuseBecause('invalid_state', 'There is no payment setup that is ready.');
  }
  if (checkout.paymentSetup.reference !== input.setupReference) {
    return refuse('conflict', { reason: 'setup_reference' });
  }
  const to = destination(checkout, 'verifyPayment');
  const isSubmitted = to === 'pending';
  const { paymentMethodId } = input;
  return {
    from: checkout,
    next: transitioned(checkout, to, now, {
      paymentMethodId,
      ...(isSubmitted && { submittedAt: now }),
    }),
    events: [],
    dueInSeconds: isSubmitted ? 0 : null,
    // Marks the authorization as started, so that it is looked up before it is repeated.
    ...(isSubmitted && { unknownStep: 'authorize' as const }),
  };
}

/** Accepts the terms and submits the checkout. Spec: CHECKOUT-7. */
export function decideSubmit(
  checkout: Checkout,
  termsVersion: string,
  actionNeeded: boolean,
  now: EpochMs,
): BookingChange<Checkout> | Refusal<'conflict'> {
  if (termsVersion !== checkout.quote.terms.version) {
    return refuse('conflict', { reason: 'terms_version' });
  }
  const to = destination(checkout, 'submit', actionNeeded ? 'action_needed' : 'accepted');
  return {
    from: checkout,
    next: transitioned(checkout, to, now, { submittedAt: now }),
    events: [],
    dueInSeconds: actionNeeded ? limits.paymentActionMinutes * 60 : 0,
  };
}

/** Expires a checkout that was not submitted in time: the only refusal that writes something. */
export function decideExpire(checkout: Checkout, now: EpochMs): BookingChange<Checkout> {
  const to = destination(checkout, 'quoteExpired');
  return {
    from: checkout,
    next: transitioned(checkout, to, now, { failureReason: 'quote_expired', resolvedAt: now }),
    events: [],
    dueInSeconds: null,
    ...(checkout.promotionCode !== null && { releasesPromotion: checkout.promotionCode }),
  };
}
