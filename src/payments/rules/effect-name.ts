import type { Intent } from './intent.ts';

/**
 * The name of an effect at the provider. It is made of what both sides know, so it survives the loss of our rows:
 * the provider keeps its answer under this name, and a lookup finds the effect by it. Spec: CARD-10.
 */
export interface EffectName {
  applicationId: string;
  checkoutId: string;
  /** What the effect is a part of: `booking`, `instalment 2027-02-01`, `difference 2027-02-03`, `refund 2`. */
  part: string;
  /** The number of the try, from 1. It rises only after an error that the provider keeps, or a refusal. */
  try: number;
}

/** What an effect says of itself in its metadata. */
export interface EffectOrigin {
  applicationId: string;
  checkoutId: string;
  /** Null: it was made by a version that named its effects by the ID of their row. */
  part: string | null;
  try: number | null;
}

type Named = Pick<
  Intent,
  'paymentId' | 'applicationId' | 'checkoutId' | 'purpose' | 'dueOn' | 'firstTry' | 'round'
>;

function nameOfPayment(payment: Named): EffectName | null {
  const { applicationId, checkoutId, purpose, dueOn, firstTry, round } = payment;
  if (firstTry === null) return null;
  const part = purpose === 'booking' ? purpose : `${purpose} ${dueOn}`;
  return { applicationId, checkoutId, part, try: firstTry + round };
}

/** How the provider knows an attempt to take money. */
export const identityOf = (payment: Named) => ({
  paymentId: payment.paymentId,
  round: payment.round,
  name: nameOfPayment(payment),
});

/** The name of a refund of a checkout's money. Null: it was named by the ID of its row. */
export const nameOfRefund = (
  { applicationId, checkoutId }: { applicationId: string; checkoutId: string },
  { number, round }: { number: number | null; round: number },
): EffectName | null =>
  number === null ? null : { applicationId, checkoutId, part: `refund ${number}`, try: round + 1 };
