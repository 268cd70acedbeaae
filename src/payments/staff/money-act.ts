/** What staff do with the money of a reservation: one read, one rule, one transaction. */
import { amountRefusal } from '../../access/index.ts';
import type { Seen } from '../../api/seen.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import type { AuditAction } from '../../contract/operator/audit-actions.ts';
import { refuseConflict } from '../../contract/operator/errors.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import {
  balancesAfter,
  entriesOf,
  type MoneyAct,
  type MoneyFacts,
  mostOf,
} from '../rules/staff-acts.ts';
import { type AccountOfReservation, holdAccount } from '../store/accounts-in-full.ts';
import { enterRows, sumRefundsBegun } from '../store/staff-acts.ts';
import { accountNamed } from './show-payments.ts';

/** An act of staff that moves money in the ledger. */
export interface MoneyActInput {
  reference: string;
  /** In minor units. */
  amount: number;
  /** For staff only; it is in the audit trail. */
  reason: string;
  /** `due` as staff have seen it, in minor units; absent: any. */
  seenDue?: Seen | undefined;
  /** `open` as staff have seen it, in minor units; absent: any. */
  seenBalance?: Seen | undefined;
  /** Only shows what would happen. */
  dryRun?: boolean | undefined;
}

const balancesOf = ({ due, collected, open, refunded }: AccountOfReservation) => ({
  due,
  collected,
  open,
  refunded,
});

const acts: Readonly<Record<MoneyAct, string>> = {
  collected: 'A collection',
  written_off: 'A write-off',
  reduce: 'A reduction',
  refunded: 'A refund',
  charged_back: 'A charge-back',
  refund: 'A refund',
};

const bounds: Readonly<Record<MoneyAct, string>> = {
  collected: 'that is open',
  written_off: 'that is open',
  reduce: 'that is still to be collected',
  refunded: 'that was collected and not given back',
  charged_back: 'that was collected and not given back',
  refund: 'that can be refunded',
};

/** The account, if it is as staff have seen it and the act is within its bounds. */
async function accountFor(
  executor: Executor,
  act: MoneyAct,
  { reference, amount, seenDue, seenBalance }: MoneyActInput,
): Promise<
  | { account: AccountOfReservation; facts: MoneyFacts }
  | Refusal<'not_found' | 'conflict' | 'precondition_failed'>
> {
  const account = await accountNamed(executor, reference);
  if (isRefusal(account)) return account;
  const changed =
    amountRefusal(seenDue, account.due, `What is due for ${reference}`, account.currency) ??
    amountRefusal(seenBalance, account.open, `What is open for ${reference}`, account.currency);
  if (changed) return changed;
  const facts = { ...account, ...(await sumRefundsBegun(executor, account)) };
  const most = mostOf(act, facts);
  if (amount <= most) return { account, facts };
  return refuseConflict(`${acts[act]} of ${amount} is more than the ${most} ${bounds[act]}.`);
}

function viewOf(
  { account, facts }: { account: AccountOfReservation; facts: MoneyFacts },
  act: MoneyAct,
  { amount, dryRun = false }: MoneyActInput,
) {
  const before = balancesOf(account);
  const { reference, currency } = account;
  const rows = entriesOf(act, facts, amount);
  return {
    rows,
    view: {
      dryRun,
      reference,
      currency,
      amount,
      // Two acts: one gives back what was collected, the other lowers what is still to be collected.
      givesBack: act === 'refund' ? amount : 0,
      lowersCollection: act === 'reduce' ? amount : 0,
      before,
      after: balancesAfter(before, rows),
    },
  };
}

/** Enters an act of staff into the ledger, and wakes the worker. Spec: MONEY-10. */
export async function actOnMoney(
  database: Database,
  actor: string,
  { act, action, details }: { act: MoneyAct; action: AuditAction; details: object },
  input: MoneyActInput,
) {
  const found = await accountFor(database, act, input);
  if (isRefusal(found)) return found;
  if (input.dryRun) return viewOf(found, act, input).view;
  const { applicationId, checkoutId, reference, currency } = found.account;
  return auditedChange(
    database,
    async (executor) => {
      // Read again under the lock: a payment or another act may have ended meanwhile.
      const locked = await holdAccount(executor, applicationId, checkoutId);
      if (isRefusal(locked)) return locked;
      const held = await accountFor(executor, act, input);
      if (isRefusal(held)) return held;
      const { rows, view } = viewOf(held, act, input);
      const { reason } = input;
      await enterRows(executor, held.account, rows, { by: 'staff', act, reason, ...details });
      return view;
    },
    ({ before, after }) => ({
      actor,
      action,
      applicationId,
      reference,
      details: { reason: input.reason, amount: input.amount, currency, before, after, ...details },
    }),
  );
}
