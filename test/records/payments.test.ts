/** Collections, refunds, declines and disputes are posted to the operator's own system, in a sequence of their own. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import {
  forgetPaymentRecords,
  numberPaymentRecords,
} from '../../src/payments/store/payment-records.ts';
import { eventually } from '../harness/eventually.ts';
import { assertGuideShows } from '../harness/guide-blocks.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import { Receiver, respond, type Arrival } from '../harness/receiver.ts';
import { recordsEnv, recordsSecret } from '../harness/records.ts';
import { sql } from '../harness/rows.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { postAll } from '../harness/stripe/events.ts';
import { type PaidService, startPaidService, webhookSecret } from '../harness/stripe/service.ts';
import { openCollectedMoney } from '../payments/collected-money.ts';
import { Webhook } from 'standardwebhooks';

interface PostedPayment {
  format: string;
  environment: string;
  epoch: number;
  sequence: number;
  reference: string | null;
  kind: string;
  amount: number;
  currency: string;
  happenedAt: string;
}

const reason = 'The guest has called.';
const withinMs = 20_000;

const readVerified = ({ body, headers }: Arrival): PostedPayment =>
  new Webhook(recordsSecret).verify(body, headers as Record<string, string>) as PostedPayment;

suite('records of payments', () => {
  let receiver: Receiver;
  let service: PaidService;
  let operator: Operator;

  before(async () => {
    receiver = await Receiver.start();
    service = await startPaidService(recordsEnv(receiver));
    operator = await operatorOf(service);
  });
  after(async () => {
    await service.stop();
    await receiver.close();
  });

  const arrivals = () =>
    receiver.arrivals.filter(({ body }) => body.includes('"latchkey-payment/1"'));
  const posted = () => arrivals().map(readVerified);
  const about = (reference: string) => posted().filter((one) => one.reference === reference);
  const kindsAbout = (reference: string) =>
    about(reference)
      .toSorted((a, b) => a.sequence - b.sequence)
      .map(({ kind, amount }) => [kind, amount]);

  async function reserve() {
    const card = await service.partner({ settlement: 'card' });
    const reference = await confirmedReference(await submittedByCard(service, card));
    await eventually(async () => about(reference).length === 1, withinMs);
    const { paymentIntent } = service.standIn.ledger.findLast(({ kind }) => kind === 'captured')!;
    return { reference, paymentIntent, params: { reference } };
  }

  // Spec: MONEY-20.
  test('a collection and a refund, signed, with the reservation', async () => {
    const { reference, params } = await reserve();
    const { collected, currency } = await operator.done('operator.payment.get', { params });
    const [record] = about(reference);
    const { epoch, sequence, happenedAt, ...rest } = record!;
    assertGuideShows(record!);
    assert.deepEqual(rest, {
      format: 'latchkey-payment/1',
      environment: 'test',
      reference,
      kind: 'collected',
      amount: collected,
      currency,
    });
    assert.ok(Number.isInteger(epoch) && sequence >= 1);
    assert.ok(Math.abs(Date.parse(happenedAt) - Date.now()) < 60_000);
    await operator.done('operator.payment.refund', { params, body: { amount: 500, reason } });
    await eventually(async () => about(reference).length === 2, withinMs);
    assert.deepEqual(kindsAbout(reference), [
      ['collected', collected],
      ['refunded', 500],
    ]);
  });

  test('what staff record, on the day on which it happened', async () => {
    const { reference, params } = await reserve();
    await operator.done('operator.payment.record', {
      params,
      body: {
        kind: 'charged_back',
        amount: 700,
        method: 'bank',
        happenedOn: '2026-01-31',
        reason,
      },
    });
    await eventually(async () => about(reference).length === 2, withinMs);
    const record = about(reference).find(({ kind }) => kind === 'charged_back');
    assert.deepEqual([record?.amount, record?.happenedAt], [700, '2026-01-31T00:00:00.000Z']);
  });

  test('a dispute once, whatever its events, and its loss', async () => {
    const { reference, paymentIntent } = await reserve();
    const dispute = service.standIn.dispute(paymentIntent);
    await postAll(service.origin, service.standIn.events.slice(-1), webhookSecret);
    service.standIn.endDispute(dispute, 'lost');
    await postAll(service.origin, service.standIn.events.slice(-2), webhookSecret);
    await eventually(async () => about(reference).length === 3, withinMs);
    const [[, collected] = []] = kindsAbout(reference);
    assert.deepEqual(kindsAbout(reference), [
      ['collected', collected],
      ['disputed', collected],
      ['charged_back', collected],
    ]);
  });

  test('the sequence has no gap, and each place one record', () => {
    const sequences = posted().map(({ sequence }) => sequence);
    const places = [...new Set(sequences)].toSorted((a, b) => a - b);
    assert.deepEqual(
      places,
      places.map((_, at) => at + 1),
    );
    assert.equal(new Set(posted().map(({ epoch }) => epoch)).size, 1);
    assert.equal(
      new Set(arrivals().map(({ headers }) => headers['webhook-id'])).size,
      places.length,
    );
  });

  test('what is not accepted is sent again, the same under the same webhook-id', async () => {
    receiver.reply = respond(500);
    receiver.arrivals.length = 0;
    const card = await service.partner({ settlement: 'card' });
    const reference = await confirmedReference(await submittedByCard(service, card));
    await eventually(async () => about(reference).length === 1, withinMs);
    const failed = () =>
      sql<{ problem: string; attempts: number }>(
        service.database,
        'SELECT problem, attempts FROM payment_records WHERE due_at IS NOT NULL AND problem IS NOT NULL',
      );
    await eventually(async () => (await failed()).length === 1, withinMs);
    assert.deepEqual(await failed(), [{ problem: 'status 500', attempts: 1 }]);
    receiver.reply = respond(204);
    await sql(
      service.database,
      'UPDATE payment_records SET due_at = now() WHERE due_at IS NOT NULL',
    );
    await eventually(async () => about(reference).length === 2, withinMs);
    const [first, second] = arrivals().filter(({ body }) => body.includes(reference));
    assert.equal(first!.body, second!.body);
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id']);
    await eventually(async () => (await failed()).length === 0, withinMs);
  });

  test('after a restore, an effect that is told again has its webhook-id, and a place in the new epoch', async () => {
    const { reference } = await reserve();
    await sql(
      service.database,
      `INSERT INTO epochs (epoch, reason, explanation, system_identifier, timeline, listed_since, adopted_at)
        SELECT coalesce(max(epoch), 0) + 10, 'declared', 'A test', '1', '1', now(), now() FROM epochs`,
    );
    // The restored database has found the payment at the provider, and enters it again.
    await sql(
      service.database,
      `UPDATE payment_records p SET epoch = NULL, sequence = NULL, due_at = now() FROM payment_accounts a
        WHERE a.reference = $1 AND a.checkout_id = p.checkout_id`,
      [reference],
    );
    await eventually(async () => about(reference).length === 2, withinMs);
    const [first, second] = arrivals().filter(({ body }) => body.includes(reference));
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id']);
    const [earlier, again] = about(reference);
    assert.ok(again!.epoch > earlier!.epoch);
    assert.equal(again!.sequence, 1);
  });
});

suite('a record of a decline', () => {
  test('of an instalment, each time; not of the guest who tries a card', async () => {
    const money = await openCollectedMoney();
    try {
      const paid = await money.reserve([0, 18_000], [3, 42_000]);
      money.provider.nextFault = () => 'declined';
      await money.days(4);
      const rows = await sql<{ kind: string; amount: number }>(
        money.database,
        'SELECT kind, amount_minor AS amount FROM payment_records WHERE checkout_id = $1 ORDER BY record_id',
        [paid.checkoutId],
      );
      assert.deepEqual(rows, [
        { kind: 'collected', amount: 18_000 },
        { kind: 'declined', amount: 42_000 },
        { kind: 'declined', amount: 42_000 },
      ]);
    } finally {
      await money.close();
    }
  });
});

suite('the places of records', () => {
  test('several processes at once: each record one place, none left out', async () => {
    const { database, drop } = await createTestDatabase();
    try {
      await sql(
        database,
        `INSERT INTO payment_records (application_id, checkout_id, kind, name, amount_minor, currency, happened_at)
          SELECT $1, $1, 'collected', n::text, n, 'EUR', now() FROM generate_series(1, 500) n`,
        [randomUUID()],
      );
      const number = async (): Promise<void> => {
        while ((await numberPaymentRecords(database, 7)) > 0);
      };
      await Promise.all([1, 2, 3, 4].map(number));
      // What one of them has held while another looked.
      await number();
      const [row] = await sql<{ least: number; most: number; places: number }>(
        database,
        `SELECT min(sequence)::integer AS least, max(sequence)::integer AS most,
          count(DISTINCT sequence)::integer AS places FROM payment_records`,
      );
      assert.deepEqual(row, { least: 1, most: 500, places: 500 });
      assert.equal(await forgetPaymentRecords(database, 1_000), 500);
    } finally {
      await drop();
    }
  });
});
