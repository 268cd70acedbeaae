/** What must hold after the later days: our tables, and the provider's ledger. */
import type { Executor } from '../../../src/platform/postgres/database.ts';
import { sql } from '../../harness/rows.ts';
import type { StandIn } from '../../harness/stripe/stand-in.ts';

/** The money of a reservation after its booking. */
export interface LaterRow {
  reference: string;
  checkoutId: string;
  state: string;
  due: number;
  collected: number;
  open: number;
  refunded: number;
  total: number;
  owed: number;
  /** What was taken off the price without a change of it. */
  forgiven: number;
  /** Money that moved elsewhere. */
  collectedElsewhere: number;
  refundedElsewhere: number;
  /** What disputes that were lost have taken, and their fees. */
  takenByDisputes: number;
  feesOfDisputes: number;
  /** What somebody refunded beyond everything that was collected. */
  beyond: number;
  /** A charge was begun while the cardholder disputed a payment, and staff had not started again. */
  isChargedInDispute: boolean;
  /** A charge was begun while staff had stopped collecting. */
  isChargedWhileStopped: boolean;
  /** The outcomes of disputes, by their references. */
  disputes: Record<string, string>;
  /** The kinds of what waits for staff. */
  waits: string[];
  /** For the report. */
  payments: string | null;
  isOpenPayment: boolean;
}

const entriesWhere = (condition: string, amount = 'e.amount_minor'): string =>
  `(SELECT coalesce(sum(${amount}), 0)::integer FROM payment_entries e
      WHERE e.checkout_id = a.checkout_id AND ${condition})`;

// Rows of the ledger have an order, which times of a clock that stands still have not. A charge begins with the first
// row of its payment, but for one that a restore has lost: it was begun before, and is entered when it is found.
const chargeAfter = (what: string): string => `EXISTS (SELECT FROM payment_intents i
      JOIN LATERAL (SELECT min(entry_id) AS begun FROM payment_entries WHERE payment_id = i.payment_id) charge ON true
      WHERE i.checkout_id = a.checkout_id AND i.purpose IN ('instalment', 'difference') AND ${what}
        AND NOT EXISTS (SELECT FROM adopted_effects e WHERE e.provider_reference = i.provider_reference))`;
const started = (after: string): string => `EXISTS (SELECT FROM payment_entries s
        WHERE s.checkout_id = a.checkout_id AND s.kind = 'started' AND s.entry_id BETWEEN ${after} AND charge.begun)`;
const chargedInDispute = chargeAfter(`EXISTS (SELECT FROM payment_disputes d
        JOIN payment_intents disputed ON disputed.payment_id = d.payment_id AND disputed.checkout_id = i.checkout_id
        JOIN LATERAL (SELECT min(entry_id) AS first FROM payment_entries n
          WHERE n.payment_id = d.payment_id AND n.kind = 'disputed') notice ON true
        WHERE d.outcome <> 'won' AND notice.first < charge.begun AND NOT ${started('notice.first')})`);
const chargedWhileStopped = chargeAfter(`EXISTS (SELECT FROM payment_entries t
        WHERE t.checkout_id = i.checkout_id AND t.kind = 'stopped' AND t.entry_id < charge.begun
          AND NOT ${started('t.entry_id')})`);

const text = `SELECT r.reference, r.booking_id AS "checkoutId", r.state,
    ARRAY(SELECT kind FROM payment_waits w WHERE w.checkout_id = a.checkout_id ORDER BY kind) AS waits,
    ${entriesWhere(`e.kind = 'collected_elsewhere'`)} AS "collectedElsewhere",
    ${entriesWhere(`e.kind IN ('refunded_elsewhere', 'charged_back')`)} AS "refundedElsewhere",
    ${entriesWhere(`e.kind IN ('charged_back', 'lost') AND e.details ->> 'disputeReference' IS NOT NULL`)}
      AS "takenByDisputes",
    ${entriesWhere(`e.kind = 'dispute_fee'`)} AS "feesOfDisputes",
    ${entriesWhere(
      `e.kind IN ('lost', 'recovered') AND e.refund_id IS NOT NULL`,
      `CASE e.kind WHEN 'lost' THEN e.amount_minor ELSE -e.amount_minor END`,
    )} AS beyond,
    ${entriesWhere(`e.kind IN ('reduced', 'written_off', 'uncovered', 'given_back')`)} AS forgiven,
    ${chargedInDispute} AS "isChargedInDispute",
    ${chargedWhileStopped} AS "isChargedWhileStopped",
    (SELECT coalesce(json_object_agg(d.dispute_reference, d.outcome), '{}') FROM payment_disputes d
      JOIN payment_intents i USING (payment_id) WHERE i.checkout_id = a.checkout_id) AS disputes,
    (SELECT string_agg(concat_ws(' ', i.purpose, i.due_on, i.amount_minor, i.state), ', ' ORDER BY payment_id)
      FROM payment_intents i WHERE i.checkout_id = a.checkout_id) AS payments,
    (r.charges ->> 'total')::integer AS total,
    balance.due, balance.collected, balance.open, balance.refunded, balance.owed,
    EXISTS (SELECT FROM payment_intents i LEFT JOIN payment_refunds f USING (payment_id)
      WHERE i.checkout_id = a.checkout_id AND (i.state NOT IN ('captured', 'voided', 'refused')
        OR f.state IN ('requested', 'unknown'))) AS "isOpenPayment"
  FROM payment_accounts a JOIN reservations r USING (reference)
  CROSS JOIN payment_balance(a.application_id, a.checkout_id) balance
  WHERE a.application_id = $1 ORDER BY a.opened_at, a.checkout_id`;

