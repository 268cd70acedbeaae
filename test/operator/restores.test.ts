/** Restores, as staff see and declare them. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { sql } from '../harness/rows.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';

suite('operator.restore', () => {
  let service: PaidService;
  let administrator: Operator;

  before(async () => {
    service = await startPaidService();
    administrator = await operatorOf(service, 'administrator');
  });
  after(() => service.stop());

  test('get › 200 › the first epoch of a database that has lost nothing', async () => {
    const epoch = await administrator.done('operator.restore.get');
    assert.partialDeepStrictEqual(epoch, { reason: 'first', moneyMoves: true, effects: [] });
  });

  test('declare › 200 › while the service runs: nothing moves until the provider was compared', async () => {
    const card = await service.partner({ settlement: 'card' });
    const reference = await confirmedReference(await submittedByCard(service, card));
    // A payment that the database has lost, for a checkout that it has.
    const [row] = await sql<{ provider_reference: string }>(
      service.database,
      `SELECT i.provider_reference FROM payment_intents i JOIN payment_accounts a USING (checkout_id)
        WHERE a.reference = $1`,
      [reference],
    );
    const payment = service.standIn.payments.get(row!.provider_reference)!;
    const lost = {
      ...payment,
      id: 'pi_lost',
      metadata: { ...payment.metadata, part: 'x', try: '9' },
    };
    delete (lost.metadata as Record<string, string>)['payment_id'];
    service.standIn.payments.set(lost.id, lost);

    const earlier = await administrator.done('operator.restore.get');
    const body = { reason: 'The disk of db1.' };
    const declared = await administrator.done('operator.restore.declare', { body });
    assert.ok(declared.epoch > earlier.epoch);
    assert.partialDeepStrictEqual(declared, { reason: 'declared', moneyMoves: false });
    let now = declared;
    await eventually(async () => {
      now = await administrator.done('operator.restore.get');
      return now.moneyMoves;
    }, 20_000);
    assert.deepEqual(
      now.effects.map(({ providerReference, outcome }) => [providerReference, outcome]),
      [['pi_lost', 'booked']],
    );
    const shown = await administrator.done('operator.payment.get', { params: { reference } });
    assert.equal(shown.attention, 'adopted');
    assert.equal(shown.open, -payment.amount, 'it waits for staff and is not given back by itself');
    const refunds = service.standIn.ledger.filter(({ kind }) => kind === 'refunded');
    assert.deepEqual(refunds, []);
    const audit = await administrator.done('operator.audit.list', {
      query: { action: 'restore.declare' },
    });
    assert.equal(audit.items.length, 1);
  });

  test('declare › 403 › only administrators', async () => {
    const reservations = await operatorOf(service, 'reservations');
    const refused = await reservations.refused('operator.restore.declare', {
      body: { reason: 'No.' },
    });
    assert.equal(refused.status, 403);
  });
});
