import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Checkout } from '../../../src/contract/partner/schemas/checkout.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import {
  begin,
  commands,
  journeyTo,
  operationOf,
  type Command,
  type Journey,
} from '../../harness/journey.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { allOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const status: Record<Command, number> = {
  saveGuest: 200,
  applyPromo: 200,
  setupPayment: 202,
  verifyPayment: 200,
  submit: 202,
};

suite('a repeated command', () => {
  let service: TestService;
  let testWorker: TestWorker;
  let card: Partner;

  // A quota that is used up stays so, however slow the machine is.
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' }, { elapsedMs: () => 0 });
    testWorker = await openTestWorker(service.database);
    card = await service.partner({ settlement: 'card' });
  });
  after(() => service.stop());

  /** Repeats a call; it must change nothing and return the current checkout. */
  async function again(journey: Journey, command: Command, sent: Record<string, unknown>) {
    const was = await allOf(service.database, journey.checkoutId);
    const reply = await journey.send(command, { body: sent });
    assert.ok(reply.status < 300, `${command}: ${reply.text}`);
    const now = command === 'submit' ? await journey.status() : await journey.read();
    assert.deepEqual(reply.body, now);
    assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
    return reply;
  }

  /** A whole card checkout, command by command; `each` is called after every one of them. */
  async function walk(
    who: Partner,
    each: (journey: Journey, command: Command, sent: Record<string, unknown>) => Promise<void>,
  ): Promise<Journey> {
    const journey = await begin(who);
    for (const command of commands) {
      const sent = journey.body(command);
      await journey.done(command);
      await each(journey, command, sent);
      if (command === 'setupPayment') await testWorker.runDue();
      await journey.read();
    }
    return journey;
  }

  test('immediately: the same response, no second effect', async () => {
    await walk(card, async (journey, command, sent) => {
      const reply = await again(journey, command, sent);
      assert.equal(reply.status, status[command]);
    });
  });

  // Spec: REPEAT-5.
  test('after all later ones: the current checkout', async () => {
    const sentBefore: [Command, Record<string, unknown>][] = [];
    const journey = await walk(card, async (_, command, sent) => {
      sentBefore.push([command, sent]);
    });
    const states: Checkout['state'][] = ['pending', 'confirmed'];
    for (const state of states) {
      assert.equal((await journey.read()).state, state);
      for (const [command, sent] of sentBefore) {
        const { body } = await again(journey, command, sent);
        assert.equal((body as Checkout).state, state);
      }
      await testWorker.runDue();
    }
  });

  test('submit after the resolution: no Retry-After', async () => {
    const journey = await journeyTo('ready', card, testWorker);
    const sent = journey.body('submit');
    await journey.done('submit');
    await testWorker.runDue();
    const reply = await again(journey, 'submit', sent);
    assert.equal(reply.status, 202);
    assert.equal(reply.headers.get('location'), `/v1/checkouts/${journey.checkoutId}/status`);
    assert.equal(reply.headers.get('retry-after'), null);
  });

  test('consumes no quota and works when none is left', async () => {
    const quotas = { write: 6 };
    const who = await service.partner({ settlement: 'card', quotas });
    const journey = await walk(who, async (on, command, sent) => {
      for (let times = 0; times < 3; times += 1) await again(on, command, sent);
    });
    const sent = journey.body('saveGuest');
    await journey.refused('saveGuest', [429, 'rate_limited']);
    const first = { ...sent, expectedVersion: 1 };
    await again(journey, 'saveGuest', first);
    const { checkoutId, quoteId } = journey.open.created;
    const body = { checkoutId, quoteId };
    await who.succeed('reservation.checkout.create', { body }, 200);
  });

  for (const command of commands) {
    test(`${operationOf(command)} › 412 precondition_failed › an old version with another input`, async () => {
      const journey = await begin(card);
      const other: Record<Command, Record<string, unknown>> = {
        saveGuest: { guest: { ...guest(), lastName: 'Byron' } },
        applyPromo: { code: 'FIFTYOFF' },
        setupPayment: { expectedVersion: 1 },
        verifyPayment: { paymentMethodId: 'pm_other' },
        submit: { termsVersion: 'other' },
      };
      for (const name of commands) {
        const sent = journey.body(name);
        await journey.done(name);
        if (name === command) {
          const body = { ...sent, ...other[command] };
          await journey.refused(command, [412, 'precondition_failed'], { body });
          return;
        }
        if (name === 'setupPayment') await testWorker.runDue();
        await journey.read();
      }
    });
  }

  test('inputs are compared by meaning, not by bytes', async () => {
    const journey = await begin(card);
    await journey.done('saveGuest');
    const { firstName, lastName, email, phone } = guest();
    const rawBody = `{ "guest" : { "phone":"${phone}", "email":"${email}", "lastName":"Lovel\\u0061ce",
      "firstName":"${firstName}" }, "expectedVersion": 1.0 }`;
    assert.equal(lastName, 'Lovelace');
    const input = { ...journey.open.at, rawBody };
    const checkout = await card.succeed('reservation.checkout.saveGuest', input, 200);
    assert.equal(checkout.version, 2);
  });

  test('with the latest version it is a new command', async () => {
    const journey = await begin(card);
    for (const version of [2, 3, 4]) {
      assert.equal((await journey.done('saveGuest')).version, version);
    }
  });

  test('on another checkout or by another operation it is a new command', async () => {
    const [one, other] = [await begin(card), await begin(card)];
    await one.done('saveGuest');
    assert.equal((await other.done('saveGuest')).version, 2);
    const body = { expectedVersion: 1 };
    await one.refused('setupPayment', [412, 'precondition_failed'], { body });
  });

  test('a refused command is decided again', async () => {
    const journey = await begin(card);
    const sent = journey.body('submit');
    await journey.refused('submit', [409, 'invalid_state'], { body: sent });
    await journey.done('saveGuest');
    await journey.refused('submit', [412, 'precondition_failed'], { body: sent });
  });
});
