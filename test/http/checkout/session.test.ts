import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { OperationId } from '../../../src/contract/partner/operations.ts';
import { assertError, begin, commands, operationOf, type Journey } from '../../harness/journey.ts';
import type { CallInput, Partner } from '../../harness/partner.ts';
import { aged, allOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const reads = [
  'reservation.checkout.get',
  'reservation.checkout.getStatus',
  'reservation.checkout.getConfirmation',
] as const;

/** Every operation on a checkout, with a body that would otherwise be taken. */
const operations: [id: OperationId, body: (journey: Journey) => object | null][] = [
  ...reads.map((id): [OperationId, () => null] => [id, () => null]),
  ...commands.map((command): [OperationId, (journey: Journey) => object] => [
    operationOf(command),
    (journey) => journey.body(command),
  ]),
];

suite('Session-Capability', () => {
  let service: TestService;
  let card: Partner;
  let partner: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    card = await service.partner({ settlement: 'card' });
    partner = await service.partner();
  });
  after(() => service.stop());

  const input = (
    journey: Journey,
    body: object | null,
    session: string | undefined,
  ): CallInput<OperationId> => ({
    params: { checkoutId: journey.checkoutId },
    ...(session !== undefined && { session }),
    ...(body && { rawBody: JSON.stringify(body) }),
  });

  async function forbidden(
    journey: Journey,
    id: OperationId,
    body: object | null,
    session: string | undefined,
    reason = 'session_capability',
  ): Promise<void> {
    const was = await allOf(service.database, journey.checkoutId);
    const error = await journey.partner.refused(id, input(journey, body, session));
    assertError(error, [403, 'forbidden', reason]);
    assert.equal(error.headers.get('www-authenticate'), null);
    assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
  }

  for (const [id, bodyOf] of operations) {
    // Spec: SESSION-2.
    test(`${id} › 403 forbidden › session_capability: missing, empty, wrong, another checkout's`, async () => {
      const journey = await begin(card);
      const other = await begin(card);
      const right = journey.open.at.session;
      const wrong = [
        undefined,
        '',
        'x',
        randomBytes(32).toString('base64url'),
        other.open.at.session,
        right.slice(0, -1),
        `${right}A`,
        right.toUpperCase(),
      ];
      for (const session of wrong) await forbidden(journey, id, bodyOf(journey), session);
    });

    test(`${id} › 403 forbidden › session_expired: 24 hours after the checkout was created`, async () => {
      const journey = await begin(card);
      await aged.session(service.database, journey.checkoutId);
      const right = journey.open.at.session;
      await forbidden(journey, id, bodyOf(journey), right, 'session_expired');
      await forbidden(journey, id, bodyOf(journey), 'wrong');
    });

    test(`${id} › 404 not_found › an unknown checkout and another application's, session or not`, async () => {
      const journey = await begin(partner);
      const { session } = journey.open.at;
      const body = bodyOf(journey);
      for (const checkoutId of [journey.checkoutId, randomUUID()]) {
        for (const given of [session, undefined]) {
          const asked = { ...input(journey, body, given), params: { checkoutId } };
          assertError(await card.refused(id, asked), [404, 'not_found']);
        }
      }
    });
  }

  // Spec: SESSION-4.
  test('Session-Capability › is valid until the last minute of its 24 hours', async () => {
    const journey = await begin(card);
    await aged.session(service.database, journey.checkoutId, 24 * 3_600 - 60);
    assert.equal((await journey.read()).state, 'needs_guest');
    await journey.done('saveGuest');
  });

  test('Session-Capability › comes after validation and before settlement, repeat, version and state', async () => {
    const journey = await begin(partner);
    const { checkoutId } = journey;
    const saved = journey.body('saveGuest');
    await journey.done('saveGuest');
    const wrongBody = { params: { checkoutId }, rawBody: '{}' };
    const invalid = await partner.refused('reservation.checkout.saveGuest', wrongBody);
    assert.equal(invalid.code, 'invalid_input');
    await forbidden(journey, 'reservation.checkout.setupPayment', { expectedVersion: 2 }, 'wrong');
    await forbidden(journey, 'reservation.checkout.saveGuest', saved, 'wrong');
    const stale = { ...saved, expectedVersion: 9 };
    await forbidden(journey, 'reservation.checkout.saveGuest', stale, 'wrong');
  });

  // Spec: SESSION-1.
  test('Session-Capability › a checkout ID alone gives no access, not even to its creator', async () => {
    const journey = await begin(partner);
    for (const id of reads) await forbidden(journey, id, null, undefined);
  });
});
