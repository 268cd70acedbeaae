/** Accounts as staff see them. */
import type { OpenOfReservation, PaymentOfReservation } from '../../bookings/index.ts';
import type { Refusal } from '../../contract/errors.ts';
import { refuseOutsideOff } from '../../contract/operator/errors.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { ReservationState } from '../../contract/states.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows, rowOrNull } from '../../platform/postgres/statement-functions.ts';
import type { BalancesWithOwed } from '../rules/allocation.ts';
import type { RefundState } from '../rules/collection-facts.ts';
import type { MoneyWait } from '../rules/collection-facts.ts';

/** Reads the balances of a reservation. Null: it has no account. */
export const readBalances = rowOrNull<
  [applicationId: string, checkoutId: string],
  BalancesWithOwed
>({
  name: 'read-payment-balances',
  text: `SELECT balance.* FROM payment_accounts a
    CROSS JOIN payment_balance(a.application_id, a.checkout_id) balance
    WHERE a.checkout_id = $2 AND a.application_id = $1`,
});

/** What is open of each reservation that has an account. */
export const readOpen = manyRows<
  [reservations: readonly { applicationId: string; bookingId: string }[]],
  OpenOfReservation
>({
  name: 'read-open-of-accounts',
  text: `SELECT named.application_id AS "applicationId", named.checkout_id AS "bookingId", balance.open
    FROM unnest($1::uuid[], $2::uuid[]) AS named (application_id, checkout_id)
    CROSS JOIN LATERAL (
      SELECT FROM payment_accounts
      WHERE checkout_id = named.checkout_id AND application_id = named.application_id OFFSET 0) a
    CROSS JOIN payment_balance(named.application_id, named.checkout_id) balance`,
  values: (reservations) => columnsOf(reservations, 'applicationId', 'bookingId'),
});

const holdStatement: Statement = {
  name: 'hold-payment-account',
  text: `SELECT EXISTS (SELECT FROM installation WHERE outside_off) AS "isCopy" FROM payment_accounts
    WHERE checkout_id = $2 AND application_id = $1 FOR UPDATE OF payment_accounts`,
};

/**
 * Locks an account until the transaction ends, and with it its balances. False: there is none. Refuses in a copy that
 * calls nothing outside: no money moves there.
 */
export async function holdAccount(
  executor: Executor,
  applicationId: string,
  checkoutId: string,
): Promise<boolean | Refusal<'conflict'>> {
  const values = [applicationId, checkoutId];
  const [held] = await executor.query<{ isCopy: boolean }>(holdStatement, values);
  return held?.isCopy ? refuseOutsideOff('no money moves here') : held !== undefined;
}

/** Lists the payments of a reservation, oldest first. */
export const listPaymentsOfAccount = manyRows<
  [applicationId: string, checkoutId: string],
  PaymentOfReservation
>({
  name: 'list-payments-of-account',
  text: `SELECT i.payment_id AS "paymentId", i.purpose, i.due_on AS "dueOn", i.amount_minor AS amount, i.state,
      coalesce((SELECT sum(f.amount_minor) FROM payment_refunds f
        WHERE f.payment_id = i.payment_id AND f.state = 'done'), 0)::bigint AS refunded
    FROM payment_intents i WHERE i.checkout_id = $2 AND i.application_id = $1 ORDER BY i.payment_id`,
});

/** The account of a reservation. */
export interface AccountOfReservation extends BalancesWithOwed {
  reference: string;
  state: ReservationState;
  applicationId: string;
  application: string;
  checkoutId: string;
  /** The home's slug; null: it no longer exists. */
  listing: string | null;
  /** Its name. */
  listingName: string | null;
  currency: string;
  openedAt: EpochMs;
  /** When the worker processes it next; null: after a change. */
  dueAt: EpochMs | null;
  /** Refusals of the provider that bind: nobody has resolved them since. */
  refusals: number;
  /** Why staff have to decide first; null: they need not. */
  attention: MoneyWait['kind'] | null;
  attentionSince: EpochMs | null;
  /** Since when staff have stopped collecting; null: they have not. */
  stoppedAt: EpochMs | null;
  /** What the guest pays at the property; it is in no balance. */
  atProperty: number;
}

const accountColumns = `a.reference, r.state, a.application_id AS "applicationId", p.name AS application,
      a.checkout_id AS "checkoutId", l.slug AS listing, l.name AS "listingName", a.currency, balance.due, balance.collected, balance.open,
      balance.refunded, balance.owed, a.opened_at AS "openedAt", a.due_at AS "dueAt", a.stopped_at AS "stoppedAt",
      r.at_property AS "atProperty", refused.refusals, wait.kind AS attention, wait.since AS "attentionSince"`;

