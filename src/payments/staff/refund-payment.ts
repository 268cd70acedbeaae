import { OperatorRefusal } from '../../access/index.ts';
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
  expectedDue?: number | undefined;
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

/** Throws `OperatorRefusal` if what is due is not what staff have seen; absent: they did not say. */
function checkDue({ reference, due }: AccountOfReservation, expected: number | undefined): void {
  if (expected === undefined || expected === due) return;
  throw new OperatorRefusal(
    `What is due for ${reference} has changed since you saw ${expected}: it is ${due}. Read it again before you decide.`,
    { code: 'precondition_failed' },
  );
}

/** The account, if it is as staff have seen it and has as much to give back. Throws `OperatorRefusal`. */
async function accountToRefund(
  executor: Executor,
  { reference, amount, expectedDue }: StaffRefundInput,
): Promise<AccountOfReservation> {
  const account = await accountNamed(executor, reference);
  checkDue(account, expectedDue);
  const most = refundable(account);
  if (amount <= most) return account;
  throw new OperatorRefusal(`A refund of ${amount} is more than the ${most} that can be refunded.`);
}

/**
 * Gives a part of what was collected back without a cancellation: less is due from now on, and the worker
 * refunds it. Every refund lowers what is due, so one that is sent again with the same `expectedDue` is
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
