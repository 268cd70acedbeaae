/** Card payments in a fault run: a stand-in of the provider outside the service, and what must hold of the money. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { sql } from '../harness/rows.ts';
import type { CardName } from '../harness/stripe/cards.ts';
import { serveStandIn } from '../harness/stripe/server.ts';
import { keysFor } from '../harness/stripe/service.ts';
import { StandIn } from '../harness/stripe/stand-in.ts';
import type { Chance } from '../harness/chance.ts';

const cards: readonly CardName[] = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_chargeCustomerFail',
];

/** The provider of a fault run. */
export interface CardPayments extends AsyncDisposable {
  standIn: StandIn;
  /** The settings of the service. */
  env: Record<string, string>;
  /** The guest enters a card in the fields of a setup. Returns the payment method. */
  enterCard(clientSecret: string, chance: Chance): string;
}

/** Serves a stand-in in this process, which nobody kills. */
export async function openCardPayments(): Promise<CardPayments> {
  const standIn = new StandIn();
  const server = await serveStandIn(standIn);
  return {
    standIn,
    env: keysFor(server.url),
    enterCard: (clientSecret, chance) =>
      standIn.guest.confirmSetup(clientSecret, chance.pick(cards))!,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

// What waits for a time is due now, as if the time had passed. The service keeps running.
const letTimePass = `WITH late AS (
    UPDATE bookings SET due_at = now()
    WHERE application_id = ANY ($1) AND state = 'uncertain' AND due_at > now()
  ), aged AS (
    UPDATE payment_intents i SET asked_at = asked_at - interval '5 minutes',
      missing_at = missing_at - interval '5 minutes'
    WHERE payment_id IN (SELECT payment_id FROM payment_intents WHERE application_id = ANY ($1)
      AND state NOT IN ('captured', 'voided', 'refused') FOR UPDATE SKIP LOCKED)
    RETURNING payment_id
  ), returned AS (
    -- Of a checkout that staff have resolved as failed.
    UPDATE payment_returns SET due_at = now() WHERE payment_id IN (SELECT payment_id FROM payment_returns
      JOIN aged USING (payment_id) WHERE due_at > now() FOR UPDATE OF payment_returns SKIP LOCKED)
  )
  , checked AS (
    UPDATE payment_refunds SET check_at = now() WHERE check_at > now() AND checks < 1
  )
  UPDATE payment_accounts SET due_at = now() WHERE application_id = ANY ($1) AND due_at > now()`;

const isUnderWay = `SELECT
    EXISTS (SELECT FROM bookings WHERE application_id = ANY ($1) AND state = 'uncertain')
    OR EXISTS (SELECT FROM payment_accounts WHERE application_id = ANY ($1) AND due_at IS NOT NULL)
    OR EXISTS (SELECT FROM payment_intents i LEFT JOIN payment_returns r USING (payment_id)
      WHERE i.application_id = ANY ($1) AND (i.state NOT IN ('captured', 'voided', 'refused')
        OR i.state = 'captured' AND r.due_at IS NOT NULL)) AS "isUnderWay"`;

const pauseMs = 500;
const moneyWithinMs = 90_000;

/** Lets time pass until the work is over, and the service has finished what it has begun with the money. */
export async function awaitMoney(
  database: Executor,
  applicationIds: readonly string[],
  work: Promise<void>,
): Promise<void> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  work.then(over, over);
  for (const end = performance.now() + moneyWithinMs; performance.now() < end;) {
    await sql(database, letTimePass, [applicationIds]);
    await sleep(pauseMs);
    const [row] = await sql<{ isUnderWay: boolean }>(database, isUnderWay, [applicationIds]);
    if (isOver && !row!.isUnderWay) return;
  }
}

/** The money of a checkout, by our tables. Amounts in minor units. */
export interface MoneyFact {
  checkoutId: string;
  settlement: string;
  state: string;
  due: number;
  collected: number;
  open: number;
  refunded: number;
  /** What came in and went back outside, and what went back beyond everything that was collected. */
  collectedElsewhere: number;
  refundedElsewhere: number;
  beyond: number;
  /** What staff and others have taken off the price. */
  given: number;
  /** How much waits for staff. */
  waits: number;
  /** The states of its payments. */
  payments: readonly string[];
  /** The state of the reservation; null: there is none. */
  reservation: string | null;
}

const sumOf = (amount: string, condition: string): string =>
  `(SELECT coalesce(sum(${amount}), 0)::integer FROM payment_entries e WHERE e.checkout_id = b.booking_id
      AND e.application_id = b.application_id AND ${condition})`;

const moneyText = `SELECT b.booking_id AS "checkoutId", b.settlement, b.state, r.state AS reservation,
    balance.due, balance.collected, balance.open, balance.refunded,
    ${sumOf('e.amount_minor', `e.kind = 'collected_elsewhere'`)} AS "collectedElsewhere",
    ${sumOf('e.amount_minor', `e.kind IN ('refunded_elsewhere', 'charged_back')`)} AS "refundedElsewhere",
    ${sumOf(`CASE e.kind WHEN 'lost' THEN e.amount_minor ELSE -e.amount_minor END`, `e.kind IN ('lost', 'recovered') AND e.refund_id IS NOT NULL`)} AS beyond,
    ${sumOf('e.amount_minor', `(e.details ->> 'by' = 'staff' OR e.kind = 'uncovered')`)} AS given,
    (SELECT count(*)::integer FROM payment_waits w WHERE w.checkout_id = b.booking_id
      AND w.application_id = b.application_id) AS waits,
    (SELECT coalesce(json_agg(i.state), '[]') FROM payment_intents i
      WHERE i.checkout_id = b.booking_id AND i.application_id = b.application_id) AS payments
  FROM bookings b LEFT JOIN reservations r ON r.reference = b.reference
  CROSS JOIN payment_balance(b.application_id, b.booking_id) balance
  WHERE b.application_id = ANY ($1)`;

/** Reads the money of these applications. */
export const readMoney = (
  database: Executor,
  applicationIds: readonly string[],
): Promise<MoneyFact[]> => sql<MoneyFact>(database, moneyText, [applicationIds]);

/** A movement of money at the provider. */
export type Movement = Pick<
  StandIn['ledger'][number],
  'kind' | 'paymentIntent' | 'paymentId' | 'amount'
> & { checkoutId: string | undefined };

/** The provider's ledger, by checkout. */
export const movementsOf = ({ ledger, payments }: StandIn): Movement[] =>
  ledger.map((one) => ({
    ...one,
    checkoutId: payments.get(one.paymentIntent)?.metadata['checkoutId'],
  }));

/** What the provider holds and has moved for a checkout. */
function atProvider(own: readonly Movement[]) {
  const sum = (kind: Movement['kind']): number =>
    own.filter((one) => one.kind === kind).reduce((total, { amount }) => total + amount, 0);
  const charged = own.filter(({ kind }) => kind === 'authorized');
  return {
    held: sum('authorized') - sum('captured') - sum('released'),
    captured: sum('captured'),
    refunded: sum('refunded') - sum('refund_failed'),
    isChargedTwice: new Set(charged.map(({ paymentId }) => paymentId)).size < charged.length,
  };
}

const ends: ReadonlySet<string> = new Set(['captured', 'voided', 'refused']);

/** What moved by card, by our tables. */
const cardMoneyOf = ({
  collected,
  refunded,
  collectedElsewhere,
  refundedElsewhere,
  beyond,
}: MoneyFact) => ({
  collected: collected - collectedElsewhere,
  refunded: refunded - refundedElsewhere + beyond,
});

function problemsOf(fact: MoneyFact, own: readonly Movement[]): string[] {
  const { state, settlement, due, collected, open, refunded, payments, reservation } = fact;
  const there = atProvider(own);
  const byCard = cardMoneyOf(fact);
  const isPaid = settlement === 'card' && state === 'confirmed';
  const rules: [wrong: boolean, what: string][] = [
    [settlement === 'partner' && payments.length > 0, 'is partner-settled and has payments'],
    [payments.some((one) => !ends.has(one)), 'has a payment without an outcome'],
    [there.isChargedTwice, 'was charged twice for one payment'],
    [there.held !== 0, `has ${there.held} held at the provider`],
    [
      there.captured !== byCard.collected,
      `has ${there.captured} of ${byCard.collected} collected there`,
    ],
    [
      there.refunded !== byCard.refunded,
      `has ${there.refunded} of ${byCard.refunded} refunded there`,
    ],
    [due !== collected + open - refunded, 'has a ledger that does not add up'],
    [open !== 0 && fact.waits === 0, `has ${open} open, and staff are not told`],
    [!isPaid && collected !== refunded, 'is not booked, and money is kept'],
    [
      isPaid && reservation === 'confirmed' && due === 0 && fact.given === 0,
      'is booked and owes nothing',
    ],
  ];
  const name = `${fact.checkoutId} (${state})`;
  return rules.filter(([wrong]) => wrong).map(([, what]) => `money of ${name}: ${what}`);
}

/**
 * What is wrong after the database was put back. What adoption leaves open waits for staff. What the provider has for a
 * checkout that is lost, or that is not submitted any more, waits until its partner submits it again.
 */
export const moneyAgain = (
  facts: readonly MoneyFact[],
  movements: readonly Movement[],
): string[] => {
  const byCheckout = Map.groupBy(movements, ({ checkoutId }) => checkoutId);
  return facts.flatMap((fact) => {
    const { checkoutId, state, reservation } = fact;
    const { collected, refunded } = cardMoneyOf(fact);
    const there = atProvider(byCheckout.get(checkoutId) ?? []);
    const isBooked = reservation !== null;
    const rules: [wrong: boolean, what: string][] = [
      [there.isChargedTwice, 'was charged twice for one payment'],
      [
        isBooked && there.captured !== collected,
        `has ${there.captured} of ${collected} collected there`,
      ],
      [
        isBooked && there.refunded !== refunded,
        `has ${there.refunded} of ${refunded} refunded there`,
      ],
      [state === 'failed' && there.captured !== there.refunded, 'failed, and money is kept'],
    ];
    return rules
      .filter(([wrong]) => wrong)
      .map(([, what]) => `money of ${checkoutId} (${state}), put back: ${what}`);
  });
};

/** Every difference between our tables, the provider's ledger, and what must hold of both. */
export function problemsOfMoney(
  facts: readonly MoneyFact[],
  movements: readonly Movement[],
): string[] {
  const byCheckout = Map.groupBy(movements, ({ checkoutId }) => checkoutId);
  return facts.flatMap((fact) => problemsOf(fact, byCheckout.get(fact.checkoutId) ?? []));
}
