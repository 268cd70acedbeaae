/** Payment links over HTTP, paid on the page of the stand-in. Spec: MONEY-19. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { plusDays } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { raisePrice } from '../harness/raise-price.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { postAll } from '../harness/stripe/events.ts';
import { type PaidService, startPaidService, webhookSecret } from '../harness/stripe/service.ts';

suite('operator.payment.link', () => {
  let service: PaidService;
  let operator: Operator;

  before(async () => {
    service = await startPaidService();
    operator = await operatorOf(service, 'reservations');
  });
  after(() => service.stop());

  /** A reservation of which something falls due in some weeks. */
  async function reserve(): Promise<string> {
    const card = await service.partner({ settlement: 'card' });
    const reference = await confirmedReference(await submittedByCard(service, card));
    const today = new Date().toISOString().slice(0, 10);
    await raisePrice(service.database, reference, 5_000, plusDays(today, 30));
    return reference;
  }

  test('link › 200 › the guest pays what is open on the page of the provider, once', async () => {
    const params = { reference: await reserve() };
    const open = await operator.done('operator.payment.get', { params });
    const link = await operator.done('operator.payment.link', { params });
    assert.deepEqual([link.amount, link.currency], [open.open, open.currency]);
    assert.deepEqual(await operator.done('operator.payment.link', { params }), link);
    const session = [...service.standIn.sessions.values()].at(-1)!;
    assert.equal(session.url, link.url);
    const since = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const differences = async () =>
      (await operator.done('operator.payment.reconcile', { body: { since } })).differences;
    assert.deepEqual(await differences(), [], 'an open link is no difference');
    const payment = service.standIn.guest.payPage(link.url);
    assert.equal(payment?.amount_received, open.open);
    const paid = service.standIn.events.filter(({ type }) => type === 'checkout.session.completed');
    await postAll(service.origin, paid.slice(-1), webhookSecret);
    const get = () => operator.done('operator.payment.get', { params });
    await eventually(async () => (await get()).open === 0, 20_000);
    const { collected: all, payments } = await get();
    assert.equal(all, open.collected + open.open);
    assert.deepEqual(
      payments.map(({ purpose, state }) => [purpose, state]),
      [
        ['booking', 'captured'],
        ['link', 'captured'],
      ],
    );
    assert.equal((await operator.refused('operator.payment.link', { params })).status, 409);
    assert.deepEqual(await differences(), []);
    const page = await fetch(`${service.origin}${new URL(session.success_url).pathname}`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /Your payment was received/);
    const { items } = await operator.done('operator.audit.list', { query: params });
    assert.equal(items[0]?.action, 'payment.link');
  });

  test('link › 503 unavailable › the provider does not answer; afterwards there is one page', async () => {
    const params = { reference: await reserve() };
    service.standIn.faultOf = ({ name }) =>
      name === 'POST /v1/checkout/sessions' ? 'cut_after' : null;
    const refused = await operator.refused('operator.payment.link', { params });
    assert.deepEqual([refused.status, refused.code], [503, 'unavailable']);
    service.standIn.faultOf = () => null;
    const made = service.standIn.sessions.size;
    const { url } = await operator.done('operator.payment.link', { params });
    assert.equal(service.standIn.sessions.size, made, 'a second page');
    assert.equal([...service.standIn.sessions.values()].at(-1)!.url, url);
  });
});