/** The reservations of an application, oldest first. */
export const readLaterRows = (executor: Executor, applicationId: string): Promise<LaterRow[]> =>
  sql<LaterRow>(executor, text, [applicationId]);

/** What the provider has moved for a checkout. */
function atProvider({ ledger, payments, disputes }: StandIn, checkoutId: string) {
  const isOwn = (payment: string): boolean =>
    payments.get(payment)?.metadata['checkoutId'] === checkoutId;
  const own = ledger.filter(({ paymentIntent }) => isOwn(paymentIntent));
  const sum = (kind: string): number =>
    own.filter((one) => one.kind === kind).reduce((all, { amount }) => all + amount, 0);
  return {
    captured: own.filter(({ kind }) => kind === 'captured').map(({ paymentId }) => paymentId),
    collected: sum('captured'),
    refunded: sum('refunded') - sum('refund_failed'),
    held: sum('authorized') - sum('captured') - sum('released'),
    disputes: [...disputes.values()].filter((one) => isOwn(one.payment_intent)),
  };
}

function differencesOfRow(row: LaterRow, standIn: StandIn): string[] {
  const provider = atProvider(standIn, row.checkoutId);
  const toCollect = Math.max(0, row.open + row.owed);
  // Staff may have paid back outside what somebody then refunds in the dashboard: no balance has what is beyond
  // everything that was collected, but the ledger does.
  const byCard = row.refunded - row.refundedElsewhere + row.beyond;
  const toGiveBack = row.owed + Math.max(0, -(row.open + row.owed));
  const unknown = provider.disputes.filter(
    ({ id, status }) => row.disputes[id] !== (status === 'needs_response' ? 'open' : status),
  );
  const lost = provider.disputes.filter(({ status }) => status === 'lost');
  const taken = lost.reduce((sum, { amount }) => sum + amount, 0);
  const fees = lost
    .flatMap((one) => one.balance_transactions)
    .reduce((sum, { fee }) => sum + fee, 0);
  const waits = (...kinds: string[]): boolean => kinds.some((kind) => row.waits.includes(kind));
  const rules: [wrong: boolean, what: string][] = [
    [row.due !== row.collected + row.open - row.refunded, 'does not add up'],
    [row.isOpenPayment, 'has a payment or refund without an outcome'],
    [
      new Set(provider.captured).size !== provider.captured.length,
      'has a payment that was captured twice',
    ],
    [provider.held !== 0, `has ${provider.held} held at the provider`],
    [
      provider.collected !== row.collected - row.collectedElsewhere,
      `has collected ${provider.collected} at the provider`,
    ],
    [provider.refunded !== byCard, `has refunded ${provider.refunded} at the provider`],
    [
      unknown.length > 0,
      `does not know ${unknown.map(({ id, status }) => `${id} ${status}`).join(', ')}`,
    ],
    [row.takenByDisputes !== taken, `has lost ${taken} by disputes`],
    [row.feesOfDisputes !== fees, `has paid ${fees} for disputes`],
    [row.isChargedInDispute, 'was charged while a payment was disputed'],
    [row.isChargedWhileStopped, 'was charged while staff had stopped it'],
    [row.due < 0 || row.owed < 0, 'has a balance below 0'],
    [toCollect > 0 && !waits('declined', 'stopped'), `has ${toCollect} open`],
    [toGiveBack > 0 && !waits('refund_failed', 'refund_refused'), `owes ${toGiveBack}`],
    [
      row.state === 'confirmed' && row.due !== Math.max(0, row.total - row.forgiven),
      `is due ${row.due} of ${row.total}`,
    ],
  ];
  return rules
    .filter(([wrong]) => wrong)
    .map(([, what]) => `${row.reference} is ${row.state} with ${JSON.stringify(row)} and ${what}`);
}

/** What is not as it must be at the end. */
export const differencesAtEnd = (rows: readonly LaterRow[], standIn: StandIn): string[] =>
  rows.flatMap((row) => differencesOfRow(row, standIn));

/** Two pages that can be paid at once for the same money. */
export function pagesAtOnce({ sessions }: StandIn, now: number): string[] {
  const open = [...sessions.values()].filter(
    (one) => one.status === 'open' && one.expires_at * 1_000 > now,
  );
  const checkouts = open.map(({ metadata }) => metadata['checkoutId']);
  const twice = checkouts.filter((one, at) => checkouts.indexOf(one) !== at);
  return twice.map((one) => `${one} has two payment links that can be paid`);
}
