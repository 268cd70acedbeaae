import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { Claim } from '../../src/bookings/store/booking-claims.ts';
import type { Payment } from '../../src/bookings/ports/payment.ts';
import { startWorker } from '../../src/bookings/worker/worker.ts';
import { takeStep } from '../../src/bookings/worker/steps.ts';
import type { Supply } from '../../src/bookings/ports/supply.ts';
import { eventually } from '../harness/eventually.ts';
import { aged, sql } from '../harness/rows.ts';
import { openResolution, type Making, type TestResolution } from './resolution.ts';

type Name = keyof Omit<Supply, 'definitionVersion' | 'openNights'> | PaymentName;
type PaymentName = `payment.${Exclude<keyof Payment, 'kind' | 'publishableKey'>}`;
type Answers = Partial<Record<Name, unknown>>;

const never = new Promise<never>(() => undefined);
const done = { outcome: 'done' };
const declined = { outcome: 'refused', reason: 'declined' };
const soldOut = { outcome: 'refused', reason: 'sold_out' };
const standing = (payment: string) => ({ ...done, payment });
const held = { ...done, stay: 'held' };
const confirmedStay = { ...done, stay: 'confirmed', announced: null };

// For all questions of a step; one has half of it. Enough for the simulation on a busy machine.
const askingMs = 800;
const everything = ['hold', 'recheck', 'payment.authorize', 'confirm', 'payment.capture'];
const undone = ['release'];

