/** The money of reservations, as the operator's API shows and moves it. */
import { makeMoneyWait } from '../harness/money-waits.ts';
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { sql } from '../harness/rows.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';

const reason = 'The guest has called.';

suite('operator.payment', () => {
  let service: PaidService;
  let operator: Operator;
  let reference: string;
  let collected: number;

  before(async () => {
    service = await startPaidService();
    operator = await operatorOf(service, 'reservations');
    const card = await service.partner({ settlement: 'card' });
    reference = await confirmedReference(await submittedByCard(service, card));
    ({ collected } = await show());
  });
  after(() => service.stop());

  const show = () => operator.done('operator.payment.get', { params: { reference } });

  test('listed, by what needs a decision; shown with its ledger', async () => {
    const { items } = await operator.done('operator.payment.list');
    assert.deepEqual(
      items.map((item) => item.reference),
      [reference],
    );
    const needing = await operator.done('operator.payment.list', {
      query: { needsAttention: true },
    });
    assert.deepEqual(needing.items, []);
    const query = { needsAttention: 'yes' as never };
    assert.equal((await operator.refused('operator.payment.list', { query })).status, 400);
    assert.ok((await show()).entries.some(({ kind }) => kind === 'captured'));
    const params = { reference };
    const { history } = await operator.done('operator.reservation.get', { params });
    assert.ok(history.some(({ what }) => what === 'payment.captured'));
  });

  test('a refund does what its preview said, for one of two staff at once', async () => {
    const amount = collected - 100;
    const params = { reference };
    const preview = await operator.done('operator.payment.previewRefund', {
      params,
      body: { amount },
    });
    assert.deepEqual([preview.dryRun, preview.after.refunded], [true, preview.before.refunded]);
    const input = { params, body: { amount, reason } };
    const sent = await Promise.all(
      [1, 2].map(() => operator.send('operator.payment.refund', input)),
    );
    assert.deepEqual(sent.map(({ status }) => status).toSorted(), [200, 409]);
    await eventually(async () => (await show()).refunded === amount, 20_000);
    const { items } = await operator.done('operator.audit.list', { query: { reference } });
    assert.deepEqual([items[0]?.actor, items[0]?.action], [operator.name, 'payment.refund']);
  });

  test('412 precondition_failed › the same refund again, at once or later, is not a second one', async () => {
    const params = { reference };
    const { due, refunded } = await show();
    const input = { params, body: { amount: 10, reason, expectedDue: due } };
    const sent = await Promise.all(
      [1, 2].map(() => operator.send('operator.payment.refund', input)),
    );
    assert.deepEqual(sent.map(({ status }) => status).toSorted(), [200, 412]);
    const again = await operator.refused('operator.payment.refund', input);
    assert.deepEqual([again.status, again.code], [412, 'precondition_failed']);
    const { reason: _, ...shown } = input.body;
    const preview = await operator.refused('operator.payment.previewRefund', {
      params,
      body: shown,
    });
    assert.equal(preview.status, 412);
    const { due: left, entries } = await show();
    assert.equal(left, due - 10);
    const lowered = entries.filter(({ kind, amount }) => kind === 'given_back' && amount === 10);
    assert.equal(lowered.length, 1);
    // Until it has gone back, it is a part of what is open: the next tests pin the balance.
    await eventually(async () => (await show()).refunded === refunded + 10, 20_000);
  });

  test('409, 404 › nothing to retry, no payments', async () => {
    const nothing = await operator.refused('operator.payment.retry', {
      params: { reference },
      body: { reason },
    });
    assert.deepEqual([nothing.status, nothing.code], [409, 'conflict']);
    const params = { reference: 'LK-0000-0000' };
    for (const { status } of [
      await operator.refused('operator.payment.get', { params }),
      await operator.refused('operator.payment.refund', { params, body: { amount: 1, reason } }),
      await operator.refused('operator.payment.retry', { params, body: { reason } }),
    ])
      assert.equal(status, 404);
  });

  test('record, reduce, stop and start do what their preview said', async () => {
    const params = { reference };
    await sql(
      service.database,
      `UPDATE reservations SET version = version + 1, charges = jsonb_set(jsonb_set(charges::jsonb, '{total}',
          to_jsonb((charges->>'total')::bigint + 10000)), '{schedule}',
          (charges->'schedule')::jsonb || '[{"dueOn": "2099-01-01", "amount": 10000}]')::json
        WHERE reference = $1`,
      [reference],
    );
    const { open } = await show();
    const reduction = { amount: 100, expectedBalance: open };
    const preview = await operator.done('operator.payment.previewReduce', {
      params,
      body: reduction,
    });
    assert.deepEqual([preview.dryRun, preview.lowersCollection], [true, 100]);
    const wrong = { params, body: { ...reduction, expectedBalance: open + 1, reason } };
    assert.equal((await operator.refused('operator.payment.reduce', wrong)).status, 412);
    const reduced = await operator.done('operator.payment.reduce', {
      params,
      body: { ...reduction, reason },
    });
    assert.deepEqual(reduced.after, preview.after);
    const body = {
      kind: 'collected' as const,
      amount: 200,
      method: 'bank transfer',
      happenedOn: '2026-11-20',
      expectedBalance: open - 100,
      reason,
    };
    const recorded = await operator.done('operator.payment.record', { params, body });
    assert.deepEqual([recorded.kind, recorded.method], ['collected', 'bank transfer']);
    assert.equal((await show()).open, open - 300);
    const stopped = await operator.done('operator.payment.stop', { params, body: { reason } });
    assert.ok(stopped.stoppedAt);
    const again = await operator.refused('operator.payment.stop', { params, body: { reason } });
    assert.equal(again.status, 409);
    const started = await operator.done('operator.payment.start', { params, body: { reason } });
    assert.equal(started.stoppedAt, null);
  });

  // Spec: MONEY-16.
  test('the export has each row of the ledger as a pair, and adds up', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { items } = await operator.done('operator.payment.export', {
      query: { from: today, to: today },
    });
    const { entries, collected: shown } = await show();
    const moved = entries.filter(({ debit }) => debit !== null);
    assert.equal(items.length, moved.length * 2);
    assert.equal(
      items.reduce((sum, { amount }) => sum + amount, 0),
      0,
    );
    const ofAccount = (account: string) =>
      items.filter((one) => one.account === account).reduce((sum, { amount }) => sum + amount, 0);
    assert.equal(ofAccount('collected'), shown);
    assert.ok(items.every((item) => item.reference === reference));
    assert.ok(items.some(({ kind, providerId }) => kind === 'captured' && providerId));
    const query = { from: '2020-01-01', to: '2020-01-31' };
    assert.deepEqual((await operator.done('operator.payment.export', { query })).items, []);
  });

  test('a retry after a refusal', async () => {
    // A worker that has claimed the account must not write what it decided before.
    await makeMoneyWait(service.database, reference);
    const input = { params: { reference }, body: { reason } };
    const account = await operator.done('operator.payment.retry', input);
    assert.equal(account.refusals, 0);
  });

  test('reconcile › both sides agree; 409 › the provider does not answer', async () => {
    const body = { since: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10) };
    const { differences } = await operator.done('operator.payment.reconcile', { body });
    assert.deepEqual(differences, []);
    service.standIn.faultOf = () => '500_before';
    const { status } = await operator.refused('operator.payment.reconcile', { body });
    service.standIn.faultOf = () => null;
    assert.equal(status, 409);
  });
});
