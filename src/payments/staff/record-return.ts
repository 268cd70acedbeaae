import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import {
  type KeptPayment,
  listKeptPayments,
  lockKeptPayments,
  recordReturned,
} from '../store/kept-payments.ts';
import { dayOfRecord } from './record-payment.ts';

/** Money of a checkout without a reservation that staff have given back in another way. */
export interface ReturnInput {
  checkoutId: string;
  applicationId?: string | undefined;
  /** In minor units. */
  amount: number;
  /** How it happened: `bank transfer`, `cash`. */
  method: string;
  /** For staff only; it is in the audit trail. */
  reason: string;
  /** `YYYY-MM-DD`; absent: today. */
  happenedOn?: string | undefined;
  /** Only shows what would happen. */
  dryRun?: boolean | undefined;
}

const leftOf = (kept: readonly KeptPayment[]): number =>
  kept.reduce((sum, { leftMinor }) => sum + leftMinor, 0);

/** The payments that the amount fits. */
async function keptOf(
  executor: Executor,
  { checkoutId, applicationId, amount }: ReturnInput,
): Promise<KeptPayment[] | Refusal<'not_found' | 'conflict'>> {
  const kept = await listKeptPayments(executor, checkoutId, applicationId ?? null);
  const [first] = kept;
  if (!first) {
    return refuseStaff(
      'not_found',
      `Checkout ${checkoutId} has ended without a reservation and payment.`,
    );
  }
  if (kept.some((one) => one.applicationId !== first.applicationId)) {
    return refuseConflict(
      `Checkouts of several applications are ${checkoutId}: choose one with --application.`,
    );
  }
  const left = leftOf(kept);
  if (amount <= left) return kept;
  return refuseConflict(`A return of ${amount} is more than the ${left} that has not gone back.`);
}

/**
 * Records that the money of a checkout without a reservation went back in another way: what is left of it no longer
 * waits for staff. Spec: MONEY-22.
 */
export async function recordReturn(database: Database, actor: string, input: ReturnInput) {
  const { checkoutId, amount, method, reason, dryRun = false } = input;
  const happenedOn = await dayOfRecord(database, input.happenedOn);
  if (isRefusal(happenedOn)) return happenedOn;
  const details = { method, happenedOn };
  const view = (kept: readonly KeptPayment[]) => ({
    dryRun,
    checkoutId,
    currency: kept[0]!.currency,
    amount,
    left: leftOf(kept) - amount,
    ...details,
  });
  const found = await keptOf(database, input);
  if (isRefusal(found)) return found;
  if (dryRun) return view(found);
  const { applicationId } = found[0]!;
  return auditedChange(
    database,
    async (executor) => {
      // Another statement: it sees what was committed while this one waited.
      await lockKeptPayments(executor, checkoutId, applicationId);
      const kept = await keptOf(executor, input);
      if (isRefusal(kept)) return kept;
      let rest = amount;
      for (const payment of kept) {
        const of = Math.min(rest, payment.leftMinor);
        if (of > 0)
          await recordReturned(executor, payment, of, { by: 'staff', reason, ...details });
        rest -= of;
      }
      return view(kept);
    },
    ({ left, currency }) => ({
      actor,
      action: 'payment.record-return',
      applicationId,
      details: { checkoutId, reason, amount, currency, left, ...details },
    }),
  );
}
