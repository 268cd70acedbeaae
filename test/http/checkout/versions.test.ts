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
  type Sending,
} from '../../harness/journey.ts';
import type { Partner } from '../../harness/partner.ts';
import { allOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

/** A state from which each command takes effect. */
const from: Record<Command, Checkout['state']> = {
  saveGuest: 'needs_guest',
  applyPromo: 'needs_payment',
  setupPayment: 'needs_payment',
  verifyPayment: 'requires_action',
  submit: 'ready',
};

suite('expectedVersion', () => {
  let service: TestService;
  let testWorker: TestWorker;
  let card: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    card = await service.partner({ settlement: 'card' });
  });
  after(() => service.stop());

  async function unchanged(journey: Journey, act: () => Promise<unknown>): Promise<void> {
    const was = await allOf(service.database, journey.checkoutId);
    await act();
    assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
  }

  for (const command of commands) {
    const operation = operationOf(command);
    let shared: Promise<Journey> | undefined;
    const reach = () => (shared ??= journeyTo(from[command], card, testWorker));

    test(`${operation} › 412 precondition_failed › stale and future versions`, async () => {
      const journey = await reach();
      const { version } = journey;
      const wrong = [version - 1, version + 1, 2_147_483_647].filter((number) => number > 0);
      for (const expectedVersion of wrong) {
        await unchanged(journey, async () => {
          await journey.refused(command, [412, 'precondition_failed'], {
            body: { expectedVersion },
          });
          await journey.refused(command, [412, 'precondition_failed'], {
            body: { expectedVersion: undefined },
            headers: { 'if-match': `"${expectedVersion}"` },
          });
        });
      }
    });

    test(`${operation} › 400 invalid_input › invalid versions`, async () => {
      const journey = await reach();
      const { version } = journey;
      const none = { expectedVersion: undefined };
      const match = (tag: string): Sending => ({ body: none, headers: { 'if-match': tag } });
      const cases: [sending: Sending, path: string][] = [
        [{ body: none }, '/expectedVersion'],
        [{ body: { expectedVersion: String(version) } }, '/expectedVersion'],
        [{ body: { expectedVersion: version + 0.5 } }, '/expectedVersion'],
        [{ body: { expectedVersion: 0 } }, '/expectedVersion'],
        [{ body: { expectedVersion: -version } }, '/expectedVersion'],
        [{ body: { expectedVersion: 2_147_483_648 } }, '/expectedVersion'],
        [{ body: { expectedVersion: null } }, '/expectedVersion'],
        [match(`W/"${version}"`), 'header/if-match'],
        [match('*'), 'header/if-match'],
        [match(`"${version}", "${version + 1}"`), 'header/if-match'],
        [match(String(version)), 'header/if-match'],
        [match(`"0${version}"`), 'header/if-match'],
        [match('"0"'), 'header/if-match'],
        [match('"2147483648"'), 'header/if-match'],
        [match('"x"'), 'header/if-match'],
        [match(''), 'header/if-match'],
        [{ headers: { 'if-match': `"${version + 1}"` } }, 'header/if-match'],
        [{ headers: { 'if-match': '*' } }, 'header/if-match'],
      ];
      await unchanged(journey, async () => {
        for (const [sending, path] of cases) {
          const error = await journey.refused(command, [400, 'invalid_input'], sending);
          assert.deepEqual(wrongPaths(error), [path], JSON.stringify(sending));
        }
      });
    });

    test(`${operation} › If-Match › instead of expectedVersion, or agreeing with it`, async () => {
      const journey = await reach();
      const tag = `"${journey.version}"`;
      const headers = { 'if-match': tag };
      const body = { expectedVersion: undefined };
      const first = await journey.send(command, { headers, body });
      assert.ok(first.status < 300, first.text);
      const { version } = first.body as Checkout;
      assert.equal(version, journey.version + 1);
      await unchanged(journey, async () => {
        for (const sending of [{ headers, body }, { headers }, {}]) {
          const again = await journey.send(command, sending);
          assert.equal(
            again.status,
            first.status,
            'the same command, however it names its version',
          );
          assert.deepEqual(again.body, first.body);
        }
      });
    });
  }

  test('reservation.checkout.submit › 412 precondition_failed › comes before 409 invalid_state', async () => {
    const journey = await journeyTo('needs_guest', card, testWorker);
    const body = { expectedVersion: 2 };
    await journey.refused('submit', [412, 'precondition_failed'], { body });
    await journey.refused('submit', [409, 'invalid_state']);
  });

  test('reservation.checkout.saveGuest › the ETag of a read works as If-Match', async () => {
    const journey = await journeyTo('needs_guest', card, testWorker);
    const { headers } = await card.call('reservation.checkout.get', journey.open.at);
    const sending = {
      body: { expectedVersion: undefined },
      headers: { 'if-match': String(headers.get('etag')) },
    };
    await journey.done('saveGuest', sending);
  });
});
