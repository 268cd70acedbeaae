import type { IntentPurpose, IntentState } from './intent.ts';

/** A payment as our tables have it. Amounts in minor units. */
export interface PaymentHere {
  paymentId: string;
  /** Null: the provider did not return it. */
  providerReference: string | null;
  state: IntentState;
  purpose: IntentPurpose;
  amountMinor: number;
  currency: string;
  /** The refunds that are done. */
  refundedMinor: number;
  /** What the ledger says of this payment. */
  enteredCollectedMinor: number;
  enteredRefundedMinor: number;
  /** The ledger notes a dispute. */
  isDisputeEntered: boolean;
  /** What of it went back elsewhere, by what staff have recorded for a checkout without a reservation. */
  returnedElsewhereMinor: number;
  /** Its checkout has an outcome, which is not a reservation. */
  isWithoutReservation: boolean;
}

/** A payment as the provider has it. Amounts in minor units. */
export interface PaymentThere {
  providerReference: string;
  state: 'none' | 'action_needed' | 'authorized' | 'captured' | 'voided' | 'declined';
  amountMinor: number;
  refundedMinor: number;
  /** Null: it was not returned. */
  currency: string | null;
  isDisputed: boolean;
}

/** How our tables and the provider differ about a payment. */
export type DifferenceKind =
  | 'missing_here'
  | 'missing_there'
  | 'duplicate'
  | 'state'
  | 'amount'
  | 'currency'
  | 'refunded'
  | 'disputed'
  | 'ledger'
  | 'not_returned'
  /** The provider has a payment of a customer of ours that this service did not make. */
  | 'foreign'
  /** The provider did not answer about this payment. */
  | 'unreadable';

/** What a state means for the money of the guest. */
type Effect = 'none' | 'action_needed' | 'authorized' | 'captured';

const effectHere: Readonly<Record<IntentState, Effect | 'open'>> = {
  requested: 'open',
  unknown: 'open',
  action_needed: 'action_needed',
  authorized: 'authorized',
  captured: 'captured',
  voided: 'none',
  refused: 'none',
};

const effectThere: Readonly<Record<PaymentThere['state'], Effect>> = {
  none: 'none',
  declined: 'none',
  voided: 'none',
  action_needed: 'action_needed',
  authorized: 'authorized',
  captured: 'captured',
};

const hasEffect = (there: PaymentThere): boolean => effectThere[there.state] !== 'none';

/** Money that we keep although the guest has no reservation, because a refund has failed or was refused. */
const isNotReturned = ({
  state,
  amountMinor,
  refundedMinor,
  returnedElsewhereMinor,
  isWithoutReservation,
}: PaymentHere): boolean =>
  isWithoutReservation &&
  state === 'captured' &&
  refundedMinor + returnedElsewhereMinor < amountMinor;

const fitsLedger = (here: PaymentHere): boolean =>
  here.enteredCollectedMinor === (here.state === 'captured' ? here.amountMinor : 0) &&
  here.enteredRefundedMinor === here.refundedMinor;

// A later payment that the bank wants authenticated was refused here: no guest has what it takes to authenticate it.
const isUnauthenticated = ({ state, purpose }: PaymentHere, there: PaymentThere): boolean =>
  there.state === 'action_needed' && state === 'refused' && purpose !== 'booking';

// An outcome that is not known yet is a difference only if the provider has an effect.
const sameState = (here: PaymentHere, there: PaymentThere): boolean => {
  if (isUnauthenticated(here, there)) return true;
  const expected = effectHere[here.state];
  return (expected === 'open' ? 'none' : expected) === effectThere[there.state];
};

const checks: readonly (readonly [
  DifferenceKind,
  (here: PaymentHere, there: PaymentThere) => boolean,
])[] = [
  ['state', sameState],
  ['amount', (here, there) => here.amountMinor === there.amountMinor],
  ['currency', (here, there) => there.currency === null || here.currency === there.currency],
  ['refunded', (here, there) => here.refundedMinor === there.refundedMinor],
  ['disputed', (here, there) => here.isDisputeEntered || !there.isDisputed],
];

/**
 * Names every difference of a payment. Without effect, a payment may be missing on either side, and its
 * amount does not matter. Spec: MONEY-14.
 */
export function differencesOf(
  here: PaymentHere | null,
  there: PaymentThere | null,
): DifferenceKind[] {
  if (here === null) return there && hasEffect(there) ? ['missing_here'] : [];
  const entered: DifferenceKind[] = [
    ...(fitsLedger(here) ? [] : (['ledger'] as const)),
    ...(isNotReturned(here) ? (['not_returned'] as const) : []),
  ];
  if (there === null) {
    const isExpected = !['open', 'none'].includes(effectHere[here.state]);
    return isExpected ? [...entered, 'missing_there'] : entered;
  }
  const { providerReference } = here;
  const isOther = providerReference !== null && providerReference !== there.providerReference;
  if (isOther) return hasEffect(there) ? ['duplicate'] : [];
  const isWithout = !hasEffect(there) || isUnauthenticated(here, there);
  const isEmpty = isWithout && sameState(here, there);
  const found = isEmpty ? [] : checks.filter(([, isSame]) => !isSame(here, there));
  return [...entered, ...found.map(([kind]) => kind)];
}