// Each row is looked up by its key, even if the planner would scan small tables.
const joined = `CROSS JOIN LATERAL (
      SELECT state, listing_id, CASE WHEN state = 'cancelled' THEN 0
        ELSE (charges ->> 'total')::bigint - collectable_total(charges) END AS at_property
      FROM reservations WHERE reference = a.reference OFFSET 0) r
    LEFT JOIN LATERAL (SELECT slug, name FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    CROSS JOIN LATERAL (SELECT name FROM applications WHERE application_id = a.application_id OFFSET 0) p
    CROSS JOIN LATERAL payment_balance(a.application_id, a.checkout_id) balance
    CROSS JOIN LATERAL (SELECT (count(*) FILTER (WHERE i.state = 'refused' AND i.settled_at IS NULL)
        + coalesce(sum(f.count), 0))::integer AS refusals
      FROM payment_intents i CROSS JOIN LATERAL (SELECT count(*) FROM (
        SELECT state, settled_at FROM payment_refunds WHERE payment_id = i.payment_id OFFSET 0) r
        WHERE r.state IN ('refused', 'failed') AND r.settled_at IS NULL) f
      WHERE i.checkout_id = a.checkout_id AND i.application_id = a.application_id) refused
    LEFT JOIN LATERAL (SELECT kind, since FROM payment_waits w
      WHERE w.checkout_id = a.checkout_id AND w.application_id = a.application_id
      ORDER BY since, kind LIMIT 1) wait ON true`;

/** Finds the account of a reservation. */
export const findAccount = rowOrNull<[reference: string], AccountOfReservation>({
  name: 'find-payment-account',
  text: `SELECT ${accountColumns} FROM payment_accounts a ${joined} WHERE a.reference = $1`,
});

/** The accounts to list, by the time of the confirmation; absent: all. */
export interface AccountFilter {
  applicationId?: string | undefined;
  needsAttention?: boolean | undefined;
  /** The first day of confirmation, in UTC. */
  from?: string | undefined;
  /** The last day of confirmation, in UTC. */
  to?: string | undefined;
}

/** The last account of the page before. */
export interface AccountPosition {
  openedAt: EpochMs;
  reference: string;
}

// Only with the condition in the text does the planner use the partial index. The rows of the page are found
// before their balances are added up. With an array, and the application first in the order, only the application's own
// index has the order of its list: with `=`, the planner may go through those of all. Few wait for staff, so these go by
// their own index, and not by that of the application.
const ofApplication = {
  all: 'AND application_id = ANY (ARRAY[$5::uuid])',
  few: 'AND (application_id = $5) IS TRUE',
} as const;

const listStatement = ({ needsAttention, applicationId }: AccountFilter): Statement => ({
  name: 'list-payment-accounts',
  variant: `${needsAttention ? 'attention' : 'all'}${applicationId === undefined ? '' : '-application'}`,
  text: `SELECT ${accountColumns} FROM (
      SELECT * FROM payment_accounts
      WHERE (opened_at, reference) > ($1::timestamptz, $2) AND opened_at < $3::timestamptz
        ${needsAttention ? 'AND attention IS NOT NULL' : ''}
        ${applicationId === undefined ? '' : ofApplication[needsAttention ? 'few' : 'all']}
      ORDER BY ${applicationId === undefined || needsAttention ? '' : 'application_id, '}opened_at, reference LIMIT $4) a
    ${joined}
    ORDER BY a.opened_at, a.reference`,
});

const startOf = (day: string | undefined, add: number): string | undefined =>
  day && new Date(Date.parse(`${day}T00:00:00Z`) + add).toISOString();

/** Lists accounts by the time of the confirmation, earliest first, after the last one of the page before. */
export function listAccounts(
  executor: Executor,
  filter: AccountFilter,
  after: AccountPosition | null,
  atMost: number,
): Promise<AccountOfReservation[]> {
  const { applicationId, from, to } = filter;
  const begin = after ? instant(after.openedAt) : startOf(from, 0);
  const values = [
    begin ?? '-infinity',
    after?.reference ?? '',
    startOf(to, 86_400_000) ?? 'infinity',
  ];
  const all =
    applicationId === undefined ? [...values, atMost] : [...values, atMost, applicationId];
  return executor.query<AccountOfReservation>(listStatement(filter), all);
}

/** A refund as staff see it. */
export interface RefundOfAccount {
  refundId: string;
  paymentId: string;
  /** In minor units. */
  amount: number;
  state: RefundState;
  reason: string;
  requestedAt: EpochMs;
}

/** Lists the refunds of a reservation, oldest first. */
export const listRefundsOfAccount = manyRows<
  [applicationId: string, checkoutId: string],
  RefundOfAccount
>({
  name: 'list-refunds-of-account',
  text: `SELECT f.refund_id AS "refundId", f.payment_id AS "paymentId", f.amount_minor AS amount, f.state,
      f.reason, f.created_at AS "requestedAt"
    FROM payment_intents i JOIN payment_refunds f ON f.payment_id = i.payment_id
    WHERE i.checkout_id = $2 AND i.application_id = $1 ORDER BY f.refund_id`,
});
