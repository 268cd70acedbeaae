/** The charges of a reservation after staff have changed its stay. */

import { dateText, dayNumber } from './calendar-date.ts';
import type { ChargedNight, Charges, DuePayment } from './charges.ts';
import type { DayNumber, Minor, Stay } from './listing.ts';
import { sumOf } from './money.ts';
import { isCollected } from './payment-schedule.ts';
import { nightsOf } from './stay.ts';

/**
 * What has been collected by a day at the property: a payment counts from its due day on. What is paid at the property is
 * never collected.
 */
export const collectedBy = (schedule: readonly DuePayment[], today: DayNumber): Minor =>
  sumOf(schedule.filter((payment) => isCollected(payment) && isDue(payment, today)));

/**
 * The same price for other dates: every line stays as it is, and so does every payment that was due by today. A later
 * payment keeps its distance to the day of arrival, but is never due before today. What is paid at the property is due
 * on the new day of arrival.
 *
 * With the same number of nights, each night keeps its amount and gets its new date. Otherwise the nights
 * share the line of kind `accommodation` equally; the first nights get one minor unit more until the sum
 * is exact.
 *
 * Spec: PRICE-10.
 */
export function keptCharges(charges: Charges, stay: Stay, today: DayNumber): Charges {
  const amounts = nightAmounts(charges, nightsOf(stay));
  const nights = amounts.map((amount, at): ChargedNight => ({
    date: dateText(stay.checkIn + at),
    amount,
  }));
  const [first] = charges.nights;
  const moved = first ? stay.checkIn - dayNumber(first.date) : 0;
  const collected = charges.schedule.filter(isCollected).map((payment) => {
    const day = dayNumber(payment.dueOn);
    if (day <= today) return payment;
    return { ...payment, dueOn: dateText(Math.max(today, day + moved)) };
  });
  const atProperty = charges.schedule
    .filter((payment) => !isCollected(payment))
    .map((payment) => ({ ...payment, dueOn: dateText(stay.checkIn) }));
  const schedule = [...(moved === 0 ? collected : joined(collected)), ...atProperty];
  return { ...charges, dueNow: dueNowOf(charges, schedule, today), schedule, nights };
}

/** The amount of the day of booking; if the first payment is due today, its amount. */
function dueNowOf({ dueNow }: Charges, [first]: readonly DuePayment[], today: DayNumber): Minor {
  const isFirstToday = first && isCollected(first) && dayNumber(first.dueOn) === today;
  return isFirstToday ? first.amount : dueNow;
}

function nightAmounts({ nights }: Charges, count: number): Minor[] {
  if (nights.length === count) return nights.map(({ amount }) => amount);
  const gross = sumOf(nights);
  const rest = gross % count;
  const each = (gross - rest) / count;
  return Array.from({ length: count }, (_, at) => each + (at < rest ? 1 : 0));
}

/**
 * A new price for a reservation of which a part has been collected.
 *
 * Payments that are due by today stay as they are, up to the new total. What is left of the new total
 * follows the payment plan of the new price. `dueNow` stays the amount of the day of booking, which may be
 * today.
 *
 * Spec: PRICE-10.
 */
export function recalculatedCharges(before: Charges, priced: Charges, today: DayNumber): Charges {
  const past = before.schedule.filter((payment) => isCollected(payment) && isDue(payment, today));
  const planned = priced.schedule.filter(isCollected);
  const total = sumOf(planned);
  const kept = upTo(past, total);
  const open = without(planned, sumOf(kept));
  const schedule = joined([...kept, ...open]);
  const [first] = schedule;
  const isFirstToday = first !== undefined && dayNumber(first.dueOn) === today;
  const dueNow = isFirstToday ? first.amount : Math.min(before.dueNow, total);
  const atProperty = priced.schedule.filter((payment) => !isCollected(payment));
  return { ...priced, dueNow, schedule: [...schedule, ...atProperty] };
}

const isDue = ({ dueOn }: DuePayment, today: DayNumber): boolean => dayNumber(dueOn) <= today;

/** The first payments, up to an amount in total. */
function upTo(payments: readonly DuePayment[], total: Minor): DuePayment[] {
  let left = total;
  return payments.map(({ dueOn, amount }) => {
    const part = Math.min(amount, left);
    left -= part;
    return { dueOn, amount: part };
  });
}

/** The payments less an amount, which is taken from the first ones. */
function without(payments: readonly DuePayment[], paid: Minor): DuePayment[] {
  let left = paid;
  return payments.map(({ dueOn, amount }) => {
    const part = Math.min(amount, left);
    left -= part;
    return { dueOn, amount: amount - part };
  });
}

/** One payment for each day; payments of 0 are omitted. */
function joined(payments: readonly DuePayment[]): DuePayment[] {
  const byDay = new Map<string, Minor>();
  for (const { dueOn, amount } of payments) {
    if (amount > 0) byDay.set(dueOn, (byDay.get(dueOn) ?? 0) + amount);
  }
  return [...byDay].map(([dueOn, amount]) => ({ dueOn, amount }));
}