suite('the ports', () => {
  let resolution: TestResolution;
  let asked: string[] = [];
  /** What a port answers instead of the simulation's answer. */
  let answers: Answers = {};

  /** Names every call of a port in its order. */
  function recorded<P extends object>(real: P, prefix: string): P {
    const methods = Object.entries(real).filter(([, method]) => typeof method === 'function');
    const wrapped = methods.map(([method, ask]) => [
      method,
      (...args: unknown[]) => {
        const name = `${prefix}${method}`;
        // It only reads why nights were refused.
        if (name !== 'explain') asked.push(name);
        const instead = answers[name as Name];
        return instead === undefined
          ? ask(...args)
          : instead === never
            ? never
            : Promise.resolve(instead);
      },
    ]);
    return { ...real, ...Object.fromEntries(wrapped) };
  }

  before(async () => {
    resolution = await openResolution({
      supply: (real) => recorded(real, ''),
      payment: (real) => recorded(real, 'payment.'),
    });
    cardApplication = await resolution.application('card');
  });
  after(() => resolution.drop());
  beforeEach(() => {
    asked = [];
    answers = {};
  });

  let cardApplication: string;

  const cardCheckout = (making: Making = {}): Promise<string> =>
    resolution.make({ settlement: 'card', ...making }, cardApplication);

  async function claimOf(bookingId: string): Promise<Claim> {
    const claims = await resolution.testWorker.claim();
    const claim = claims.find(({ booking }) => booking.bookingId === bookingId);
    assert.ok(claim);
    return claim;
  }

  async function step(bookingId: string): Promise<void> {
    asked = [];
    await takeStep(resolution.testWorker.context, await claimOf(bookingId), askingMs);
  }

  async function lookAgain(bookingId: string): Promise<void> {
    await aged.due(resolution.database, bookingId, 3_700);
    await step(bookingId);
  }

  async function stands(bookingId: string): Promise<[state: string, reason: string | null]> {
    const text = 'SELECT state, failure_reason FROM bookings WHERE booking_id = $1';
    const [row] = await sql<{ state: string; failure_reason: string | null }>(
      resolution.database,
      text,
      [bookingId],
    );
    return [row!.state, row!.failure_reason];
  }

  async function unknownStepOf(bookingId: string): Promise<string | null> {
    const text = 'SELECT unknown_step FROM bookings WHERE booking_id = $1';
    const [row] = await sql<{ unknown_step: string | null }>(resolution.database, text, [
      bookingId,
    ]);
    return row!.unknown_step;
  }

  const leave = (bookingId: string) =>
    sql(resolution.database, 'UPDATE bookings SET due_at = NULL WHERE booking_id = $1', [
      bookingId,
    ]);

  // Spec: CARD-6.
  test('the order › card-paying: hold, recheck, authorize, confirm, capture', async () => {
    const id = await cardCheckout();
    await step(id);
    assert.deepEqual(asked, everything);
    assert.deepEqual(await stands(id), ['confirmed', null]);
  });

  for (const kind of ['checkout', 'request'] as const) {
    test(`the order › partner-settled ${kind}: hold, recheck, confirm`, async () => {
      const id = await resolution.make({ kind });
      await step(id);
      assert.deepEqual(asked, ['hold', 'recheck', 'confirm']);
      assert.deepEqual(await stands(id), ['confirmed', null]);
    });
  }

  const refusals: [at: Name, answer: unknown, reason: string, asked: string[]][] = [
    ['payment.authorize', declined, 'refused', everything.slice(0, 3)],
    ['confirm', soldOut, 'sold_out', everything.slice(0, 4)],
    ['payment.capture', declined, 'refused', everything],
  ];
  for (const [at, answer, reason, first] of refusals) {
    // Spec: RESOLUTION-7.
    test(`a refusal › at ${at}: what was done before is undone, failed ${reason}`, async () => {
      answers = { [at]: answer };
      const id = await cardCheckout();
      await step(id);
      assert.deepEqual(asked, [...first, ...undone]);
      assert.deepEqual(await stands(id), ['failed', reason]);
    });
  }

  for (const settlement of ['card', 'partner'] as const) {
    test(`a refusal › at hold, ${settlement}: there is nothing to undo`, async () => {
      answers = { hold: soldOut };
      const id = await (settlement === 'card' ? cardCheckout() : resolution.make());
      await step(id);
      assert.deepEqual(asked, ['hold']);
      assert.deepEqual(await stands(id), ['failed', 'sold_out']);
    });
  }

  test('a refusal › at hold, when it is tried again: what was done before is undone', async () => {
    answers = { hold: never };
    const id = await cardCheckout();
    await step(id);
    answers = { hold: soldOut };
    await lookAgain(id);
    assert.deepEqual(asked, ['lookUp', 'hold', ...undone]);
    assert.deepEqual(await stands(id), ['failed', 'sold_out']);
  });

  test('a refusal › at hold, after an authentication: what was done before is undone', async () => {
    answers = {
      'payment.authorize': { ...done, action: { clientSecret: 'secret', since: Date.now() } },
    };
    const id = await cardCheckout();
    await step(id);
    assert.deepEqual(await stands(id), ['requires_action', null]);
    const text = `UPDATE bookings SET state = 'pending', due_at = now(), unknown_step = 'authorize'
      WHERE booking_id = $1`;
    await sql(resolution.database, text, [id]);
    answers = { hold: soldOut };
    await step(id);
    assert.deepEqual(asked, ['lookUp', 'hold', ...undone]);
    assert.deepEqual(await stands(id), ['failed', 'sold_out']);
  });

  for (const settlement of ['card', 'partner'] as const) {
    test(`a refusal › at recheck, ${settlement}: only the nights are released, and no card is asked`, async () => {
      answers = { recheck: soldOut };
      const id = await (settlement === 'card' ? cardCheckout() : resolution.make());
      await step(id);
      assert.deepEqual(asked, ['hold', 'recheck', 'release']);
      assert.deepEqual(await stands(id), ['failed', 'sold_out']);
    });
  }

  const soldLater: [payment: string, asked: string[], ends: [string, string | null]][] = [
    ['none', undone, ['failed', 'sold_out']],
    ['authorized', ['confirm', ...undone], ['failed', 'sold_out']],
    // The supply had confirmed before.
    ['captured', ['confirm', 'payment.lookUp'], ['confirmed', null]],
  ];
  for (const [payment, more, ends] of soldLater) {
    test(`a refusal › at recheck and confirm, with a payment of an earlier try that is ${payment}: ${ends.join(' ')}`, async () => {
      answers = { 'payment.authorize': never };
      const id = await cardCheckout();
      await step(id);
      const sold = { lookUp: held, recheck: soldOut, confirm: soldOut };
      answers = { ...sold, 'payment.lookUp': standing(payment) };
      await lookAgain(id);
      assert.deepEqual(asked, ['lookUp', 'hold', 'recheck', 'payment.lookUp', ...more]);
      assert.deepEqual(await stands(id), ends);
    });
  }

  test('recheck hangs › the booking goes on', async () => {
    answers = { recheck: never };
    const id = await cardCheckout();
    await step(id);
    assert.deepEqual(asked, everything);
    assert.deepEqual(await stands(id), ['confirmed', null]);
  });

  test('a refusal › partner-settled: only the nights are released', async () => {
    answers = { confirm: soldOut };
    const id = await resolution.make();
    await step(id);
    assert.deepEqual(asked, ['hold', 'recheck', 'confirm', 'release']);
    assert.deepEqual(await stands(id), ['failed', 'sold_out']);
  });

  test('a refusal › release hangs: nothing is final until the nights are known to be free', async () => {
    answers = { confirm: soldOut, release: never };
    const id = await cardCheckout();
    await step(id);
    assert.deepEqual(await stands(id), ['uncertain', null]);
    assert.equal(await unknownStepOf(id), 'undo');
    answers = { lookUp: soldOut };
    await lookAgain(id);
    assert.deepEqual(asked, ['lookUp', ...undone]);
    assert.deepEqual(await stands(id), ['failed', 'sold_out']);
  });

  /** The step with unknown result, and the port calls of the next try. */
  const unknowns: [at: Name, step: string, found: Answers, again: string[]][] = [
    ['hold', 'hold', {}, ['lookUp', 'hold', 'recheck', 'payment.lookUp', ...everything.slice(2)]],
    [
      'hold',
      'hold',
      { lookUp: held },
      ['lookUp', 'hold', 'recheck', 'payment.lookUp', ...everything.slice(2)],
    ],
    [
      'payment.authorize',
      'authorize',
      { lookUp: held, 'payment.lookUp': standing('none') },
      ['lookUp', 'hold', 'recheck', 'payment.lookUp', ...everything.slice(2)],
    ],
    [
      'payment.authorize',
      'authorize',
      { lookUp: held, 'payment.lookUp': standing('authorized') },
      ['lookUp', 'hold', 'recheck', 'payment.lookUp', 'confirm', 'payment.capture'],
    ],
    [
      'confirm',
      'confirm',
      { lookUp: confirmedStay, 'payment.lookUp': standing('authorized') },
      ['lookUp', 'payment.lookUp', 'payment.capture'],
    ],
    [
      'confirm',
      'confirm',
      { lookUp: held, 'payment.lookUp': standing('authorized') },
      ['lookUp', 'hold', 'recheck', 'payment.lookUp', 'confirm', 'payment.capture'],
    ],
    [
      'payment.capture',
      'capture',
      { lookUp: confirmedStay, 'payment.lookUp': standing('captured') },
      ['lookUp', 'payment.lookUp'],
    ],
    [
      'payment.capture',
      'capture',
      { lookUp: confirmedStay, 'payment.lookUp': standing('authorized') },
      ['lookUp', 'payment.lookUp', 'payment.capture'],
    ],
  ];
  for (const [at, unknownStep, found, again] of unknowns) {
    test(`${at} hangs › uncertain; ${JSON.stringify(found)} is found: ${again.join(', ')}`, async () => {
      answers = { [at]: never };
      const id = await cardCheckout();
      await step(id);
      assert.equal(asked.at(-1), at);
      assert.deepEqual(await stands(id), ['uncertain', null]);
      assert.equal(await unknownStepOf(id), unknownStep);
      answers = found;
      await lookAgain(id);
      assert.deepEqual(asked, again);
      assert.deepEqual(await stands(id), ['confirmed', null]);
      assert.equal(await unknownStepOf(id), null);
    });
  }

  test('hold hangs › a request becomes unresolved', async () => {
    answers = { hold: never };
    const id = await resolution.make({ kind: 'request' });
    await step(id);
    assert.deepEqual(await stands(id), ['unresolved', null]);
    answers = {};
    await lookAgain(id);
    assert.deepEqual(await stands(id), ['confirmed', null]);
  });

  test('lookUp hangs › it is looked up again, and nothing else is asked', async () => {
    answers = { hold: never };
    const id = await cardCheckout();
    await step(id);
    answers = { lookUp: never };
    for (let round = 0; round < 3; round += 1) {
      await lookAgain(id);
      assert.deepEqual(asked, ['lookUp']);
      assert.deepEqual(await stands(id), ['uncertain', null]);
      assert.equal(await unknownStepOf(id), 'hold');
    }
    answers = {};
    await lookAgain(id);
    assert.deepEqual(await stands(id), ['confirmed', null]);
  });

  test('payment.lookUp hangs › the card is not asked again', async () => {
    answers = { 'payment.authorize': never };
    const id = await cardCheckout();
    await step(id);
    answers = { 'payment.lookUp': never };
    await lookAgain(id);
    assert.deepEqual(asked, ['lookUp', 'hold', 'recheck', 'payment.lookUp']);
    assert.deepEqual(await stands(id), ['uncertain', null]);
    await leave(id);
  });

  test('a later step hangs when it is tried again › that one is recorded', async () => {
    answers = { hold: never };
    const id = await cardCheckout();
    await step(id);
    answers = { confirm: never };
    await lookAgain(id);
    assert.equal(await unknownStepOf(id), 'confirm');
    answers = {};
    await lookAgain(id);
    assert.deepEqual(asked, ['lookUp'], 'the supplier may have lost what it was asked');
    assert.deepEqual(await stands(id), ['uncertain', null]);
    await leave(id);
  });

  test('one after the other hangs › all together they end before the lease', async () => {
    const slow = (ms: number) => () => sleep(ms, done);
    const { context } = resolution.testWorker;
    const id = await cardCheckout();
    const claim = await claimOf(id);
    const supply = { ...context.supply, hold: slow(80) as Supply['hold'] };
    const payment = {
      ...context.payment,
      authorize: (() => sleep(80, { ...done, action: null })) as Payment['authorize'],
    };
    const since = performance.now();
    answers = { confirm: never };
    await takeStep({ ...context, supply, payment }, claim, 200);
    const took = performance.now() - since;
    assert.ok(took < 1_500, `${took} ms`);
    assert.deepEqual(await stands(id), ['uncertain', null]);
    await leave(id);
  });

  test('setup hangs › failed, unresolved; it can be asked for again', async () => {
    const id = await cardCheckout({ state: 'needs_payment' });
    const ask = `UPDATE bookings SET payment_state = 'pending', payment_attempts = 1,
      payment_requested_at = now(), due_at = now() WHERE booking_id = $1`;
    await sql(resolution.database, ask, [id]);
    answers = { 'payment.setup': never };
    await step(id);
    const { checkout } = await resolution.checkout(id);
    assert.equal(checkout.paymentSetup?.state, 'failed');
    assert.equal(checkout.paymentSetup.failure, 'unresolved');
  });

  test('the authorization asks the guest to act › requires_action, then the same way again', async () => {
    answers = {
      'payment.authorize': { ...done, action: { clientSecret: 'secret', since: Date.now() } },
    };
    const id = await cardCheckout();
    await step(id);
    assert.deepEqual(asked, everything.slice(0, 3));
    assert.deepEqual(await stands(id), ['requires_action', null]);
    const back = `UPDATE bookings SET state = 'pending', version = version + 1, due_at = now()
      WHERE booking_id = $1`;
    await sql(resolution.database, back, [id]);
    answers = {};
    await step(id);
    assert.deepEqual(asked, everything);
    assert.deepEqual(await stands(id), ['confirmed', null]);
  });

  test('the guest does not act within the hour › the nights are released', async () => {
    answers = {
      'payment.authorize': { ...done, action: { clientSecret: 'secret', since: Date.now() } },
    };
    const id = await cardCheckout();
    await step(id);
    answers = { release: never };
    await lookAgain(id);
    assert.deepEqual(asked, undone);
    assert.deepEqual(await stands(id), ['requires_action', null]);
    answers = {};
    await lookAgain(id);
    assert.deepEqual(asked, undone);
    assert.deepEqual(await stands(id), ['failed', 'refused']);
  });

  test('the authorization asks the guest to act when nobody can be asked any more › failed, undone', async () => {
    answers = { hold: never };
    const id = await cardCheckout();
    await step(id);
    answers = {
      'payment.authorize': { ...done, action: { clientSecret: 'secret', since: Date.now() } },
    };
    await lookAgain(id);
    assert.deepEqual(asked.slice(-1), undone);
    assert.deepEqual(await stands(id), ['failed', 'refused']);
  });

  test('64 calls hang › the 65th booking resolves, and stop does not wait for them', async () => {
    const hanging = await Promise.all(Array.from({ length: 64 }, () => cardCheckout()));
    answers = { hold: never };
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const worker = startWorker({ ...resolution.testWorker.context, log, leaseSeconds: 3 });
    await eventually(async () => asked.filter((name) => name === 'hold').length >= 64, 10_000);
    assert.equal(worker.leaseSeconds(), null, 'all slots are taken');
    answers = {};
    const later = await resolution.make();
    worker.wake();
    await eventually(async () => (await stands(later))[0] === 'confirmed', 10_000);
    await eventually(async () => {
      const stood = await Promise.all(hanging.map(stands));
      return stood.every(([state]) => state === 'confirmed');
    }, 30_000);
    const stopped = worker.stop();
    await stopped;
    for (const id of hanging) {
      const { reservations } = await reservationsOf(id);
      assert.equal(reservations, 1);
    }
  });

  async function reservationsOf(bookingId: string): Promise<{ reservations: number }> {
    const text = `SELECT count(*)::integer AS reservations FROM reservations WHERE booking_id = $1`;
    const [row] = await sql<{ reservations: number }>(resolution.database, text, [bookingId]);
    return row!;
  }
});
