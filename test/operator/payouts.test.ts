/** Payouts of the card provider, tied to what they are made of. Spec: MONEY-18. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { csvText } from '../../src/contract/csv.ts';
import { payoutsTable } from '../../src/contract/tables.ts';
import { eventually } from '../harness/eventually.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';

const day = '2027-03-04';
const query = { from: day, to: day };

suite('operator.payment.payouts', () => {
  let service: PaidService;
  let operator: Operator;

  before(async () => {
    service = await startPaidService();
    operator = await operatorOf(service, 'reservations');
  });
  after(() => service.stop());

  test('200 › each line names its reservation, and the amounts less the fees add up to the payout', async () => {
    const card = await service.partner({ settlement: 'card' });
    const references: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      references.push(await confirmedReference(await submittedByCard(service, card)));
    }
    const [reference] = references;
    const params = { reference: reference! };
    const body = { amount: 500, reason: 'The heater was broken.' };
    await operator.done('operator.payment.refund', { params, body });
    const get = () => operator.done('operator.payment.get', { params });
    await eventually(async () => (await get()).refunded === 500, 20_000);

    const at = Date.parse(`${day}T00:00:00Z`);
    const made = service.standIn.payOut(at);
    service.standIn.payOut(at + 86_400_000);
    const { items } = await operator.done('operator.payment.payouts', { query });
    assert.deepEqual(
      items.map(({ payoutId, arrivesOn, amount }) => [payoutId, arrivesOn, amount]),
      [[made.id, day, made.amount]],
    );
    const { lines, amount, currency } = items[0]!;
    assert.equal(currency, made.currency.toUpperCase());
    assert.equal(
      lines.reduce((sum, line) => sum + line.amount - line.fee, 0),
      amount,
    );
    const of = (kind: string) => lines.filter((line) => line.kind === kind);
    assert.deepEqual(new Set(of('payment').map((line) => line.reference)), new Set(references));
    assert.ok(of('payment').every(({ fee }) => fee > 0));
    assert.deepEqual(
      of('refund').map((line) => [line.reference, line.amount]),
      [[reference, -500]],
    );
    assert.deepEqual(
      of('fee').map((line) => [line.reference, line.amount]),
      [[null, -300]],
    );
    const csv = csvText(payoutsTable({ items }));
    assert.equal(csv.split('\r\n').length, lines.length + 2);
    assert.match(
      csv,
      new RegExp(`^${made.id},${day},${currency},${amount},refund,${reference},-500,0\r$`, 'm'),
    );
  });

  test('200 › one that was asked for by hand has no lines, and many are read in pages', async () => {
    const at = Date.parse('2027-05-01T00:00:00Z');
    const byHand = service.standIn.payOut(at, false);
    for (let count = 0; count < 101; count += 1) service.standIn.payOut(at + 86_400_000);
    const { items } = await operator.done('operator.payment.payouts', {
      query: { from: '2027-05-01', to: '2027-05-02' },
    });
    assert.equal(items.length, 102);
    assert.deepEqual([items[0]?.payoutId, items[0]?.lines], [byHand.id, []]);
  });

  test('409 conflict › the provider does not answer', async () => {
    service.standIn.faultOf = () => '500_before';
    const refused = await operator.refused('operator.payment.payouts', { query });
    assert.deepEqual([refused.status, refused.code], [409, 'conflict']);
    service.standIn.faultOf = () => null;
  });
});
