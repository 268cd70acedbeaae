/**
 * What happens outside after a database was kept: an instalment is collected, staff refund, a checkout is paid. Then the
 * database is put back, and the same day comes again.
 */
import assert from 'node:assert/strict';
import type { Executor, Database } from '../../src/platform/postgres/database.ts';
import { eventually } from '../harness/eventually.ts';
import { Journey } from '../harness/journey.ts';
import type { Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import type { StandIn } from '../harness/stripe/stand-in.ts';
import { refundPayment, showPayments } from '../harness/acts.ts';

const withinMs = 60_000;
const actor = 'test:staff';
const reason = 'The guest has called.';

/** The later half of a reservation falls due today. */
const comeDue = (database: Executor, reference: string) =>
  sql(
    database,
    `UPDATE reservations SET charges = jsonb_set(charges::jsonb, '{schedule}', jsonb_build_array(
        jsonb_build_object('dueOn', (now() - interval '3 days')::date, 'amount', (charges->>'total')::int - 2000),
        jsonb_build_object('dueOn', (now() - interval '2 days')::date, 'amount', 2000)))::json
      WHERE reference = $1`,
    [reference],
  );

/** A price that is 20.00 higher than what was collected. */
async function owing(database: Executor, reference: string): Promise<void> {
  await sql(
    database,
    `INSERT INTO payment_entries (application_id, checkout_id, kind, debit, credit, amount_minor, currency)
      SELECT application_id, checkout_id, 'raised', 'open', 'due', 2000, currency
      FROM payment_accounts WHERE reference = $1`,
    [reference],
  );
  await sql(
    database,
    `UPDATE reservations SET charges = jsonb_set(charges::jsonb, '{total}',
        to_jsonb((charges->>'total')::int + 2000))::json WHERE reference = $1`,
    [reference],
  );
  await comeDue(database, reference);
}

/** What a day that begins does. */
const wake = (database: Executor, reference: string) =>
  sql(database, 'UPDATE payment_accounts SET due_at = now() WHERE reference = $1', [reference]);

/** Where it happens. The database is another one after it was put back. */
export interface LosingSite {
  readonly database: Database;
  readonly standIn: StandIn;
}

/** The effects, and what must be true of them after the database was put back. */
export class LostEffects {
  readonly #site: LosingSite;
  readonly #card: Partner;
  instalment = '';
  refunded = '';
  #ready: Journey | null = null;
  #lostReference = '';
  #outside: string[] = [];

  constructor(site: LosingSite, card: Partner) {
    this.#site = site;
    this.#card = card;
  }

  show = (reference: string) => showPayments(this.#site.database, reference);

  /** What the provider has done, in order. */
  movements = (): string[] =>
    this.#site.standIn.ledger.map(
      ({ kind, amount, paymentIntent }) => `${kind} ${amount} ${paymentIntent}`,
    );

  async #readyCheckout(): Promise<Journey> {
    const journey = new Journey(this.#card, await this.#card.checkout());
    await journey.done('saveGuest');
    await journey.done('setupPayment');
    await eventually(async () => (await journey.read()).paymentSetup?.state === 'ready', withinMs);
    const { paymentSetup } = await journey.read();
    const secret = paymentSetup?.clientSecret ?? '';
    const paymentMethodId = this.#site.standIn.guest.confirmSetup(secret, 'pm_card_visa');
    await journey.done('verifyPayment', { body: { paymentMethodId } });
    return journey;
  }

  /** What the kept database has: two reservations, and a checkout that is ready. */
  async begin(): Promise<void> {
    this.instalment = await confirmedReference(await submittedByCard(this.#site, this.#card));
    this.refunded = await confirmedReference(await submittedByCard(this.#site, this.#card));
    this.#ready = await this.#readyCheckout();
  }

  /** What it does not have. */
  async happen(): Promise<void> {
    const { database } = this.#site;
    await owing(database, this.instalment);
    await wake(database, this.instalment);
    await eventually(async () => (await this.show(this.instalment)).open === 0, withinMs);
    await refundPayment(database, actor, { reference: this.refunded, amount: 500, reason });
    await eventually(async () => (await this.show(this.refunded)).refunded === 500, withinMs);
    await this.#ready!.send('submit');
    this.#lostReference = await confirmedReference(this.#ready!);
    this.#outside = this.movements();
  }

  /** The day comes again, and the partner submits again: nothing is charged or refunded a second time. */
  async checkPutBack(why: string): Promise<void> {
    const { database } = this.#site;
    await owing(database, this.instalment);
    await wake(database, this.instalment);
    await eventually(async () => {
      const [row] = await sql(database, 'SELECT may_move_money() AS may');
      return row!['may'] === true;
    }, withinMs);
    const newest = 'SELECT reason FROM epochs ORDER BY epoch DESC LIMIT 1';
    assert.deepEqual(await sql(database, newest), [{ reason: why }]);

    const again = await this.show(this.instalment);
    assert.deepEqual([again.open, again.attention], [0, 'adopted']);
    const back = await this.show(this.refunded);
    assert.deepEqual([back.refunded, back.attention], [500, 'adopted']);

    const ready = this.#ready!;
    assert.equal((await ready.read()).state, 'ready');
    await ready.done('submit');
    const reference = await confirmedReference(ready);
    assert.notEqual(reference, this.#lostReference);
    assert.equal((await this.show(reference)).open, 0);
    // Whatever became due meanwhile is settled.
    for (const held of [this.instalment, this.refunded]) await wake(database, held);
    await eventually(async () => {
      const [row] = await sql(
        database,
        'SELECT count(*)::integer AS due FROM payment_accounts WHERE due_at <= now() AND held_since IS NULL',
      );
      return row!['due'] === 0;
    }, withinMs);
    assert.deepEqual(this.movements(), this.#outside);
  }
}
