/** Payment links: the guest pays what is open on a page of the provider, and nothing is charged twice. Spec: MONEY-19. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import { takePaymentNotice } from '../../src/payments/take-notice.ts';
import { sql } from '../harness/rows.ts';
import type { PaidReservation } from './paid-reservation.ts';
import { openCollectedMoney, type CollectedMoney } from './collected-money.ts';
import {
  RefusedAct,
  endOpenLink,
  makePaymentLink,
  recordPayment,
  reducePayment,
} from '../harness/acts.ts';

const reason = 'The guest has called.';

suite('payments › payment links', () => {
  let money: CollectedMoney;

  before(async () => {
    money = await openCollectedMoney();
  });
  after(() => money.close());
  beforeEach(() => {
    money.provider.nextFault = () => null;
    money.provider.lookUpsLost = 0;
  });

  const context = () => ({
    database: money.database,
    cardProvider: money.provider,
    baseUrl: 'https://stays.test',
  });
  const link = ({ reference }: PaidReservation) => makePaymentLink(context(), 'staff', reference);
  const refused = (work: Promise<unknown>, message: RegExp) =>
    assert.rejects(work, (error) => error instanceof RefusedAct && message.test(error.message));

  /** The provider tells of the payment of a link. */
  const tell = async (paid: PaidReservation) => {
    const [row] = await sql<{ id: string }>(
      money.database,
      `SELECT payment_id AS id FROM payment_links WHERE checkout_id = $1 AND ended_at IS NULL`,
      [paid.checkoutId],
    );
    await takePaymentNotice(money.database, {
      eventReference: `evt ${row!.id}`,
      providerReference: `cs ${row!.id}`,
      paymentId: row!.id,
      refund: null,
      dispute: null,
    });
    await money.collectDue();
  };

  async function declined(): Promise<PaidReservation> {
    const paid = await money.reserve([0, 180], [1, 420]);
    money.provider.nextFault = () => 'declined';
    await money.days(1);
    money.provider.nextFault = () => null;
    assert.deepEqual(
      (await money.waits(paid)).map(({ kind, amount }) => [kind, amount]),
      [['declined', 420]],
    );
    return paid;
  }

  test('what the card has declined is paid with another card, and waits no longer', async () => {
    const paid = await declined();
    const { amount, url, expiresAt } = await link(paid);
    assert.equal(amount, 420);
    const lasts = Date.parse(expiresAt!) - money.opened.clock.now();
    assert.ok(lasts > 0 && lasts <= 86_400_000, `it lasts ${lasts} ms`);
    await money.collectDue();
    assert.deepEqual(await money.waits(paid), [], 'it waits for the guest, not for staff');
    money.provider.payPage(url);
    await tell(paid);
    await money.assertBalances(paid, { due: 600, collected: 600, open: 0, refunded: 0 });
    await money.days(10);
    assert.deepEqual(money.charged(paid), [180, 420, 420], 'the card was charged again');
    await money.fits(paid);
  });

  test('while it is open, its parts are not charged to the card; when it has expired, they are as before', async () => {
    const paid = await declined();
    const tries = money.charged(paid).length;
    await link(paid);
    await money.pass('20 hours');
    await money.collectDue();
    assert.equal(money.charged(paid).length, tries);
    for (const page of money.provider.pages.values()) page.state = 'expired';
    await money.pass('4 hours');
    await money.collectDue();
    assert.equal(
      (await money.waits(paid)).length,
      0,
      'a day has passed, so the card is tried again',
    );
    assert.equal((await money.balances(paid)).open, 0);
  });

  test('what was refused for good stays refused after a link that nobody has paid', async () => {
    const paid = await money.reserve([0, 180], [1, 420]);
    const { charge } = money.provider;
    money.provider.charge = async () => ({
      outcome: 'refused',
      reason: 'declined',
      declineCode: 'stolen_card',
      kind: 'card',
    });
    await money.days(1);
    money.provider.charge = charge;
    await link(paid);
    await money.collectDue();
    for (const page of money.provider.pages.values()) page.state = 'expired';
    await money.days(3);
    assert.deepEqual(money.charged(paid), [180]);
    assert.deepEqual(
      (await money.waits(paid)).map(({ kind, amount, reason: because }) => [kind, amount, because]),
      [['declined', 420, 'card']],
    );
  });

  test('without anything due, it is for all that is open, and later days charge nothing', async () => {
    const paid = await money.reserve([0, 180], [20, 200], [30, 220]);
    const { amount, url } = await link(paid);
    assert.equal(amount, 420);
    money.provider.payPage(url);
    await tell(paid);
    await money.days(31);
    assert.deepEqual(money.charged(paid), [180, 420]);
    assert.equal((await money.balances(paid)).open, 0);
  });

  test('an open link is returned again; another amount ends it first', async () => {
    const paid = await declined();
    const first = await link(paid);
    assert.deepEqual(await link(paid), first);
    await money.reprice(paid, await money.schedule([-1, 180], [0, 420], [0, 50]));
    const second = await link(paid);
    assert.equal(second.amount, 470);
    assert.notEqual(second.url, first.url);
    assert.throws(() => money.provider.payPage(first.url), /is expired/);
    const two = await Promise.allSettled([link(paid), link(paid)]);
    const urls = new Set(two.map((one) => (one.status === 'fulfilled' ? one.value.url : null)));
    assert.deepEqual([...urls], [second.url]);
  });

  test('it ends when less is open than it asks for', async () => {
    const paid = await declined();
    const { url } = await link(paid);
    const { reference } = paid;
    await reducePayment(money.database, 'staff', { reference, reason, amount: 20 });
    await money.collectDue();
    assert.throws(() => money.provider.payPage(url), /is expired/);
    assert.equal((await link(paid)).amount, 400);
    await money.cancel(paid, 0);
    await money.collectDue();
    assert.deepEqual(
      [...money.provider.pages.values()]
        .filter(({ customerReference }) => customerReference === `cus_${paid.checkoutId}`)
        .map(({ state }) => state),
      ['expired', 'expired'],
    );
  });

  test('a record ends it first; what it has brought already goes back as surplus', async () => {
    const paid = await declined();
    const { url } = await link(paid);
    const { reference } = paid;
    const input = { reference, reason, kind: 'collected', amount: 420, method: 'cash' } as const;
    await endOpenLink(context(), reference);
    assert.throws(() => money.provider.payPage(url), /is expired/);
    const again = await link(paid);
    // The guest pays at the same moment, and nobody knows yet.
    money.provider.payPage(again.url);
    await recordPayment(money.database, 'staff', input);
    await money.collectDue();
    await money.assertBalances(paid, { due: 600, collected: 1020, open: 0, refunded: 420 });
  });

  test('an answer that is lost: the next call returns the one page that was made', async () => {
    for (const fault of ['lost after', 'lost before', 'kept before', 'kept after'] as const) {
      const paid = await declined();
      money.provider.nextFault = () => fault;
      await refused(link(paid), /does not answer/);
      money.provider.nextFault = () => null;
      const { url } = await link(paid);
      const pages = [...money.provider.pages.values()].filter(
        ({ customerReference }) => customerReference === `cus_${paid.checkoutId}`,
      );
      assert.equal(pages.length, 1, fault);
      money.provider.payPage(url);
      await tell(paid);
      assert.equal((await money.balances(paid)).open, 0, fault);
    }
  });

  test('an answer that is lost, and nobody asks again: the page is found, and its payment is taken', async () => {
    const paid = await declined();
    money.provider.nextFault = () => 'lost after';
    await refused(link(paid), /does not answer/);
    money.provider.nextFault = () => null;
    await money.pass('5 minutes');
    await money.collectDue();
    const [row] = await sql<{ url: string }>(
      money.database,
      'SELECT url FROM payment_links WHERE checkout_id = $1',
      [paid.checkoutId],
    );
    money.provider.payPage(row!.url);
    await tell(paid);
    assert.equal((await money.balances(paid)).open, 0);
  });

  test('a page that the provider never got is given up, and its parts go on', async () => {
    const paid = await declined();
    money.provider.nextFault = () => 'lost before';
    await refused(link(paid), /does not answer/);
    money.provider.nextFault = () => null;
    for (let minutes = 0; minutes < 10; minutes += 1) {
      await money.pass('1 minute');
      await money.collectDue();
    }
    assert.deepEqual(
      (await money.waits(paid)).map(({ kind, amount }) => [kind, amount]),
      [['declined', 420]],
    );
  });

  test('a claimed account charges nothing once there is a link', async () => {
    const paid = await money.reserve([0, 180], [1, 420]);
    await money.pass('1 day');
    const { provider } = money;
    const { createLink } = provider;
    // A worker settles between the row of the link and the answer of the provider.
    provider.createLink = async (...asked) => {
      provider.createLink = createLink;
      await money.collectDue();
      return createLink(...asked);
    };
    const { amount } = await link(paid);
    assert.equal(amount, 420);
    await money.days(1);
    assert.deepEqual(money.charged(paid), [180]);
  });

  test('409 › nothing is open, a charge is under way, the provider refuses, there is none', async () => {
    const paid = await money.reserve([0, 180]);
    await refused(link(paid), /nothing is open/);
    const cancelled = await money.reserve([0, 180], [1, 420]);
    await money.cancel(cancelled, 0);
    await refused(link(cancelled), /it is cancelled/);
    const tiny = await money.reserve([0, 180], [1, 20]);
    await refused(link(tiny), /below the least/);
    const late = await money.reserve([0, 180], [1, 420]);
    money.provider.nextFault = () => 'lost before';
    await money.pass('1 day');
    await money.collectDue();
    await refused(link(late), /under way/);
    const other = await money.reserve([0, 180], [30, 420]);
    money.provider.nextFault = () => 'declined';
    await refused(link(other), /more than the provider takes/);
    money.provider.nextFault = () => null;
    assert.equal((await link(other)).amount, 420);
    const none = { ...context(), cardProvider: null };
    await refused(makePaymentLink(none, 'staff', other.reference), /no card provider/);
  });
});
