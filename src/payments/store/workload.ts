import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { intentStatesUnderWay } from '../rules/intent.ts';
import { waitKinds } from '../rules/collection-facts.ts';

/** How many wait, and the waiting time of the oldest, in seconds. */
export interface Waiting {
  count: number;
  oldestSeconds: number;
}

/** Payments and refunds in progress, and accounts that wait for staff. Each group counts up to 10,000. */
export interface PaymentWorkload {
  /** Payments whose outcome is not known yet, by state. */
  payments: Record<(typeof intentStatesUnderWay)[number], Waiting>;
  /** Refunds whose outcome is not known yet. */
  refunds: Waiting;
  /** Parts of the money about which staff have to decide, by kind. */
  forStaff: Record<(typeof waitKinds)[number], Waiting>;
  /** How long the oldest due account has been waiting, in seconds. */
  oldestDueSeconds: number;
}

const countedAtMost = 10_000;

// The conditions are those of the partial indexes, which contain only these rows.
const counts = `SELECT 'payment' AS what, state, count(*), min(created_at) AS oldest FROM (
      SELECT state, created_at FROM payment_intents
      WHERE state NOT IN ('captured', 'voided', 'refused') ORDER BY created_at LIMIT ${countedAtMost}) p
      GROUP BY state
    UNION ALL
    SELECT 'refund', 'under way', count(*), min(created_at) FROM (
      SELECT created_at FROM payment_refunds
      WHERE state IN ('requested', 'unknown') ORDER BY created_at LIMIT ${countedAtMost}) f
    UNION ALL
    SELECT 'attention', kind, count(*), min(since) FROM (
      SELECT kind, since FROM payment_waits ORDER BY since, checkout_id LIMIT ${countedAtMost}) w
      GROUP BY kind
    UNION ALL
    SELECT 'due', 'account', 0, (
      SELECT due_at FROM payment_accounts WHERE due_at <= now() ORDER BY due_at LIMIT 1)`;

const statement: Statement = {
  name: 'count-payments-under-way',
  text: `SELECT what, state, count,
      greatest(extract(epoch FROM now() - oldest), 0)::float8 AS "oldestSeconds"
    FROM (${counts}) counted`,
};

interface Row {
  what: string;
  state: string;
  count: number;
  /** Null: there is none. */
  oldestSeconds: number | null;
}

const none: Waiting = { count: 0, oldestSeconds: 0 };

/** Counts the payments and refunds under way, and the accounts that wait for staff. */
export async function readPaymentWorkload(executor: Executor): Promise<PaymentWorkload> {
  const rows = await executor.query<Row>(statement);
  const waiting = (what: string, state: string): Waiting => {
    const row = rows.find((one) => one.what === what && one.state === state);
    return row ? { count: row.count, oldestSeconds: row.oldestSeconds ?? 0 } : none;
  };
  const byState = <State extends string>(what: string, states: readonly State[]) =>
    Object.fromEntries(states.map((state) => [state, waiting(what, state)])) as Record<
      State,
      Waiting
    >;
  return {
    payments: byState('payment', intentStatesUnderWay),
    refunds: waiting('refund', 'under way'),
    forStaff: byState('attention', waitKinds),
    oldestDueSeconds: waiting('due', 'account').oldestSeconds,
  };
}
