import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { assertError, begin, commands, operationOf, type Journey } from '../../harness/journey.ts';
import type { Partner } from '../../harness/partner.ts';
import { RawConnection, requestText } from '../../harness/raw-http.ts';
import { allOf } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { invalidFields } from '../../harness/well-formed.ts';

const unversioned = { body: { expectedVersion: undefined } };

const notOneStrongTag = [
  '',
  '1',
  'W/"1"',
  '*',
  '"1", "2"',
  '"1","1"',
  '""',
  '"0"',
  '"-1"',
  '"01"',
  '"1.0"',
  '"1e0"',
  '" 1"',
  "'1'",
  '"one"',
  '"2147483648"',
  '"99999999999999999999"',
  '"1" x',
  '"1',
  '"\u00e9"',
];

suite('If-Match', () => {
  let service: TestService;
  let card: Partner;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    card = await service.partner({ settlement: 'card' });
  });
  after(() => service.stop());

  for (const command of commands) {
    const id = operationOf(command);

    const pathsOf = async (
      journey: Journey,
      headers: Record<string, string>,
      expectedVersion?: unknown,
    ): Promise<string[]> => {
      const rawBody = JSON.stringify({ ...journey.body(command), expectedVersion });
      const input = { ...journey.open.at, rawBody, headers };
      return (await invalidFields(card, id, input)).map(({ path }) => path);
    };

    // Spec: CALL-8.
    test(`${id} › 400 invalid_input › anything but one strong tag`, async () => {
      const journey = await begin(card);
      const untouched = await allOf(service.database, journey.checkoutId);
      for (const tag of notOneStrongTag) {
        assert.deepEqual(await pathsOf(journey, { 'if-match': tag }), ['header/if-match'], tag);
      }
      assert.deepEqual(await allOf(service.database, journey.checkoutId), untouched);
    });

    test(`${id} › 400 invalid_input › even if expectedVersion is right`, async () => {
      const journey = await begin(card);
      for (const tag of ['W/"1"', '*', '"1", "1"', '"2"']) {
        assert.deepEqual(await pathsOf(journey, { 'if-match': tag }, 1), ['header/if-match'], tag);
      }
    });

    test(`${id} › 400 invalid_input › neither If-Match nor expectedVersion`, async () => {
      const journey = await begin(card);
      assert.deepEqual(await pathsOf(journey, {}), ['/expectedVersion']);
    });

    test(`${id} › 400 invalid_input › expectedVersion`, async () => {
      const journey = await begin(card);
      for (const version of [0, -1, 1.5, '1', null, 2_147_483_648]) {
        assert.deepEqual(await pathsOf(journey, {}, version), ['/expectedVersion'], `${version}`);
      }
    });

    test(`${id} › 412 precondition_failed › a stale version, either way`, async () => {
      const journey = await begin(card);
      const stale = [412, 'precondition_failed'] as const;
      await journey.refused(command, stale, { body: { expectedVersion: 7 } });
      await journey.refused(command, stale, { ...unversioned, headers: { 'if-match': '"7"' } });
      const both = { body: { expectedVersion: 7 }, headers: { 'if-match': '"7"' } };
      await journey.refused(command, stale, both);
    });
  }

  test('200 › the ETag of the checkout, as returned', async () => {
    const journey = await begin(card);
    const { headers } = await card.call('reservation.checkout.get', journey.open.at);
    assert.equal(headers.get('etag'), '"1"');
    const saved = await journey.done('saveGuest', {
      ...unversioned,
      headers: { 'if-match': headers.get('etag')! },
    });
    assert.equal(saved.version, 2);
    const after2 = await card.call('reservation.checkout.get', journey.open.at);
    assert.equal(after2.headers.get('etag'), '"2"');
  });

  test('200 › both, with the same version', async () => {
    const journey = await begin(card);
    await journey.done('saveGuest', { headers: { 'if-match': '"1"' } });
  });

  test('a command is the same whether If-Match or expectedVersion names its version', async () => {
    const journey = await begin(card);
    await journey.done('saveGuest');
    const again = await journey.send('saveGuest', {
      body: { expectedVersion: undefined },
      headers: { 'if-match': '"1"' },
    });
    assert.equal(again.status, 200);
    assert.equal((again.body as { version: number }).version, 2);
  });

  test('400 invalid_input › two headers are a list', async () => {
    const journey = await begin(card);
    const connection = await RawConnection.open(service.origin);
    const body = JSON.stringify({ ...journey.body('saveGuest'), expectedVersion: undefined });
    const head = requestText(
      `PATCH /v1/checkouts/${journey.checkoutId}/guest`,
      {
        Authorization: `Bearer ${await card.token()}`,
        'Content-Type': 'application/json',
        'Session-Capability': journey.open.at.session,
        'If-Match': '"1"\r\nIf-Match: "1"',
      },
      body,
    );
    connection.write(head);
    const response = await connection.response();
    connection.close();
    assert.equal(response?.status, 400);
    assert.match(response!.text, /header\/if-match/);
  });

  test('is ignored if the operation has no version', async () => {
    const headers = { 'if-match': '*' };
    await card.succeed('distribution.site.get', { headers }, 200);
    const error = await card.refused('reservation.checkout.create', {
      headers,
      body: { checkoutId: crypto.randomUUID(), quoteId: crypto.randomUUID() },
    });
    assertError(error, [404, 'not_found']);
  });
});
