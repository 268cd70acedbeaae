import { isRefusal } from '../../contract/errors.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { type AccountOfReservation, holdAccount } from '../store/accounts-in-full.ts';
import { startAccount, stopAccount } from '../store/staff-acts.ts';
import { oneAccountView } from './list-payments.ts';
import { accountNamed } from './show-payments.ts';

/** The reservation whose collections staff stop or start. */
export interface StartInput {
  reference: string;
  /** For staff only; it is in the audit trail. */
  reason: string;
}

interface Decision {
  action: 'payment.stop' | 'payment.start';
  /** Why it cannot be done; null: it can. */
  refusal(account: AccountOfReservation): string | null;
  write(executor: Executor, account: AccountOfReservation): Promise<void>;
}

const decisions: Readonly<Record<'stop' | 'start', Decision>> = {
  stop: {
    action: 'payment.stop',
    refusal: ({ reference, stoppedAt }) =>
      stoppedAt === null ? null : `Nothing of ${reference} is collected: it is stopped already.`,
    write: stopAccount,
  },
  start: {
    action: 'payment.start',
    refusal: ({ reference, stoppedAt, refusals, attention }) =>
      stoppedAt === null && refusals === 0 && attention === null
        ? `Nothing of ${reference} was refused or stopped: there is nothing to start.`
        : null,
    write: startAccount,
  },
};

async function decide(
  database: Database,
  actor: string,
  { action, refusal, write }: Decision,
  { reference, reason }: StartInput,
) {
  const found = await accountNamed(database, reference);
  if (isRefusal(found)) return found;
  return auditedChange(
    database,
    async (executor) => {
      const locked = await holdAccount(executor, found.applicationId, found.checkoutId);
      if (isRefusal(locked)) return locked;
      const account = await accountNamed(executor, reference);
      if (isRefusal(account)) return account;
      const why = refusal(account);
      if (why !== null) return refuseConflict(why);
      await write(executor, account);
      const written = await accountNamed(executor, reference);
      return isRefusal(written) ? written : oneAccountView(executor, written);
    },
    () => ({
      actor,
      action,
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

/** Stops collecting for a reservation until staff start it again; refunds go on. Spec: MONEY-5. */
export const stopPayment = (database: Database, actor: string, input: StartInput) =>
  decide(database, actor, decisions.stop, input);

/**
 * Starts collecting again, and tries at once what was refused or sent back; the delays between further tries start
 * again with the first. Spec: MONEY-5.
 */
export const startPayment = (database: Database, actor: string, input: StartInput) =>
  decide(database, actor, decisions.start, input);
