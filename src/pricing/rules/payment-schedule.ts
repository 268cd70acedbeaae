/** When a total is due. */

import { dateText } from './calendar-date.ts';
import type { ChargedNight, DuePayment } from './charges.ts';
import type { DayNumber, Minor, PaymentPlan, PlannedPayment } from './listing.ts';
import { inSteps, percentOf, type Step, sumOf } from './money.ts';

/** A total to be paid. */
export interface TotalToPay {
  /** The whole total. */
  total: Minor;
  /** The part of it that is paid at the property. */
  atProperty: Minor;
  nights: readonly ChargedNight[];
  checkIn: DayNumber;
  /** Today's date at the property. */
  today: DayNumber;
  step: Step;
}

/** A plan as a list: the first payment is due at booking, the last one is the rest. Spec: SCHEDULE-2. */
const paymentsOf = (plan: PaymentPlan): readonly PlannedPayment[] =>
  plan.schedule ?? [{ percent: plan.dueNowPercent }, { daysBefore: plan.balanceDaysBefore }];

/** The amount of one payment of a plan. Spec: SCHEDULE-3. */
function amountOf(
  { percent, amount, nights }: PlannedPayment,
  collected: Minor,
  { nights: charged, step }: TotalToPay,
): Minor {
  if (percent !== undefined) return percentOf(collected, percent, step);
  if (nights !== undefined) return sumOf(charged.slice(0, nights));
  return amount === undefined ? collected : inSteps(amount, step);
}

/** The payments of a plan by due day; those whose day has come are due today. */
function duePayments(plan: PaymentPlan, pay: TotalToPay): { day: DayNumber; amount: Minor }[] {
  const { total, atProperty, checkIn, today } = pay;
  const collected = total - atProperty;
  let left = collected;
  return paymentsOf(plan).map((payment) => {
    const amount = Math.min(amountOf(payment, collected, pay), left);
    left -= amount;
    const { daysBefore } = payment;
    return {
      day: Math.max(today, daysBefore === undefined ? today : checkIn - daysBefore),
      amount,
    };
  });
}

/** What is due on the day of booking, and all payments in order. Spec: SCHEDULE-1, SCHEDULE-4. */
export function paymentSchedule(
  plan: PaymentPlan,
  pay: TotalToPay,
): { dueNow: Minor; schedule: DuePayment[] } {
  const { atProperty, checkIn, today } = pay;
  const byDay = new Map<DayNumber, Minor>();
  for (const { day, amount } of duePayments(plan, pay)) {
    byDay.set(day, (byDay.get(day) ?? 0) + amount);
  }
  const schedule = [...byDay]
    .filter(([, amount]) => amount > 0)
    .map(([day, amount]): DuePayment => ({ dueOn: dateText(day), amount }));
  if (atProperty > 0) {
    schedule.push({ dueOn: dateText(checkIn), amount: atProperty, at: 'property' });
  }
  return { dueNow: byDay.get(today) ?? 0, schedule };
}

/** Whether Latchkey or the partner collects a payment, and not the property. Spec: TAX-8. */
export const isCollected = ({ at }: DuePayment): boolean => at === undefined;
