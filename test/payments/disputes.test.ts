/** Disputes from their notice to their end, and events of the provider that are none. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { Stripe } from 'stripe';
import { plusDays } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { raisePrice } from '../harness/raise-price.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { post, postAll } from '../harness/stripe/events.ts';
import { type PaidService, startPaidService, webhookSecret } from '../harness/stripe/service.ts';

const reason = 'The guest has called.';
const today = new Date().toISOString().slice(0, 10);

suite('disputes', () => {
  let service: PaidService;
  let operator: Operator;

  before(async () => {
    service = await startPaidService();
    operator = await operatorOf(service, 'reservations');
  });
  after(() => service.stop());

  const show = (reference: string) =>
    operator.done('operator.payment.get', { params: { reference } });
  const waiting = async () =>
    (await operator.done('operator.attention.list', { query: { money: true } })).items;

  async function reserve() {
    const card = await service.partner({ settlement: 'card' });
    const reference = await confirmedReference(await submittedByCard(service, card));
    const { paymentIntent } = service.standIn.ledger.findLast(({ kind }) => kind === 'captured')!;
    return { reference, paymentIntent };
  }

  /** A change of the price: this much more falls due now. */
  const raise = (reference: string, amount: number) =>
    raisePrice(service.database, reference, amount, plusDays(today, -2));

  // Spec: MONEY-12.
  test('one is shown with its deadline, and its card is not charged until staff start it again', async () => {
    const { reference, paymentIntent } = await reserve();
    const { collected, due } = await show(reference);
    const dispute = service.standIn.dispute(paymentIntent);
    await postAll(service.origin, service.standIn.events.slice(-1), webhookSecret);
    const [item] = await waiting();
    assert.deepEqual(
      [item?.kind, item?.reference, item?.amount, item?.deadline],
      [
        'disputed',
        reference,
        collected,
        new Date(dispute.evidence_details.due_by * 1_000).toISOString(),
      ],
    );
    assert.match(item!.reason, /: the cardholder did not pay it\. Give evidence/);
    assert.equal(item!.code, 'fraudulent');
    await raise(reference, 5_000);
    await eventually(async () => (await waiting()).some(({ kind }) => kind === 'declined'), 20_000);
    assert.equal((await show(reference)).payments.length, 1, 'the card was charged');

    service.standIn.endDispute(dispute, 'lost');
    await postAll(service.origin, service.standIn.events.slice(-2), webhookSecret);
    const lost = await show(reference);
    assert.deepEqual(
      [lost.refunded, lost.due, lost.open],
      [collected, due + 5_000 - collected, 5_000],
    );
    const entered = lost.entries.flatMap(({ kind, amount }) =>
      kind === 'charged_back' || kind === 'uncovered' || kind === 'dispute_fee'
        ? [[kind, amount]]
        : [],
    );
    assert.deepEqual(entered, [
      ['charged_back', collected],
      ['uncovered', collected],
      ['dispute_fee', 2_000],
    ]);
    assert.deepEqual(
      (await waiting()).map(({ kind, amount }) => [kind, amount]),
      [['declined', 5_000]],
    );
    await operator.done('operator.payment.start', { params: { reference }, body: { reason } });
    await eventually(async () => (await show(reference)).open === 0, 20_000);
    assert.equal((await show(reference)).collected, collected + 5_000);
  });

  // Spec: MONEY-12.
  test('one that is won moves nothing, and its card is charged again', async () => {
    const { reference, paymentIntent } = await reserve();
    const dispute = service.standIn.dispute(paymentIntent);
    service.standIn.endDispute(dispute, 'won');
    await postAll(service.origin, service.standIn.events.slice(-2), webhookSecret);
    const { refunded, collected } = await show(reference);
    assert.equal(refunded, 0);
    await raise(reference, 5_000);
    await eventually(async () => (await show(reference)).collected === collected + 5_000, 20_000);
  });

  for (const body of [
    'null',
    '[]',
    '{}',
    '{"id": 1}',
    '{"id": "evt_1", "type": "x", "data": null}',
    'no JSON',
  ]) {
    test(`400 › a signed body that is no event: ${body}`, async () => {
      const signature = Stripe.webhooks.generateTestHeaderString({
        payload: body,
        secret: webhookSecret,
      });
      assert.equal((await post(service.origin, { body, signature })).status, 400);
    });
  }

  // Spec: MONEY-10.
  test('412 › a cancellation or change with another balance than staff have seen', async () => {
    const { reference } = await reserve();
    const { open } = await show(reference);
    const params = { reference };
    const expectedBalance = open + 1;
    const cancel = await operator.refused('operator.reservation.cancel', {
      params,
      body: { reason, expectedBalance },
    });
    assert.equal(cancel.status, 412);
    const change = await operator.refused('operator.reservation.change', {
      params,
      body: { reason, party: { infants: 1 }, expectedBalance },
    });
    assert.equal(change.status, 412);
    const preview = await operator.done('operator.reservation.previewCancel', { params, body: {} });
    const { openBefore } = await operator.done('operator.reservation.previewChange', {
      params,
      body: { party: { infants: 1 } },
    });
    assert.deepEqual([preview.openBefore, openBefore], [open, open]);
    await operator.done('operator.reservation.cancel', {
      params,
      body: { reason, expectedBalance: preview.openBefore! },
    });
  });
});
