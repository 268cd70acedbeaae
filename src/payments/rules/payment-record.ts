import { type EpochMs, instant } from '../../contract/time.ts';
import type { Environment } from '../../contract/wire.ts';

/** What the operator's own system is told of money. */
export interface PaymentRecord {
  applicationId: string;
  checkoutId: string;
  epoch: number;
  /** Within the epoch, from 1 without a gap. */
  sequence: number;
  /** Null: the checkout has become no reservation. */
  reference: string | null;
  kind: string;
  /** What the effect is called wherever it is found, also after a restore. */
  name: string;
  /** In minor units. */
  amount: number;
  currency: string;
  happenedAt: EpochMs;
}

/** The body that is posted to the operator's own system. docs/operators/records.md describes its members. */
export const paymentRecordBody = (
  environment: Environment,
  { epoch, sequence, reference, kind, amount, currency, happenedAt }: PaymentRecord,
): string =>
  JSON.stringify({
    format: 'latchkey-payment/1',
    environment,
    epoch,
    sequence,
    reference,
    kind,
    amount,
    currency,
    happenedAt: instant(happenedAt),
  });

/**
 * The `webhook-id` of a record. It is made of the effect and not of its place in the sequence, so that the receiver
 * recognizes an effect that is told again after a restore.
 */
export const paymentRecordId = (
  { applicationId, checkoutId, kind, name, amount }: PaymentRecord,
  digest: (text: string) => string,
): string => `payment_${digest(JSON.stringify([applicationId, checkoutId, kind, name, amount]))}`;
