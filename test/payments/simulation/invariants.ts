/** What must hold after each run, from three sides: what the guests saw, our tables, the provider's ledger. */
import type { Executor } from '../../../src/platform/postgres/database.ts';
import { sql } from '../../harness/rows.ts';
import type { StandIn } from '../../harness/stripe/stand-in.ts';
import type { Seen } from './guest.ts';

interface Sides {
  checkoutIds: readonly string[];
  standIn: StandIn;
  seen: ReadonlyMap<string, Seen>;
  /** The outcomes that staff have seen. */
  seenByStaff: ReadonlyMap<string, string>;
}

interface Row {
  checkoutId: string;
  state: string;
  version: number;
  reference: string | null;
  dueNow: number;
  isSubmitted: boolean;
  nights: string | null;
  reservations: number;
  resolved: number;
  confirmed: number;
  authorized: number;
  collected: number;
  refunded: number;
  due: number;
  open: number;
  total: number;
  isOpenIntent: boolean;
  isOpenReturn: boolean;
  isDeclined: boolean;
  /** By the audit trail: the answer may have been lost. */
  isByStaff: boolean;
}

const text = `SELECT b.booking_id AS "checkoutId", b.state, b.version, b.reference,
    (q.charges ->> 'dueNow')::integer AS "dueNow", (q.charges ->> 'total')::integer AS total,
    b.submitted_at IS NOT NULL AS "isSubmitted", o.kind AS nights,
    (SELECT count(*) FROM reservations r WHERE r.booking_id = b.booking_id) AS reservations,
    (SELECT count(*) FROM events e WHERE e.application_id = b.application_id
      AND e.type = 'checkout.resolved' AND e.data ->> 'checkoutId' = b.booking_id::text) AS resolved,
    (SELECT count(*) FROM events e WHERE e.application_id = b.application_id
      AND e.type = 'reservation.confirmed' AND e.data ->> 'checkoutId' = b.booking_id::text) AS confirmed,
    (SELECT coalesce(sum(CASE WHEN debit = 'authorized' THEN amount_minor ELSE -amount_minor END), 0)
      FROM payment_entries e WHERE e.checkout_id = b.booking_id
        AND 'authorized' IN (debit, credit))::integer AS authorized,
    EXISTS (SELECT FROM payment_intents i WHERE i.checkout_id = b.booking_id
      AND i.state NOT IN ('captured', 'voided', 'refused')) AS "isOpenIntent",
    EXISTS (SELECT FROM payment_intents i JOIN payment_returns r USING (payment_id)
      WHERE i.checkout_id = b.booking_id AND (r.due_at IS NOT NULL OR r.attention IS NOT NULL)) AS "isOpenReturn",
    EXISTS (SELECT FROM payment_intents i WHERE i.checkout_id = b.booking_id AND i.state = 'refused') AS "isDeclined",
    EXISTS (SELECT FROM audit_entries e WHERE e.action = 'checkout.resolve'
      AND e.details ->> 'checkoutId' = b.booking_id::text) AS "isByStaff",
    balance.due, balance.collected, balance.open, balance.refunded
  FROM bookings b JOIN quotes q ON q.quote_id = b.quote_id
  LEFT JOIN occupancies o ON o.occupancy_id = b.attempt_id
  CROSS JOIN payment_balance(b.application_id, b.booking_id) balance
  WHERE b.booking_id = ANY ($1::uuid[]) ORDER BY b.created_at`;

const failedText = `SELECT booking_id AS "checkoutId" FROM bookings
  WHERE booking_id = ANY ($1::uuid[]) AND state IN ('failed', 'expired')`;

/**
 * Safe to book again: once a checkout has failed and nothing is in progress, nothing is authorized or captured for it,
 * except what the provider was asked for before and does late, and what the guest authenticates late: that goes back.
 */
export async function movedAfterFailure(
  executor: Executor,
  sides: Pick<Sides, 'checkoutIds' | 'standIn'> & {
    movedByFailure: Map<string, number>;
    /** The payments that guests have authenticated. */
    authenticated: ReadonlySet<string>;
  },
): Promise<string[]> {
  const { checkoutIds, standIn, movedByFailure, authenticated } = sides;
  const failed = await sql<{ checkoutId: string }>(executor, failedText, [checkoutIds]);
  return failed.flatMap(({ checkoutId }) => {
    const isLate = standIn.calls.some(
      ({ fault, request }) => fault === 'late' && request.key?.includes(checkoutId),
    );
    const moved = standIn.ledger.filter(
      ({ kind, paymentIntent }) =>
        (kind === 'captured' || (kind === 'authorized' && !authenticated.has(paymentIntent))) &&
        standIn.payments.get(paymentIntent)?.metadata['checkoutId'] === checkoutId,
    ).length;
    const before = movedByFailure.get(checkoutId) ?? moved;
    movedByFailure.set(checkoutId, moved);
    return moved > before && !isLate ? [`${checkoutId} was paid after it had failed`] : [];
  });
}

