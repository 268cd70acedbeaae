/** What the provider has and our rows have lost: which part of the money it was. */
import type { EffectOrigin } from './effect-name.ts';
import type { IntentPurpose } from './intent.ts';

/** A part of the money of a checkout. */
export interface MoneyPart {
  purpose: IntentPurpose;
  /** `YYYY-MM-DD`; null: the day on which it is adopted. */
  dueOn: string | null;
}

const later = /^(?<purpose>instalment|difference) (?<day>\d{4}-\d{2}-\d{2})$/;
const refund = /^refund (?<number>[1-9]\d{0,3})$/;

/** The part that a payment names. One that names none is a difference: it covers whatever is open. */
export function partOf({ part }: Pick<EffectOrigin, 'part'>): MoneyPart {
  if (part === 'booking') return { purpose: 'booking', dueOn: null };
  const { purpose, day } = later.exec(part ?? '')?.groups ?? {};
  if (purpose === undefined || day === undefined) return { purpose: 'difference', dueOn: null };
  return { purpose: purpose as IntentPurpose, dueOn: day };
}

/** The number that a refund names within its checkout; null: none. */
export function refundNumberOf(origin: Pick<EffectOrigin, 'part'> | null): number | null {
  const { number } = refund.exec(origin?.part ?? '')?.groups ?? {};
  return number === undefined ? null : Number(number);
}
