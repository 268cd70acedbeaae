/** Charges that a card can pay: the card provider takes no payment below its least amount. */
import { cardLimitsOf } from '../../contract/card-minimums.ts';
import { dateText, dayNumber } from './calendar-date.ts';
import type { Charges, DuePayment } from './charges.ts';
import type { DayNumber } from './listing.ts';
import { sumOf } from './money.ts';
import { isCollected } from './payment-schedule.ts';

interface Limits {
  minimumMinor: number;
  multipleOf: number;
}

/** The payments, each of which the provider can take; null: the last one is too small to stand alone. */
function joined(
  payments: readonly DuePayment[],
  { minimumMinor, multipleOf }: Limits,
): DuePayment[] | null {
  const taken: DuePayment[] = [];
  let left = 0;
  for (const [at, { dueOn, amount }] of payments.entries()) {
    const wanted = left + amount;
    const isLast = at === payments.length - 1;
    const part = isLast ? wanted : wanted - (wanted % multipleOf);
    if (part >= minimumMinor && part > 0) taken.push({ dueOn, amount: part });
    left = part >= minimumMinor ? wanted - part : wanted;
  }
  return left === 0 ? taken : null;
}

/**
 * The charges as a card can pay them: an amount below the provider's least joins the next payment, or the whole is due
 * now. What is paid at the property does not count. Null: the provider cannot take the total.
 * Spec: PRICE-11.
 */
export function cardCharges(charges: Charges, today: DayNumber): Charges | null {
  const limits = cardLimitsOf(charges.currency);
  const payments = charges.schedule.filter(isCollected);
  const total = sumOf(payments);
  if (total === 0) return charges;
  if (total < limits.minimumMinor || total % limits.multipleOf !== 0) return null;
  const now = { dueOn: dateText(today), amount: total };
  const collected = joined(payments, limits) ?? [now];
  const atProperty = charges.schedule.filter((payment) => !isCollected(payment));
  const [first] = collected;
  const dueNow = first && dayNumber(first.dueOn) === today ? first.amount : 0;
  return { ...charges, dueNow, schedule: [...collected, ...atProperty] };
}
