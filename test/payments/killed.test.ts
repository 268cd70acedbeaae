/** A worker that is killed at any point of a booking, and an operator who forbids the booking meanwhile. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Checkout } from '../../src/bookings/rules/booking.ts';
import { claimDueBookings, type Claim } from '../../src/bookings/store/booking-claims.ts';
import { createInventorySupply } from '../../src/bookings/ports/inventory-supply.ts';
import { reconcilePatiently } from '../../src/bookings/rules/reconcile.ts';
import { takeStep, type StepContext } from '../../src/bookings/worker/steps.ts';
import { createCardPayments } from '../../src/payments/card-payments.ts';
import { type CardProvider, createStripeProvider } from '../../src/payments/index.ts';
import { believed } from '../../src/platform/clock.ts';
import { returnPayment } from '../../src/payments/returns/return-payment.ts';
import { claimReturns } from '../../src/payments/store/returns.ts';
import { sql } from '../harness/rows.ts';
import { standInFetch } from '../harness/stripe/in-process.ts';
import { StandIn } from '../harness/stripe/stand-in.ts';
import { Countdown, Killed, never, ticking, tickingProvider } from './countdown.ts';
import { readCheckout, runCommand, type Command } from './simulation/api.ts';
import { differencesOf } from './simulation/invariants.ts';
import {
  makeApplication,
  makeCheckout,
  openSharedSystem,
  type SharedSystem,
} from './simulation/system.ts';

const finals = ['confirmed', 'failed'];

type Opened = StepContext & { provider: CardProvider };

suite('a worker that is killed while it books', () => {
  let shared: SharedSystem;
  before(async () => {
    shared = await openSharedSystem();
  });
  after(() => shared.drop());

  const pass = (ms: number) => shared.clock.set(shared.clock.now() + ms);

  /** A process with its own stand-in. */
  async function open(standIn: StandIn, countdown: Countdown): Promise<Opened> {
    const executor = ticking(shared.database, countdown);
    const settings = {
      secretKey: 'sk_test_standin',
      publishableKey: 'pk_test_standin',
      apiUrl: null,
    };
    const provider = tickingProvider(
      await createStripeProvider(settings, standInFetch(standIn)),
      countdown,
    );
    return {
      executor,
      provider,
      catalog: shared.catalog,
      supply: createInventorySupply(executor),
      payment: createCardPayments({ executor, provider }),
      reconcileInSeconds: reconcilePatiently,
      uncertainHours: 24,
      clock: believed,
    };
  }

  /** Submits a checkout with a card that pays. Returns the claim of the worker that books. */
  async function submit(standIn: StandIn, context: StepContext) {
    const applicationId = await makeApplication(shared);
    const checkoutId = await makeCheckout(shared, applicationId, { due: 'half now', inDays: 40 });
    const at = { executor: context.executor, context };
    const read = async () => (await readCheckout(at, applicationId, checkoutId)) as Checkout;
    const claims: Claim[] = [];
    const send = async (command: Pick<Command, 'name' | 'card'>) => {
      const { version: expectedVersion } = await read();
      const named = { ...command, applicationId, checkoutId, expectedVersion };
      return runCommand(at, named, (claim) => claims.push(claim));
    };
    await send({ name: 'setupPayment' });
    await takeStep(context, claims.pop()!);
    const { reference, clientSecret } = (await read()).paymentSetup!;
    const paymentMethodId = standIn.guest.confirmSetup(clientSecret!, 'pm_card_visa')!;
    await send({ name: 'verifyPayment', card: { setupReference: reference!, paymentMethodId } });
    await send({ name: 'submit' });
    return { applicationId, checkoutId, read, claim: claims.pop()! };
  }

  /** Lets other processes give back what must not be kept, until nothing is looked for any more. */
  async function giveBack({ executor, provider }: Opened): Promise<void> {
    for (let rounds = 0; rounds < 200; rounds += 1) {
      const claims = await claimReturns(executor, 8, 30);
      for (const claim of claims) await returnPayment({ executor, provider }, claim);
      const [unfinished] = await sql(
        shared.database,
        'SELECT FROM payment_returns WHERE due_at IS NOT NULL',
      );
      if (!unfinished) return;
      if (claims.length === 0) await pass(900_000);
    }
    throw new Error('something is still to go back');
  }

  /** Lets other processes work until the checkout has its outcome. */
  async function finish(context: Opened, read: () => Promise<Checkout>): Promise<Checkout> {
    for (let minutes = 0; minutes < 30; minutes += 1) {
      const checkout = await read();
      if (finals.includes(checkout.state)) {
        await giveBack(context);
        return checkout;
      }
      await pass(60_000);
      const { claims } = await claimDueBookings(context.executor, 8, 15);
      for (const claim of claims) await takeStep(context, claim);
    }
    throw new Error('there is no outcome');
  }

  const isKilled = (error: unknown): true => {
    if (error instanceof Killed) return true;
    throw error;
  };

  test('what was captured stays booked, also if the application is suspended before it is known', async () => {
    const outcomes = new Set<string>();
    for (let steps = 0; ; steps += 1) {
      const standIn = new StandIn({ firstNumber: steps * 1_000 + 1, now: shared.clock.now });
      const context = await open(standIn, never);
      const { applicationId, checkoutId, read, claim } = await submit(standIn, context);
      const killed = await takeStep(await open(standIn, new Countdown(steps)), claim).then(
        () => false,
        isKilled,
      );
      const isCaptured = standIn.ledger.some(({ kind }) => kind === 'captured');
      const suspend = 'UPDATE applications SET suspended_at = now() WHERE application_id = $1';
      await sql(shared.database, suspend, [applicationId]);
      const { state, failureReason } = await finish(context, read);
      const expected = isCaptured ? ['confirmed', null] : ['failed', 'authority_revoked'];
      assert.deepEqual([state, failureReason], expected, `killed after ${steps} steps`);
      const sides = { checkoutIds: [checkoutId], standIn, seen: new Map(), seenByStaff: new Map() };
      assert.deepEqual(await differencesOf(shared.database, sides), [], `${steps} steps`);
      await sql(shared.database, 'DELETE FROM occupancies');
      outcomes.add(state);
      if (!killed) break;
    }
    assert.deepEqual([...outcomes].toSorted(), finals);
  });
});
