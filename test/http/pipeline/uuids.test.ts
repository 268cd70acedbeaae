import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { operationIds, rowOf } from '../../../src/contract/partner/operations.ts';
import { begin } from '../../harness/journey.ts';
import type { Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { inputOf, invalidPaths, placesOf, wellFormed, withAt } from '../../harness/well-formed.ts';

const nil = '00000000-0000-0000-0000-000000000000';
const max = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const some = '01a406c7-566a-7c77-a1e5-969f7edd4981';

const notUuids = [
  '',
  'none',
  `urn:uuid:${some}`,
  `URN:UUID:${some}`,
  `{${some}}`,
  some.replaceAll('-', ''),
  some.slice(0, -1),
  `${some}0`,
  ` ${some}`,
  `${some}\n`,
  some.replace('0', 'g'),
  some.replace('a', 'а'),
  some.replace('-', '_'),
  some.replace('-', ''),
];

suite('UUIDs', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
  });
  after(() => service.stop());

  for (const id of operationIds) {
    const whole = wellFormed(id);
    const { params, query } = rowOf(id);
    for (const { pointer } of placesOf(id).filter(({ shape }) => shape.format === 'uuid')) {
      test(`${id} › 400 invalid_input › ${pointer}`, async () => {
        for (const text of notUuids) {
          const body = withAt(whole.body!, pointer, text);
          assert.deepEqual(await invalidPaths(partner, id, inputOf({ ...whole, body })), [pointer]);
        }
      });

      // Spec: CALL-7.
      test(`${id} › ${pointer} › Nil, Max, any version and capitals are accepted`, async () => {
        for (const text of [nil, max, some.toUpperCase(), some.replace('-7', '-F')]) {
          const body = withAt(whole.body!, pointer, text);
          const { body: response } = await partner.call(id, inputOf({ ...whole, body }));
          const fields = JSON.stringify(
            (response as { error?: { details?: object } }).error?.details,
          );
          assert.ok(!fields?.includes('UUID'), `${text}: ${fields}`);
        }
      });
    }

    for (const [name, shape] of Object.entries(params?.properties ?? {})) {
      if ((shape as { format?: string }).format !== 'uuid') continue;
      test(`${id} › 400 invalid_input › path › ${name}`, async () => {
        for (const text of notUuids.filter(Boolean)) {
          const input = inputOf({ ...whole, params: { [name]: text } });
          assert.deepEqual(await invalidPaths(partner, id, input), [`path/${name}`]);
        }
      });

      test(`${id} › 404 not_found › path › ${name} › Nil, Max and capitals are UUIDs`, async () => {
        for (const text of [nil, max, randomUUID().toUpperCase()]) {
          const error = await partner.refused(id, inputOf({ ...whole, params: { [name]: text } }));
          assert.equal(error.code, 'not_found');
        }
      });
    }

    for (const [name, shape] of Object.entries(query?.properties ?? {})) {
      if ((shape as { format?: string }).format !== 'uuid') continue;
      test(`${id} › 400 invalid_input › query › ${name}`, async () => {
        for (const text of notUuids.filter(Boolean)) {
          const input = inputOf({ ...whole, query: { [name]: text } });
          assert.deepEqual(await invalidPaths(partner, id, input), [`query/${name}`]);
        }
      });
    }
  }

  for (const quoteId of [nil, max, randomUUID()]) {
    test(`${quoteId === nil ? 'Nil' : quoteId === max ? 'Max' : 'capitals'} › one resource from quote to checkout, in lower case`, async () => {
      const own = await service.partner();
      const stay = await own.freeStay();
      const spoken = quoteId.toUpperCase();
      const listingId = stay.listingId.toUpperCase();
      const body = { ...stay, quoteId: spoken, listingId };
      const quote = await own.succeed('reservation.quote.create', { body }, 201);
      assert.equal(quote.quoteId, quoteId);
      assert.equal(quote.listingId, stay.listingId);
      const again = { body: { ...stay, quoteId } };
      await own.succeed('reservation.quote.create', again, 200);
      const checkoutId = randomUUID().toUpperCase();
      const created = await own.succeed(
        'reservation.checkout.create',
        { body: { checkoutId, quoteId: spoken } },
        201,
      );
      assert.equal(created.checkoutId, checkoutId.toLowerCase());
      assert.equal(created.quoteId, quoteId);
      const repeat = { body: { checkoutId: checkoutId.toLowerCase(), quoteId } };
      await own.succeed('reservation.checkout.create', repeat, 200);
      const read = await own.succeed('reservation.checkout.get', {
        params: { checkoutId },
        session: created.sessionCapability!,
      });
      assert.equal(read.checkoutId, checkoutId.toLowerCase());
    });
  }

  test('capitals › of a listing, and of a collection', async () => {
    const { items } = await partner.succeed('distribution.listing.list', { query: { limit: 1 } });
    const { listingId, collectionId } = items[0]!;
    const params = { listingId: listingId.toUpperCase() };
    const home = await partner.succeed('distribution.listing.get', { params });
    assert.equal(home.listingId, listingId);
    const query = { collectionId: collectionId!.toUpperCase() };
    const page = await partner.succeed('distribution.listing.list', { query });
    assert.ok(page.items.length > 0);
    const lower = { collectionId: collectionId! };
    const samePage = await partner.succeed('distribution.listing.list', { query: lower });
    const ids = (from: typeof page) => from.items.map((item) => item.listingId);
    assert.deepEqual(ids(page), ids(samePage));
    // The cursor is bound to the collection, however it was spelt.
    const { nextCursor } = await partner.succeed('distribution.listing.list', {
      query: { ...query, limit: 1 },
    });
    assert.ok(nextCursor);
    await partner.succeed('distribution.listing.list', { query: { ...lower, cursor: nextCursor } });
  });

  test('capitals › a command in another spelling is the same command', async () => {
    const journey = await begin(partner);
    const { checkoutId } = journey;
    const body = journey.body('saveGuest');
    const send = (id: string) =>
      partner.succeed('reservation.checkout.saveGuest', {
        params: { checkoutId: id },
        session: journey.open.at.session,
        rawBody: JSON.stringify(body),
      });
    assert.equal((await send(checkoutId)).version, 2);
    assert.equal((await send(checkoutId.toUpperCase())).version, 2);
  });
});
