/** A restore under a card provider that remembers: nothing is charged or refunded a second time. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { refundPayment, startPayment, showPayments } from '../../src/payments/index.ts';
import { eventually } from '../harness/eventually.ts';
import { Journey } from '../harness/journey.ts';
import type { Partner } from '../harness/partner.ts';
import { type Backups, backupsOf } from '../harness/restored-database.ts';
import { sql } from '../harness/rows.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { post, signed } from '../harness/stripe/events.ts';
import { type PaidService, startPaidService, webhookSecret } from '../harness/stripe/service.ts';

const actor = 'test:staff';
const reason = 'The guest has called.';
const withinMs = 20_000;

describe('a restore as the guide describes it', () => {
  let service: PaidService;
  let card: Partner;
  let backups: Backups;
  let instalment: string;
  let refunded: string;
  let ready: Journey;
  let lostReference: string;
  let outside: string[];

  const show = (reference: string) => showPayments(service.database, reference);

  /** The later half of a reservation falls due today. */
  async function comeDue(reference: string): Promise<void> {
    await sql(
      service.database,
      `UPDATE reservations SET charges = jsonb_set(charges::jsonb, '{schedule}', jsonb_build_array(
          jsonb_build_object('dueOn', (now() - interval '3 days')::date, 'amount', (charges->>'total')::int - 2000),
          jsonb_build_object('dueOn', (now() - interval '2 days')::date, 'amount', 2000)))::json
        WHERE reference = $1`,
      [reference],
    );
  }
  /** What a day that begins does. */
  const wake = (reference: string) =>
    sql(service.database, 'UPDATE payment_accounts SET due_at = now() WHERE reference = $1', [
      reference,
    ]);

  /** A price that is 20.00 higher than what was collected. */
  async function owing(reference: string): Promise<void> {
    await sql(
      service.database,
      `INSERT INTO payment_entries (application_id, checkout_id, kind, debit, credit, amount_minor, currency)
        SELECT application_id, checkout_id, 'raised', 'open', 'due', 2000, currency
        FROM payment_accounts WHERE reference = $1`,
      [reference],
    );
    await sql(
      service.database,
      `UPDATE reservations SET charges = jsonb_set(charges::jsonb, '{total}',
          to_jsonb((charges->>'total')::int + 2000))::json WHERE reference = $1`,
      [reference],
    );
    await comeDue(reference);
  }

  async function readyCheckout(): Promise<Journey> {
    const journey = new Journey(card, await card.checkout());
    await journey.done('saveGuest');
    await journey.done('setupPayment');
    await eventually(async () => (await journey.read()).paymentSetup?.state === 'ready', withinMs);
    const { paymentSetup } = await journey.read();
    const secret = paymentSetup?.clientSecret ?? '';
    const paymentMethodId = service.standIn.guest.confirmSetup(secret, 'pm_card_visa');
    await journey.done('verifyPayment', { body: { paymentMethodId } });
    return journey;
  }

  const movements = () =>
    service.standIn.ledger.map(
      ({ kind, amount, paymentIntent }) => `${kind} ${amount} ${paymentIntent}`,
    );

  before(async () => {
    service = await startPaidService();
    card = await service.partner({ settlement: 'card' });
    backups = await backupsOf(service.database);
    instalment = await confirmedReference(await submittedByCard(service, card));
    refunded = await confirmedReference(await submittedByCard(service, card));
    ready = await readyCheckout();

    await service.restart(async () => {
      // Ten minutes before the restore.
      await sql(
        service.database,
        `UPDATE installation SET alive_at = now() - interval '10 minutes'`,
      );
      await backups.make();
    });

    // What the backup does not have.
    await owing(instalment);
    await wake(instalment);
    await eventually(async () => (await show(instalment)).open === 0, withinMs);
    await refundPayment(service.database, actor, { reference: refunded, amount: 500, reason });
    await eventually(async () => (await show(refunded)).refunded === 500, withinMs);
    await ready.send('submit');
    lostReference = await confirmedReference(ready);
    outside = movements();
  });
  after(async () => {
    await service.stop();
    await backups.clear();
  });

  // Spec: RESTORE-2.
  it('charges and refunds nothing again, and books what it had lost', async () => {
    await service.restart(() => backups.restore());
    // The same day comes again, in a database that knows nothing of it.
    await owing(instalment);
    await wake(instalment);
    await eventually(async () => {
      const [row] = await sql(service.database, 'SELECT may_move_money() AS may');
      return row!['may'] === true;
    }, withinMs);
    const [epoch] = await sql(
      service.database,
      'SELECT reason FROM epochs ORDER BY epoch DESC LIMIT 1',
    );
    assert.deepEqual(epoch, { reason: 'gap' });

    const again = await show(instalment);
    assert.equal(again.open, 0);
    assert.equal(again.attention, 'adopted');
    const back = await show(refunded);
    assert.equal(back.refunded, 500);
    assert.equal(back.attention, 'adopted');

    // The partner submits again, as the guide says.
    assert.equal((await ready.read()).state, 'ready');
    await ready.done('submit');
    const reference = await confirmedReference(ready);
    assert.notEqual(reference, lostReference);
    assert.equal((await show(reference)).open, 0);
    // Whatever became due meanwhile is settled.
    for (const held of [instalment, refunded]) await wake(held);
    await eventually(async () => {
      const [row] = await sql(
        service.database,
        'SELECT count(*)::integer AS due FROM payment_accounts WHERE due_at <= now() AND held_since IS NULL',
      );
      return row!['due'] === 0;
    }, withinMs);
    assert.deepEqual(movements(), outside);
  });

  // Spec: RESTORE-3.
  it('leaves to staff what is open of such a reservation, until they start it again', async () => {
    const [{ open }] = [await show(refunded)];
    assert.equal(open, 500, 'what was given back is due again, for all that our rows know');
    await startPayment(service.database, actor, { reference: refunded, reason });
    await eventually(async () => {
      const { open: now, attention } = await show(refunded);
      return now === 0 && attention === null;
    }, withinMs);
  });
});

