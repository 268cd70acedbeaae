/** What waits for people: in one list, and told at once to where the operator looks, when it begins and when it ends. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { insertAuditEntry } from '../../src/platform/audit/audit-entries.ts';
import { eventually } from '../harness/eventually.ts';
import { makeMoneyWait } from '../harness/money-waits.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { respond, Receiver } from '../harness/receiver.ts';
import { idsOf, recordsSecret, verifiedRecord } from '../harness/records.ts';
import { sql } from '../harness/rows.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';

interface Alert {
  type: string;
  item: Record<string, unknown>;
}

suite('what waits for people', () => {
  let receiver: Receiver;
  let auditReceiver: Receiver;
  let service: PaidService;
  let operator: Operator;
  let reference: string;

  before(async () => {
    receiver = await Receiver.start();
    auditReceiver = await Receiver.start();
    service = await startPaidService({
      LATCHKEY_AUDIT_URL: auditReceiver.url('/audit'),
      LATCHKEY_AUDIT_SECRET: recordsSecret,
      LATCHKEY_ALERTS_URL: receiver.url('/alerts'),
      LATCHKEY_ALERTS_SECRET: recordsSecret,
    });
    operator = await operatorOf(service, 'administrator');
    const card = await service.partner({ settlement: 'card' });
    reference = await confirmedReference(await submittedByCard(service, card));
  });
  after(async () => {
    await service.stop();
    await receiver.close();
    await auditReceiver.close();
  });

  const told = (): Alert[] =>
    receiver.arrivals.map((arrival) => verifiedRecord(arrival) as unknown as Alert);

  const endWaits = () => sql(service.database, 'DELETE FROM payment_waits', []);

  // Spec: MONEY-8.
  test('an item is listed with guest, home, amount and reason, and told when it begins and ends', async () => {
    await makeMoneyWait(service.database, reference);
    const { items } = await operator.done('operator.attention.list', { query: { money: true } });
    const [item] = items;
    assert.deepEqual(
      [item?.kind, item?.reference, item?.amount, item?.currency, item?.deadline],
      ['declined', reference, 42_000, 'EUR', null],
    );
    assert.ok(item?.guest && item.listing && item.checkoutId);
    assert.match(item.reason, /declined .*too little money\.$/);
    assert.equal(item.code, 'insufficient_funds');
    await eventually(async () => told().length === 1, 20_000);
    const { phone, ...withoutPhone } = item;
    assert.match(phone ?? '', /^\+\d+$/);
    assert.deepEqual(
      told()[0],
      { type: 'opened', item: withoutPhone },
      'a phone number leaves nowhere',
    );
    await endWaits();
    await eventually(async () => told().length === 2, 20_000);
    const [, closed] = told();
    assert.deepEqual([closed?.type, closed?.item['reference']], ['closed', reference]);
    assert.deepEqual((await operator.done('operator.attention.list', {})).items, []);
    const ids = idsOf(receiver.arrivals);
    assert.match(ids[0]!, /^alert_[0-9a-f-]{36}_opened$/);
    assert.equal(ids[1], ids[0]!.replace('opened', 'closed'));
  });

  // Spec: MONEY-9.
  test('an alert that is not accepted is sent again with the same ID', async () => {
    const earlier = receiver.arrivals.length;
    receiver.reply = respond(500);
    await makeMoneyWait(service.database, reference);
    await eventually(async () => receiver.arrivals.length === earlier + 1, 20_000);
    receiver.reply = respond(204);
    await eventually(async () => {
      const [row] = await sql<{ problem: string | null }>(
        service.database,
        'SELECT problem FROM attention_items WHERE closed_at IS NULL',
      );
      return row?.problem === 'status 500';
    }, 20_000);
    await sql(
      service.database,
      'UPDATE attention_items SET due_at = now() WHERE problem IS NOT NULL',
    );
    await eventually(async () => receiver.arrivals.length === earlier + 2, 20_000);
    const [first, second] = receiver.arrivals.slice(-2);
    assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
    await endWaits();
    await eventually(async () => told().at(-1)?.type === 'closed', 20_000);
  });

  test('a test alert says that it is one', async () => {
    const earlier = receiver.arrivals.length;
    const { sentTo } = await operator.done('operator.alert.test', { body: {} });
    assert.equal(sentTo, new URL(receiver.url()).host);
    assert.equal(receiver.arrivals.length, earlier + 1);
    assert.equal(told().at(-1)?.type, 'test');
    receiver.reply = respond(500);
    const refused = await operator.refused('operator.alert.test', { body: {} });
    assert.deepEqual([refused.status, refused.code], [409, 'conflict']);
    receiver.reply = respond(204);
  });

  // Spec: OPERATOR-22.
  test('an audit trail that is not accepted where it is posted waits for people', async () => {
    const kinds = async () =>
      (await operator.done('operator.attention.list', {})).items.map(({ kind }) => kind);
    await auditReceiver.receives(1, 20_000);
    auditReceiver.reply = respond(500);
    await insertAuditEntry(service.database, {
      actor: 'test',
      action: 'block.add',
      applicationId: null,
      details: {},
    });
    await eventually(async () => (await kinds()).includes('audit_not_accepted'), 20_000);
    auditReceiver.reply = respond(204);
    await sql(service.database, 'UPDATE audit_receivers SET due_at = now()', []);
    await eventually(async () => !(await kinds()).includes('audit_not_accepted'), 20_000);
  });
});