/** What the provider holds and has kept of the payments with these IDs. */
function atProvider({ ledger }: StandIn, paymentIds: ReadonlySet<string>) {
  const sums = { authorized: 0, captured: 0, released: 0, refunded: 0, refund_failed: 0 };
  let authorizations = 0;
  for (const { kind, paymentId, amount } of ledger) {
    if (paymentId === null || !paymentIds.has(paymentId)) continue;
    sums[kind] += amount;
    if (kind === 'authorized') authorizations += 1;
  }
  return {
    authorizations,
    held: sums.authorized - sums.captured - sums.released,
    kept: sums.captured - sums.refunded + sums.refund_failed,
  };
}

const finals = new Set(['confirmed', 'failed', 'expired']);

function differencesOfRow(row: Row, provider: ReturnType<typeof atProvider>): string[] {
  const isConfirmed = row.state === 'confirmed';
  const isFinal = finals.has(row.state);
  // What staff have confirmed without its money is collected later, or waits for them.
  const isUnpaid = row.isByStaff && row.isDeclined && provider.kept === 0;
  const kept = isConfirmed && !isUnpaid ? row.dueNow : 0;
  const rules: [wrong: boolean, what: string][] = [
    [row.isSubmitted && !isFinal, 'was submitted and has no outcome'],
    [row.isOpenIntent, 'has a payment without an outcome'],
    [row.isOpenReturn, 'has a payment that is still to go back'],
    [row.reservations !== (isConfirmed ? 1 : 0), `has ${row.reservations} reservations`],
    [row.nights !== (isConfirmed ? 'confirmed' : null), `has nights that are ${row.nights}`],
    [row.resolved !== (row.isSubmitted && isFinal ? 1 : 0), `has ${row.resolved} resolved events`],
    [row.confirmed !== (isConfirmed ? 1 : 0), `has ${row.confirmed} confirmed events`],
    [
      provider.authorizations > (row.isByStaff && isConfirmed ? 2 : 1),
      `was charged ${provider.authorizations} times`,
    ],
    [provider.held !== 0, `has ${provider.held} held at the provider`],
    [provider.kept !== kept, `has ${provider.kept} of ${kept} at the provider`],
    [row.authorized !== 0, `has ${row.authorized} held in the ledger`],
    [row.collected - row.refunded !== kept, `has ${row.collected - row.refunded} in the ledger`],
    [row.due !== (isConfirmed ? row.total : 0), `owes ${row.due} in the ledger`],
    [row.due !== row.collected + row.open - row.refunded, 'has a ledger that does not add up'],
  ];
  return rules
    .filter(([wrong]) => wrong)
    .map(([, what]) => `${row.checkoutId} is ${row.state} and ${what}`);
}

function differencesOfSeen(row: Row, seen: Seen | undefined): string[] {
  if (!seen) return [];
  const isTrue = finals.has(seen.state)
    ? seen.state === row.state && seen.reference === row.reference
    : seen.version <= row.version;
  return isTrue ? [] : [`${row.checkoutId} was ${seen.state}, and is ${row.state}`];
}

/** Every difference between what is and what must be. */
export async function differencesOf(
  executor: Executor,
  { checkoutIds, standIn, seen, seenByStaff }: Sides,
): Promise<string[]> {
  const rows = await sql<Row>(executor, text, [checkoutIds]);
  const intents = await sql<{ paymentId: string; checkoutId: string }>(
    executor,
    `SELECT payment_id AS "paymentId", checkout_id AS "checkoutId" FROM payment_intents
      WHERE checkout_id = ANY ($1::uuid[])`,
    [checkoutIds],
  );
  const known = new Set(intents.map(({ paymentId }) => paymentId));
  const strange = standIn.ledger.filter(({ paymentId }) => !known.has(paymentId ?? ''));
  return [
    ...strange.map(({ paymentIntent }) => `${paymentIntent} is not known to us`),
    ...rows.flatMap((row) => {
      const own = intents.filter(({ checkoutId }) => checkoutId === row.checkoutId);
      const ids = new Set(own.map(({ paymentId }) => paymentId));
      return [
        ...differencesOfRow(row, atProvider(standIn, ids)),
        ...differencesOfSeen(row, seen.get(row.checkoutId)),
        ...((seenByStaff.get(row.checkoutId) ?? row.state) === row.state
          ? []
          : [`${row.checkoutId} is ${row.state}, and staff saw something else`]),
      ];
    }),
  ];
}
