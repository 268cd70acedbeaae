import type { Charges } from '../../contract/partner/schemas/quote.ts';
import { dayMs, type EpochMs } from '../../contract/time.ts';
import { dateText, dayNumber, epochMsAt, todayAt } from '../../pricing/index.ts';
import type { IntentPurpose, IntentState } from './intent.ts';

/** The balances of a reservation, in minor units: always due = collected + open − refunded. */
export interface Balances {
  /** What the reservation costs; after a cancellation, what the operator keeps. */
  due: number;
  collected: number;
  /** What is still to be collected; below 0: what is still to be refunded. */
  open: number;
  refunded: number;
}

/** The state of a refund. `failed`: it was done, and the guest's bank has sent it back. */
export type RefundState = 'requested' | 'done' | 'refused' | 'unknown' | 'failed';

/** A payment of a reservation, in the order in which they were requested. */
export interface SettledPayment {
  paymentId: string;
  purpose: IntentPurpose;
  /** `YYYY-MM-DD` at the property. */
  dueOn: string;
  amountMinor: number;
  state: IntentState;
}

/** A refund of a part of a payment. */
export interface SettledRefund {
  refundId: string;
  paymentId: string;
  amountMinor: number;
  state: RefundState;
}

/** Everything that decides what happens next with the money of a reservation. */
export interface SettlementFacts {
  isCancelled: boolean;
  schedule: Charges['schedule'];
  /** Of the property; null: UTC. */
  timeZone: string | null;
  balances: Balances;
  payments: readonly SettledPayment[];
  refunds: readonly SettledRefund[];
  /** Refusals of the provider since the last success or change. */
  refusals: number;
  lastRefusedAt: EpochMs | null;
  /** When a refund has failed, if nobody has decided since. */
  refundFailedAt: EpochMs | null;
  now: EpochMs;
}

/** Why staff have to decide. */
export const attentions = ['declined', 'refund_refused', 'refund_failed', 'unknown'] as const;

/** Why staff have to decide. */
export type Attention = (typeof attentions)[number];

/** What happens next. */
export type SettlementAct =
  | { act: 'finishPayment'; paymentId: string }
  | { act: 'finishRefund'; refundId: string }
  | { act: 'collect'; purpose: IntentPurpose; dueOn: string; amountMinor: number }
  | { act: 'refund'; paymentId: string; amountMinor: number }
  /** `until` null: until something changes. */
  | { act: 'wait'; until: EpochMs | null; attention: Attention | null };

/** After a refusal, the provider is asked again after these days; after the last, staff decide. */
export const refusalDelaysDays = [1, 2, 3, 5, 7] as const;

const isLive = ({ state }: SettledPayment): boolean => state !== 'refused' && state !== 'voided';

const isUnderWay = (payment: SettledPayment): boolean =>
  isLive(payment) && payment.state !== 'captured';

const isBegun = ({ state }: SettledRefund): boolean => state === 'requested' || state === 'unknown';

const sumOf = (amounts: readonly { amountMinor: number }[]): number =>
  amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

const counts = ({ state }: SettledRefund): boolean => state !== 'refused' && state !== 'failed';

/** What a payment has left to refund, in minor units. */
export const refundableOf = (
  { paymentId, state, amountMinor }: SettledPayment,
  refunds: readonly SettledRefund[],
): number =>
  state === 'captured'
    ? amountMinor - sumOf(refunds.filter((one) => one.paymentId === paymentId && counts(one)))
    : 0;

/** What has begun is finished first. The payment of a booking is finished by its worker. */
function finishing({ payments, refunds }: SettlementFacts): SettlementAct | null {
  const payment = payments.find((one) => one.purpose !== 'booking' && isUnderWay(one));
  if (payment) return { act: 'finishPayment', paymentId: payment.paymentId };
  const refund = refunds.find(isBegun);
  return refund ? { act: 'finishRefund', refundId: refund.refundId } : null;
}

