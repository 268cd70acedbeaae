import { dateText } from './calendar-date.ts';
import type { Charges, DuePayment } from './charges.ts';
import type { DayNumber, Minor } from './listing.ts';

/** Adds an amount to the last payment; what it cannot take, the ones before it do. */
function scheduleWith(
  schedule: readonly DuePayment[],
  difference: Minor,
  today: DayNumber,
): DuePayment[] {
  if (schedule.length === 0) return [{ dueOn: dateText(today), amount: difference }];
  let left = difference;
  return schedule
    .toReversed()
    .map((payment) => {
      const amount = Math.max(0, payment.amount + left);
      left += payment.amount - amount;
      return { ...payment, amount };
    })
    .filter(({ amount }) => amount > 0)
    .toReversed();
}

/**
 * The charges with another total, which only the sandbox sets: the difference is one line, and the last part of the
 * schedule takes it. Spec: SANDBOX-3.
 */
export function chargesOfTotal(charges: Charges, total: Minor, today: DayNumber): Charges {
  const difference = total - charges.total;
  if (difference === 0) return charges;
  const isFee = difference > 0;
  const schedule = scheduleWith(charges.schedule, difference, today);
  const [first] = schedule;
  const isFirstToday = first?.dueOn === dateText(today) && first.at === undefined;
  return {
    ...charges,
    accommodation: charges.accommodation + (isFee ? 0 : difference),
    fees: charges.fees + (isFee ? difference : 0),
    total,
    dueNow: isFirstToday ? first.amount : Math.min(charges.dueNow, total),
    schedule,
    lines: [
      ...charges.lines,
      { kind: isFee ? 'fee' : 'discount', label: 'Sandbox price', amount: difference },
    ],
  };
}
