import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Checkout } from '../../../src/contract/partner/schemas/checkout.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import {
  commands,
  journeyTo,
  operationOf,
  type Command,
  type Journey,
} from '../../harness/journey.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { aged, allOf, eventsOf, sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const unsubmitted = ['needs_guest', 'needs_payment', 'ready'] as const;
const expiredNow = [409, 'quote_expired'] as const;

suite('a command on an expired quote', () => {
  let service: TestService;
  let testWorker: TestWorker;
  let card: Partner;
  let partner: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    card = await service.partner({ settlement: 'card' });
    partner = await service.partner();
  });
  after(() => service.stop());

  async function expiredQuoteJourney(state: Checkout['state'], who: Partner): Promise<Journey> {
    const journey = await journeyTo(state, who, testWorker);
    await aged.quote(service.database, journey.open.quote.quoteId);
    return journey;
  }

  async function unchanged(journey: Journey, act: () => Promise<unknown>): Promise<void> {
    const was = await allOf(service.database, journey.checkoutId);
    await act();
    assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
  }

  const cases = unsubmitted.flatMap((state) => [
    ...commands.map((command) => ({ state, command, settlement: 'card' as const })),
    ...(state === 'needs_payment' ? [] : (['saveGuest', 'applyPromo', 'submit'] as const)).map(
      (command) => ({ state, command, settlement: 'partner' as const }),
    ),
  ]);

  for (const { state, command, settlement } of cases) {
    // Spec: CHECKOUT-6.
    test(`${operationOf(command)} › 409 quote_expired › ${settlement}, ${state}: expired, version + 1, no event`, async () => {
      const journey = await expiredQuoteJourney(state, settlement === 'card' ? card : partner);
      const { checkoutId, version } = journey;
      const was = await journey.read();
      assert.equal(was.state, state, 'reading does not expire it');
      assert.equal(was.version, version);
      assert.deepEqual(was.nextActions, ['refresh_quote'], 'nothing is offered that must fail');
      const nextActions = ['refresh_quote'];
      assert.deepEqual(await journey.status(), { checkoutId, version, state, nextActions });
      await journey.refused(command, expiredNow);

      await unchanged(journey, async () => {
        await journey.refused(command, expiredNow);
        await journey.refused(command, expiredNow);
      });
      const sent = journey.body(command);
      const { updatedAt, ...now } = await journey.read();
      const { updatedAt: _, ...rest } = was;
      assert.deepEqual(now, {
        ...rest,
        version: version + 1,
        state: 'expired',
        nextActions: ['refresh_quote'],
        failure: { reason: 'quote_expired' },
      });
      assert.ok(updatedAt >= was.updatedAt);
      assert.deepEqual(await journey.status(), {
        checkoutId,
        version: version + 1,
        state: 'expired',
        nextActions: ['refresh_quote'],
        failure: { reason: 'quote_expired' },
      });
      await journey.refused(command, expiredNow, { body: sent });
      await journey.refused(command, [409, 'invalid_state']);
      const { applicationId } = journey.partner.credentials;
      assert.deepEqual(await eventsOf(service.database, applicationId), []);
    });
  }

  test('412 precondition_failed › a stale version expires nothing', async () => {
    const journey = await expiredQuoteJourney('ready', partner);
    await unchanged(journey, async () => {
      for (const expectedVersion of [1, 3]) {
        const body = { expectedVersion };
        await journey.refused('submit', [412, 'precondition_failed'], { body });
      }
    });
    await journey.refused('submit', expiredNow);
    await journey.refused('saveGuest', [412, 'precondition_failed'], {
      body: { expectedVersion: 2, guest: guest('other') },
    });
  });

  test('400, 403 and 422 expire nothing', async () => {
    const journey = await expiredQuoteJourney('ready', partner);
    await unchanged(journey, async () => {
      await journey.refused('submit', [400, 'invalid_input'], { body: { termsAccepted: false } });
      const session = 'wrong';
      await journey.refused('submit', [403, 'forbidden', 'session_capability'], { session });
      await journey.refused('setupPayment', [422, 'payment_not_required']);
      await journey.refused('verifyPayment', [422, 'payment_not_required']);
    });
  });

  test('a repeat of one that took effect expires nothing', async () => {
    const journey = await expiredQuoteJourney('ready', partner);
    const body = { expectedVersion: 1 };
    await unchanged(journey, async () => {
      const reply = await journey.send('saveGuest', { body });
      assert.equal(reply.status, 200);
      assert.equal((reply.body as Checkout).state, 'ready');
    });
    await journey.refused('submit', expiredNow);
    const reply = await journey.send('saveGuest', { body });
    assert.equal(reply.status, 200);
    assert.equal((reply.body as Checkout).state, 'expired');
  });

  test('quote_expired comes before terms_version and payment details', async () => {
    const journey = await expiredQuoteJourney('ready', partner);
    await journey.refused('submit', expiredNow, { body: { termsVersion: 'other' } });
    const paying = await expiredQuoteJourney('needs_payment', card);
    await paying.refused('verifyPayment', expiredNow, { body: { setupReference: 'other' } });
  });

  test('the promotion use is returned', async () => {
    const uses = async () => {
      const text = `SELECT uses FROM promotions WHERE code = 'WELCOME10'`;
      return (await sql<{ uses: number }>(service.database, text))[0]?.uses ?? -1;
    };
    const journey = await journeyTo('ready', partner, testWorker);
    const held = (await uses()) + 1;
    await journey.done('applyPromo');
    assert.equal(await uses(), held);
    await aged.quote(service.database, journey.open.quote.quoteId);
    await journey.refused('submit', expiredNow);
    await journey.refused('submit', expiredNow);
    assert.equal(await uses(), held - 1);
  });

  test('a setup in progress has no effect', async () => {
    const journey = await journeyTo('needs_payment', card, testWorker);
    await journey.done('setupPayment');
    await aged.quote(service.database, journey.open.quote.quoteId);
    await journey.refused('saveGuest', expiredNow);
    await unchanged(journey, () => testWorker.runDue());
    assert.equal((await journey.read()).state, 'expired');
  });

  test('ten concurrent commands: expired once, all are 409 quote_expired', async () => {
    const journey = await expiredQuoteJourney('ready', partner);
    const { version } = journey;
    const replies = await Promise.all(Array.from({ length: 10 }, () => journey.send('submit')));
    for (const reply of replies) {
      assert.equal(reply.status, 409);
      assert.match(reply.text, /quote_expired/);
    }
    assert.equal((await journey.read()).version, version + 1);
    const names: Command[] = ['saveGuest', 'submit'];
    for (const name of names) await journey.refused(name, [409, 'invalid_state']);
  });
});