/** More was collected than is due: the latest payment is refunded first, each at most to its amount. */
function refunding({ balances, payments, refunds }: SettlementFacts): SettlementAct | null {
  const excess = -balances.open - sumOf(refunds.filter(isBegun));
  if (excess <= 0) return null;
  const payment = payments.findLast((one) => refundableOf(one, refunds) > 0);
  if (!payment) return null;
  const amountMinor = Math.min(excess, refundableOf(payment, refunds));
  return { act: 'refund', paymentId: payment.paymentId, amountMinor };
}

/** The first part of the schedule that no payment covers; null: all is covered. */
function uncovered({ schedule, balances, payments }: SettlementFacts): {
  dueOn: string;
  amount: number;
} | null {
  const { due, collected, refunded } = balances;
  const total = schedule.reduce((sum, { amount }) => sum + amount, 0);
  const underWay = sumOf(payments.filter(isUnderWay));
  // What staff have taken off the price counts as covered, so it is not collected again.
  let covered = collected - refunded + underWay + (total - due);
  for (const { dueOn, amount } of schedule) {
    const missing = Math.min(amount, amount - covered);
    if (missing > 0) return { dueOn, amount: missing };
    covered -= amount;
  }
  return null;
}

const isDueDay = ({ purpose }: SettledPayment): boolean => purpose !== 'difference';

/** A due day is charged once. What a later change adds to it is a difference, one for each day. */
function collecting(
  { payments }: SettlementFacts,
  { dueOn, amount: amountMinor }: { dueOn: string; amount: number },
  today: number,
): SettlementAct {
  const live = payments.filter(isLive);
  const isCharged = live.some((one) => isDueDay(one) && one.dueOn === dueOn);
  if (!isCharged) return { act: 'collect', purpose: 'instalment', dueOn, amountMinor };
  const taken = new Set(live.filter((one) => !isDueDay(one)).map((one) => one.dueOn));
  let day = today;
  while (taken.has(dateText(day))) day += 1;
  return { act: 'collect', purpose: 'difference', dueOn: dateText(day), amountMinor };
}

/** When the provider is asked again after its refusals; null: staff decide. */
function againAt({ refusals, lastRefusedAt }: SettlementFacts): EpochMs | null {
  if (refusals === 0 || lastRefusedAt === null) return 0;
  const days = refusalDelaysDays[refusals - 1];
  return days === undefined ? null : lastRefusedAt + days * dayMs;
}

const afterRefusals = (
  facts: SettlementFacts,
  next: SettlementAct,
  attention: Attention,
): SettlementAct => {
  const at = againAt(facts);
  if (at !== null && at <= facts.now) return next;
  return { act: 'wait', until: at, attention: at === null ? attention : null };
};

/**
 * Decides what happens next with the money of a reservation: finish what has begun, refund what is too
 * much, collect what is due by today at the property, or wait. Never collects more than is due, never
 * refunds more than a payment has left. Spec: Card payments.
 */
export function decideSettlement(facts: SettlementFacts): SettlementAct {
  const begun = finishing(facts);
  if (begun) return begun;
  const refund = refunding(facts);
  // The same card would send it back again.
  if (refund && facts.refundFailedAt !== null) {
    return { act: 'wait', until: null, attention: 'refund_failed' };
  }
  if (refund) return afterRefusals(facts, refund, 'refund_refused');
  const missing = facts.isCancelled ? null : uncovered(facts);
  if (!missing) return { act: 'wait', until: null, attention: null };
  const today = todayAt(facts.now, facts.timeZone);
  const dueDay = dayNumber(missing.dueOn);
  if (dueDay > today) {
    return { act: 'wait', until: epochMsAt(dueDay, '00:00', facts.timeZone), attention: null };
  }
  return afterRefusals(facts, collecting(facts, missing, today), 'declined');
}

// A refund that was done is checked again after each of these numbers of days: banks return some.
const refundCheckDays = [1, 3, 10, 30] as const;

/** The number of days until a refund is checked again; null: it is not. */
export const nextRefundCheckDays = (checks: number): number | null =>
  refundCheckDays[checks] ?? null;

const unknownForStaffMs = 30 * 60_000;

/** Whether an outcome has been unknown long enough to be shown to staff. */
export const isUnknownForStaff = (requestedAt: EpochMs, now: EpochMs): boolean =>
  now - requestedAt >= unknownForStaffMs;