describe('a copy that calls nothing outside', () => {
  let service: PaidService;
  let card: Partner;
  let reference: string;

  before(async () => {
    service = await startPaidService();
    card = await service.partner({ settlement: 'card' });
    reference = await confirmedReference(await submittedByCard(service, card));
    await service.restart(async () => undefined, { LATCHKEY_OUTSIDE: 'off' });
  });
  after(() => service.stop());

  // Spec: RESTORE-4.
  it('serves partners, sells nothing by card, and asks the provider nothing', async () => {
    const calls = service.standIn.calls.length;
    const partner = await service.partner();
    const open = await partner.submittedCheckout();
    await partner.statusOnce(open, ['confirmed']);
    const quote = await card.quote();
    const body = { checkoutId: randomUUID(), quoteId: quote.quoteId };
    const refused = await card.refused('reservation.checkout.create', { body });
    assert.deepEqual([refused.status, refused.code], [503, 'not_configured']);
    assert.equal(service.standIn.calls.length, calls);
  });

  it('refuses acts of staff that move money', async () => {
    await assert.rejects(
      refundPayment(service.database, actor, { reference, amount: 100, reason }),
      /outside_off/,
    );
  });

  it("leaves the provider's events to the original", async () => {
    const event = service.standIn.events.at(-1)!;
    const { status } = await post(service.origin, signed(event, webhookSecret));
    assert.equal(status, 503);
  });

  it('lets submitted card bookings and webhooks wait, and begins an epoch when it may call again', async () => {
    const waiting = `UPDATE bookings SET due_at = now() - interval '1 minute'
      WHERE settlement = 'card' AND state = 'confirmed' RETURNING fence`;
    const [before_] = await sql(service.database, waiting);
    assert.ok(before_);
    const partner = await service.partner();
    await partner.statusOnce(await partner.submittedCheckout(), ['confirmed']);
    const fence = `SELECT fence FROM bookings WHERE settlement = 'card' AND due_at IS NOT NULL`;
    assert.deepEqual(await sql(service.database, fence), [before_], 'no worker has claimed it');

    await service.restart(async () => undefined);
    const epoch = 'SELECT reason FROM epochs ORDER BY epoch DESC LIMIT 1';
    assert.deepEqual(await sql(service.database, epoch), [{ reason: 'outside_off' }]);
  });
});
