import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { operationIds, rowOf, type OperationId } from '../../../src/contract/partner/operations.ts';
import { assertError } from '../../harness/journey.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { inputOf, invalidPaths, wellFormed } from '../../harness/well-formed.ts';
import { uuidV8 } from '../../harness/uuids.ts';

type Body = Record<string, unknown>;

// A request for a change needs a reservation: `reservation/change-requests.test.ts` has its repeats.
const creates = operationIds.filter(
  (id) => rowOf(id).creates !== undefined && id !== 'reservation.change.request',
);

const notKeys = ['', ' ', 'a b', 'a\tb', 'k'.repeat(256), 'caf\u00e9', '\u00a0', 'a, b'];
const keys = ['k', 'k'.repeat(255), '!~', '"quoted"', randomUUID()];

suite('Idempotency-Key', () => {
  let service: TestService;
  let partner: Partner;
  let other: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
    other = await service.partner();
  });
  after(() => service.stop());

  /** A body without its ID that this partner's create takes, made anew each time. */
  const inputs: Record<string, (caller: Partner) => Promise<Body>> = {
    'reservation.quote.create': async (caller) => ({ ...(await caller.freeStay()) }),
    'reservation.checkout.create': async (caller) => ({
      quoteId: (await caller.quote()).quoteId,
    }),
    'reservation.reservationRequest.create': async (caller) => {
      const { quoteId, terms } = await caller.quote();
      return { quoteId, termsVersion: terms.version, termsAccepted: true, guest: guest() };
    },
    'cdp.signal.capture': async () => ({ name: 'search_submitted', routeFamily: 'home' }),
  };

  const create = async (
    id: OperationId,
    key: string,
    body: Body,
    caller = partner,
  ): Promise<{ status: number; resourceId: string }> => {
    const headers = { 'idempotency-key': key };
    const reply = await caller.call(id, { headers, rawBody: JSON.stringify(body) });
    assert.ok(reply.status < 300, reply.text);
    const resourceId = (reply.body as Record<string, string>)[rowOf(id).creates!]!;
    return { status: reply.status, resourceId };
  };

  test('every create is tested', () => {
    assert.deepEqual(Object.keys(inputs).toSorted(), creates.toSorted());
  });

  for (const id of creates) {
    const member = rowOf(id).creates!;
    const repeated = id === 'reservation.reservationRequest.create' ? 202 : 200;
    const made = repeated === 202 ? 202 : 201;
    const whole = wellFormed(id);
    const { [member]: _, ...unnamed } = whole.body!;

    test(`${id} › 400 invalid_input › not 1 to 255 visible ASCII characters`, async () => {
      for (const body of [unnamed, whole.body!]) {
        for (const key of notKeys) {
          const input = inputOf({ ...whole, body, headers: { 'idempotency-key': key } });
          const paths = await invalidPaths(partner, id, input);
          assert.deepEqual(paths, ['header/idempotency-key'], JSON.stringify(key));
        }
      }
    });

    test(`${id} › 400 invalid_input › neither ID nor key`, async () => {
      const input = inputOf({ ...whole, body: unnamed, headers: {} });
      assert.deepEqual(await invalidPaths(partner, id, input), [`/${member}`]);
    });

    // Spec: REPEAT-4.
    test(`${id} › ${made} › derives a UUIDv8, and ${repeated} finds the same resource`, async () => {
      const body = await inputs[id]!(partner);
      const key = randomUUID();
      const first = await create(id, key, body);
      assert.equal(first.status, made);
      assert.match(first.resourceId, uuidV8);
      const again = await create(id, key, body);
      assert.deepEqual(again, { status: repeated, resourceId: first.resourceId });
      // By its ID it is the same resource too.
      const byId = await create(id, 'another', { ...body, [member]: first.resourceId });
      assert.deepEqual(byId, { status: repeated, resourceId: first.resourceId });
    });

    test(`${id} › 409 conflict › the same key with other input`, async () => {
      const key = randomUUID();
      await create(id, key, await inputs[id]!(partner));
      const changed: Body =
        id === 'cdp.signal.capture'
          ? { name: 'search_submitted', routeFamily: 'search' }
          : id === 'reservation.quote.create'
            ? { ...(await inputs[id]!(partner)), party: { adults: 1 } }
            : await inputs[id]!(partner);
      const error = await partner.refused(id, {
        headers: { 'idempotency-key': key },
        rawBody: JSON.stringify(changed),
      });
      assertError(error, [409, 'conflict', 'different_input']);
    });

    test(`${id} › keys differ by every character, and by application`, async () => {
      const seen = new Set<string>();
      for (const key of [...keys, 'K']) {
        const { resourceId } = await create(id, key, await inputs[id]!(partner));
        seen.add(resourceId);
      }
      seen.add((await create(id, keys[0]!, await inputs[id]!(other), other)).resourceId);
      assert.equal(seen.size, keys.length + 2);
    });

    test(`${id} › both › the ID in the body counts`, async () => {
      const key = randomUUID();
      const named = randomUUID();
      const first = await create(id, key, { ...(await inputs[id]!(partner)), [member]: named });
      assert.deepEqual(first, { status: made, resourceId: named });
      const second = await create(id, key, await inputs[id]!(partner));
      assert.equal(second.status, made, 'the key names another resource');
      assert.notEqual(second.resourceId, named);
    });
  }

  test('one key names different resources in different operations', async () => {
    const key = randomUUID();
    const ids = new Set<string>();
    for (const id of creates) {
      ids.add((await create(id, key, await inputs[id]!(partner))).resourceId);
    }
    assert.equal(ids.size, creates.length);
  });

  test('is ignored by operations that create nothing', async () => {
    const headers = { 'idempotency-key': 'a b' };
    await partner.succeed('distribution.site.get', { headers }, 200);
    const stay = await partner.freeStay();
    const { checkIn, checkOut, party } = stay;
    const body = { checkIn, checkOut, party };
    await partner.succeed('distribution.listing.search', { headers, body }, 200);
  });
});
