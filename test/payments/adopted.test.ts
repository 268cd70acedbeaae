/** What a restore has lost, and the comparison with the provider finds: payment links, refunds and disputes. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { adoptEffects } from '../../src/payments/adopt-effects.ts';
import { collectAccount } from '../../src/payments/collection/collect-account.ts';
import { claimAccounts } from '../../src/payments/store/accounts.ts';
import { believed } from '../../src/platform/clock.ts';
import { createStripeProvider } from '../../src/payments/index.ts';
import { listAdoptedEffects } from '../../src/payments/store/adoption.ts';
import type { CardProvider } from '../../src/payments/ports/card-provider.ts';
import { currentEpoch, declareEpoch, noteAdopted } from '../../src/platform/postgres/epochs.ts';
import { makePaymentLink, startPayment } from '../harness/acts.ts';
import { sql } from '../harness/rows.ts';
import { standInFetch } from '../harness/stripe/in-process.ts';
import { StandIn } from '../harness/stripe/stand-in.ts';
import { insertReservationWithoutCard, type PaidReservation } from './paid-reservation.ts';
import { openCollectedMoney, type CollectedMoney } from './collected-money.ts';

const settings = { secretKey: 'sk_test_standin', publishableKey: 'pk_test_standin', apiUrl: null };
const reason = 'The guest has called.';

suite('payments › what a restore has lost', () => {
  let money: CollectedMoney;
  let standIn: StandIn;
  let provider: CardProvider;

  before(async () => {
    money = await openCollectedMoney();
    await sql(
      money.database,
      `UPDATE installation SET environment = 'test', server_started_at = pg_postmaster_start_time()`,
    );
    standIn = new StandIn({ now: () => money.opened.clock.now() });
    provider = await createStripeProvider(settings, standInFetch(standIn));
  });
  after(() => money.close());

  const link = async ({ reference }: PaidReservation) => {
    const context = {
      database: money.database,
      cardProvider: provider,
      baseUrl: 'https://stays.test',
    };
    return makePaymentLink(context, 'staff', reference);
  };

  const reserve = async () => {
    const schedule = await money.schedule([0, 20_000]);
    return insertReservationWithoutCard(money.database, money.applicationId, schedule);
  };

  /** The page of a link whose rows are lost: another one has its name at the provider. */
  async function lostLink(paid: PaidReservation): Promise<string> {
    const { applicationId, checkoutId } = paid;
    const { url } = await link(paid);
    const page = [...standIn.sessions.values()].find((one) => one.url === url);
    const name = { applicationId, checkoutId, part: 'link 2027-01-20', try: 1 };
    const made = await provider.createLink(
      {
        paymentId: '01939f2e-0000-7000-8000-000000000001',
        round: 0,
        name,
        amountMinor: 20_000,
        currency: 'USD',
        customerReference: page!.customer!,
        description: 'Reservation',
        metadata: { applicationId, checkoutId, purpose: 'link' },
        expiresAt: money.opened.clock.now() + 80_000_000,
        returnUrl: 'https://stays.test/paid',
      },
      new AbortController().signal,
    );
    assert.equal(made.outcome, 'done');
    return made.pageReference;
  }

  const adopt = async () => {
    const { database } = money;
    const epoch = await database.transaction((executor) => declareEpoch(executor, 'restored'));
    const { signal } = new AbortController();
    await adoptEffects({ database, provider, log: { warn: () => undefined }, signal }, epoch);
    await noteAdopted(database, epoch.epoch);
  };

  // Spec: RESTORE-7.
  test('an open link is ended; the account waits for staff; a link with its row stays open', async () => {
    const paid = await reserve();
    const page = await lostLink(paid);
    const { url } = await link(paid);
    await adopt();
    assert.equal(standIn.sessions.get(page)?.status, 'expired');
    assert.equal([...standIn.sessions.values()].find((one) => one.url === url)?.status, 'open');
    const { epoch } = (await currentEpoch(money.database))!;
    const effects = await listAdoptedEffects(money.database, epoch);
    assert.deepEqual(
      effects.map((one) => [one.providerReference, one.kind, one.outcome, one.amountMinor]),
      [[page, 'link', 'ended', 20_000]],
    );
    assert.deepEqual(
      (await money.waits(paid)).map(({ kind }) => kind),
      ['adopted'],
    );
    const { reference } = paid;
    await startPayment(money.database, 'staff', { reference, reason });
    assert.equal((await link(paid)).url, url, 'staff go on with the link that is known');
  });

  test('a link that was paid meanwhile is booked', async () => {
    const paid = await reserve();
    const page = await lostLink(paid);
    const { url } = await link(paid);
    const lost = standIn.sessions.get(page)!;
    assert.ok(standIn.guest.payPage(lost.url!));
    await adopt();
    assert.equal((await money.balances(paid)).collected, 20_000);
    assert.notEqual(lost.url, url);
  });

  const collectDue = async () => {
    const context = { executor: money.database, provider, clock: believed };
    for (let round = 0; round < 500; round += 1) {
      const claims = await claimAccounts(money.database, 8, 30);
      if (claims.length === 0) return;
      for (const claim of claims) await collectAccount(context, claim);
    }
    throw new Error('the work does not end');
  };

  /** A reservation whose link was paid, which our rows do not know yet. */
  async function paidUnseen() {
    const paid = await reserve();
    const { url } = await link(paid);
    const payment = standIn.guest.payPage(url);
    assert.ok(payment);
    return { paid, payment };
  }

  const outcomesOf = ({ checkoutId }: PaidReservation) =>
    sql(
      money.database,
      `SELECT d.outcome FROM payment_disputes d JOIN payment_intents USING (payment_id) WHERE checkout_id = $1`,
      [checkoutId],
    );

  // Spec: RESTORE-2.
  test('a payment whose answer was lost is booked with its refunds and its dispute', async () => {
    const { paid, payment } = await paidUnseen();
    standIn.refundInDashboard(payment.id, 5_000);
    standIn.dispute(payment.id);
    await adopt();
    // A refund of the dashboard opens nothing to collect.
    await money.assertBalances(paid, { due: 15_000, collected: 20_000, open: 0, refunded: 5_000 });
    assert.deepEqual(await outcomesOf(paid), [{ outcome: 'open' }]);
  });

  // Spec: RESTORE-2.
  test('a refund that was made because the bank had sent another one back is booked', async () => {
    const { paid, payment } = await paidUnseen();
    const { reference } = paid;
    const sentBack = standIn.refundInDashboard(payment.id, 15_000);
    await adopt();
    await startPayment(money.database, 'staff', { reference, reason });
    await collectDue();
    await money.pass('40 days');
    await sql(money.database, 'UPDATE installation SET alive_at = now()');
    standIn.finishRefund(sentBack.id, 'failed');
    standIn.refundInDashboard(payment.id, 18_000);
    await adopt();
    await collectDue();
    await money.assertBalances(paid, { due: 2_000, collected: 20_000, open: 0, refunded: 18_000 });
  });

  // Spec: RESTORE-2.
  test('a refund of ours is booked before one of the dashboard that was made earlier or later', async () => {
    const { paid, payment } = await paidUnseen();
    const { applicationId, checkoutId } = paid;
    await adopt();
    await collectDue();
    await money.cancel(paid, 4_000);
    standIn.refundInDashboard(payment.id, 1_000);
    const made = await provider.refund(
      {
        refundId: '01939f2e-0000-7000-8000-000000000002',
        round: 0,
        name: { applicationId, checkoutId, part: 'refund 1', try: 1 },
        providerReference: payment.id,
        amountMinor: 4_000,
        currency: 'USD',
        reason: 'cancelled',
      },
      new AbortController().signal,
    );
    assert.equal(made.outcome, 'done');
    standIn.refundInDashboard(payment.id, 5_000);
    await adopt();
    // What the dashboard gave back opens nothing to collect: ours gave back what was too much.
    await money.assertBalances(paid, { due: 10_000, collected: 20_000, open: 0, refunded: 10_000 });
  });

  /** Reservations whose payment and refund in the dashboard our rows have lost. */
  async function lostWithRefunds(count: number): Promise<PaidReservation[]> {
    const all: PaidReservation[] = [];
    for (let one = 0; one < count; one += 1) {
      const paid = await reserve();
      const page = standIn.sessions.get(await lostLink(paid))!;
      standIn.refundInDashboard(standIn.guest.payPage(page.url!)!.id, 5_000);
      all.push(paid);
    }
    return all;
  }

  async function areBookedOnce(all: readonly PaidReservation[]): Promise<void> {
    for (const paid of all) {
      const { collected, refunded } = await money.balances(paid);
      assert.deepEqual([collected, refunded], [20_000, 5_000]);
      const kinds = (await money.waits(paid)).map(({ kind }) => kind);
      assert.deepEqual(kinds, ['adopted']);
    }
    const effects = await sql(
      money.database,
      'SELECT outcome, count(*)::integer AS effects FROM adopted_effects WHERE checkout_id = ANY ($1) GROUP BY outcome',
      [all.map(({ checkoutId }) => checkoutId)],
    );
    assert.deepEqual(effects, [{ outcome: 'booked', effects: 2 * all.length }]);
  }

  const begun = () => money.database.transaction((executor) => declareEpoch(executor, 'restored'));
  const { signal } = new AbortController();
  const log = { warn: () => undefined };

  // Spec: RESTORE-2.
  test('two processes that compare at once book everything once', async () => {
    const all = await lostWithRefunds(6);
    const epoch = await begun();
    const { database } = money;
    const compare = async (): Promise<void> => {
      // As the loop of a process does, which tries again when the other one was faster.
      for (let tries = 1; ; tries += 1) {
        try {
          return await adoptEffects({ database, provider, log, signal }, epoch);
        } catch (error) {
          if (tries === 20) throw error;
        }
      }
    };
    await Promise.all([compare(), compare()]);
    await noteAdopted(database, epoch.epoch);
    await areBookedOnce(all);
  });

  // Spec: RESTORE-2.
  test('a process that is killed after any effect leaves the rest to the next', async () => {
    const all = await lostWithRefunds(3);
    const epoch = await begun();
    const { database } = money;
    let kills = 0;
    for (let isDone = false; !isDone;) {
      const dying: typeof database = {
        ...database,
        async transaction(work) {
          const earlier = await sql(database, 'SELECT provider_reference FROM adopted_effects');
          const result = await database.transaction(work);
          const now = await sql(database, 'SELECT provider_reference FROM adopted_effects');
          if (now.length > earlier.length) throw new Error('killed');
          return result;
        },
      };
      isDone = await adoptEffects({ database: dying, provider, log, signal }, epoch).then(
        () => true,
        (error: Error) => {
          assert.equal(error.message, 'killed');
          kills += 1;
          return false;
        },
      );
    }
    await noteAdopted(database, epoch.epoch);
    assert.equal(kills, 2 * all.length);
    await areBookedOnce(all);
  });

  // Spec: RESTORE-2.
  test('a sign of life from a wrong clock hides nothing: the last payment counts', async () => {
    const { payment } = await paidUnseen();
    await adopt();
    await money.pass('8 days');
    await sql(money.database, `UPDATE installation SET alive_at = now() + interval '61 days'`);
    const { epoch, listedSince } = await begun();
    await noteAdopted(money.database, epoch);
    await sql(money.database, 'UPDATE installation SET alive_at = now()');
    assert.ok(listedSince <= payment.created * 1_000 - 3_600_000 + 1_000);
  });

  // Spec: RESTORE-2.
  test('a dispute that began long before is known to have ended', async () => {
    const { paid, payment } = await paidUnseen();
    const dispute = standIn.dispute(payment.id);
    await adopt();
    await money.pass('40 days');
    await sql(money.database, 'UPDATE installation SET alive_at = now()');
    standIn.endDispute(dispute, 'lost');
    await adopt();
    assert.deepEqual(await outcomesOf(paid), [{ outcome: 'lost' }]);
    assert.equal((await money.balances(paid)).refunded, 20_000);
  });
});
