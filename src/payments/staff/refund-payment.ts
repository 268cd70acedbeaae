import { checkSeen, OperatorRefusal } from '../../access/index.ts';
import type { Seen } from '../../api/seen.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { balancesAfterRefund, refundable } from '../rules/staff-refund.ts';
import { type AccountOfReservation, holdAccount, lowerDue } from '../store/account-files.ts';
import { accountNamed } from './show-payments.ts';

/** A refund that staff give without a cancellation. */
export interface StaffRefundInput {
  reference: string;
  /** In minor units. */
  amount: number;
  /** For staff only; it is in the audit trail. */
  reason: string;
  /** What is due as staff have seen it, in minor units; absent: any. */
  seen?: Seen | undefined;
  /** Only shows what would happen. */
  dryRun?: boolean | undefined;
}

const balancesOf = ({ due, collected, open, refunded }: AccountOfReservation) => ({
  due,
  collected,
  open,
  refunded,
});

function refundView(account: AccountOfReservation, { amount, dryRun = false }: StaffRefundInput) {
  const before = balancesOf(account);
  const { reference, currency } = account;
  return {
    dryRun,
    reference,
    currency,
    amount,
    before,
    after: balancesAfterRefund(before, amount),
  };
}

/** The account, if it is as staff have seen it and has enough to give back. Throws `OperatorRefusal`. */
async function accountToRefund(
  executor: Executor,
  { reference, amount, seen }: StaffRefundInput,
): Promise<AccountOfReservation> {
  const account = await accountNamed(executor, reference);
  checkSeen(seen, account.due, `What is due for ${reference}`);
  const most = refundable(account);
  if (amount <= most) return account;
  throw new OperatorRefusal(`A refund of ${amount} is more than the ${most} that can be refunded.`);
}

/**
 * Gives back a part of what was collected, without a cancellation: less is due from now on, and the worker
 * refunds it. Every refund lowers what is due, so one that is sent again with the same `seen` is
 * refused. Throws `OperatorRefusal`. Spec: Card payments.
 */
export async function refundPayment(database: Database, actor: string, input: StaffRefundInput) {
  const { amount, reason } = input;
  const found = await accountToRefund(database, input);
  if (input.dryRun) return refundView(found, input);
  return auditedChange(
    database,
    async (executor) => {
      // Read again under the lock: a payment or another refund may have ended meanwhile.
      await holdAccount(executor, found.applicationId, found.checkoutId);
      const account = await accountToRefund(executor, input);
      await lowerDue(executor, account, amount, { by: 'staff' });
      return refundView(account, input);
    },
    ({ before, after }) => ({
      actor,
      action: 'payment.refund',
      applicationId: found.applicationId,
      reference: found.reference,
      details: { reason, amount, currency: found.currency, before, after },
    }),
  );
}
