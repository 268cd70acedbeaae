import type { EpochMs } from '../../contract/time.ts';
import { dayNumber, epochMsAt, todayAt } from '../../pricing/index.ts';
import { isLive, type AccountPayment } from './allocation.ts';
import { decideCollecting } from './collecting.ts';
import { decideLink } from './payment-link.ts';
import { decideRefunding, isBegun } from './refunding.ts';
import type { MoneyWait, CollectionAct, CollectionFacts } from './collection-facts.ts';

/** What happens next, what waits for staff, and which refusals bind no more because nothing of them is left. */
export interface Collection {
  next: CollectionAct;
  waits: MoneyWait[];
  resolved: { paymentIds: string[]; refundIds: string[] };
}

const isUnderWay = (payment: AccountPayment): boolean =>
  isLive(payment) && payment.state !== 'captured' && payment.purpose !== 'link';

/**
 * What has begun is finished first, the payment of a booking too that staff have confirmed without it; then comes what
 * was refunded elsewhere.
 */
function finishing({ payments, refunds }: CollectionFacts): CollectionAct | null {
  const payment = payments.find(isUnderWay);
  if (payment) return { act: 'finishPayment', paymentId: payment.paymentId };
  const refund = refunds.find(isBegun);
  if (refund) return { act: 'finishRefund', refundId: refund.refundId };
  const changed = payments.find(
    ({ state, refundsChanged }) => refundsChanged && state === 'captured',
  );
  return changed ? { act: 'compareRefunds', paymentId: changed.paymentId } : null;
}

const earliest = (times: readonly (EpochMs | null)[]): EpochMs | null =>
  times.reduce(
    (first, time) => (first === null || (time !== null && time < first) ? time : first),
    null,
  );

/**
 * Decides what happens next with the money of a reservation: finish what has begun, refund what is too
 * much, collect what is due by today at the property, or wait. A refusal stops its own part alone. Never collects
 * more than is due, never refunds more than a payment has left. Spec: MONEY-1.
 */
export function decideCollection(facts: CollectionFacts): Collection {
  const { now, timeZone } = facts;
  const today = todayAt(now, timeZone);
  const refunding = decideRefunding(facts);
  const collecting = decideCollecting(facts, today);
  const nextDay =
    collecting.nextDueOn === null
      ? null
      : epochMsAt(dayNumber(collecting.nextDueOn), '00:00', timeZone);
  const following = decideLink(facts);
  const until = earliest([refunding.again, collecting.again, following.again, nextDay]);
  return {
    next: finishing(facts) ??
      following.act ??
      refunding.act ??
      collecting.act ?? { act: 'wait', until },
    waits: [...refunding.waits, ...collecting.waits],
    resolved: { paymentIds: collecting.resolved, refundIds: refunding.resolved },
  };
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
