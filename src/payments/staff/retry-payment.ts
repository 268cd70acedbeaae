import { OperatorRefusal } from '../../access/index.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { holdAccount, wakeAccount } from '../store/account-files.ts';
import { accountView } from './list-payments.ts';
import { accountNamed } from './show-payments.ts';

/** What staff want to retry. */
export interface RetryInput {
  reference: string;
  /** For staff only; it is in the audit trail. */
  reason: string;
}

/**
 * Asks the provider again now for what it has refused or sent back: an instalment, a difference or a refund. The
 * delays between further attempts start again with the first. Throws `OperatorRefusal`. Spec: Card payments.
 */
export async function retryPayment(
  database: Database,
  actor: string,
  { reference, reason }: RetryInput,
) {
  const found = await accountNamed(database, reference);
  return auditedChange(
    database,
    async (executor) => {
      await holdAccount(executor, found.applicationId, found.checkoutId);
      const account = await accountNamed(executor, reference);
      if (account.refusals === 0 && account.attention === null) {
        throw new OperatorRefusal(
          `Nothing of ${reference} was refused: there is nothing to retry.`,
        );
      }
      await wakeAccount(executor, account);
      return accountView(await accountNamed(executor, reference));
    },
    () => ({
      actor,
      action: 'payment.retry',
      applicationId: found.applicationId,
      reference,
      details: {
        reason,
        refusals: found.refusals,
        attention: found.attention,
        open: found.open,
        currency: found.currency,
      },
    }),
  );
}
