/** Values that must not come back: in error envelopes, in the event feed, in headers. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { operatorOperations } from '../../src/contract/operator/operations.ts';
import {
  operationIds,
  operations,
  rowOf,
  type OperationId,
} from '../../src/contract/partner/operations.ts';
import { portalOperations } from '../../src/contract/portal/operations.ts';
import type { Row } from '../../src/contract/rows.ts';
import { openTestWorker, type TestWorker } from '../harness/test-worker.ts';
import { begin, quoteOf, type Journey } from '../harness/journey.ts';
import type { CallInput, CallReply, Partner } from '../harness/partner.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { askToken, inForm } from '../harness/token-endpoint.ts';
import { inputOf, wellFormed } from '../harness/well-formed.ts';

type Json = Record<string, unknown>;

const mark = `canary${randomBytes(6).toString('hex')}`;
const guest = {
  firstName: `First-${mark}`,
  lastName: `Last-${mark}`,
  email: `${mark}@example.com`,
  phone: `+35191${String(Date.now()).slice(-7)}`,
};

suite('canaries', () => {
  let service: TestService;
  let testWorker: TestWorker;
  let partner: Partner;
  let journey: Journey;
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    partner = await service.partner();
    journey = await begin(partner);
  });
  after(() => service.stop());

  async function secrets(): Promise<string[]> {
    const { applicationKey } = partner.credentials;
    return [mark, guest.phone, applicationKey, await partner.token(), journey.open.at.session];
  }

  /** Asserts that no part of it is in a response. */
  async function assertClean({ text, headers }: Pick<CallReply, 'text' | 'headers'>) {
    const content = `${text}\n${[...headers].join('\n')}`;
    for (const secret of await secrets()) assert.ok(!content.includes(secret), content);
  }

  const hostile = [mark, { [`x`]: mark }, [mark], `${mark}\u0000`, `${mark}${'x'.repeat(9_000)}`];

  /** Replaces each value in a body in turn, on every level. */
  function* spoiled(value: unknown, instead: unknown): Generator<unknown> {
    yield instead;
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      for (const changed of spoiled(inner, instead)) yield { ...value, [name]: changed };
    }
  }

  for (const id of operationIds.filter((one) => rowOf(one).body !== undefined)) {
    test(`${id} › errors about the body do not repeat its values`, async () => {
      const asked = wellFormed(id);
      for (const instead of hostile) {
        for (const body of spoiled(asked.body, instead)) {
          const input = { ...inputOf(asked), rawBody: JSON.stringify(body) };
          await assertClean(await partner.call(id, input as CallInput<OperationId>));
        }
      }
      const broken = { ...inputOf(asked), rawBody: `{"guest":"${mark}` };
      await assertClean(await partner.call(id, broken as CallInput<OperationId>));
    });
  }

  for (const id of operationIds) {
    test(`${id} › errors about headers and query do not repeat their values`, async () => {
      const asked = inputOf(wellFormed(id));
      const headers = [
        'if-match',
        'idempotency-key',
        'x-booking-consumer',
        'session-capability',
        'x-request-id',
        'content-type',
        'cookie',
      ];
      const inputs: CallInput<OperationId>[] = [
        ...headers.map((name) => ({ ...asked, headers: { ...asked.headers, [name]: `é${mark}` } })),
        { ...asked, query: `limit=${mark}&cursor=${mark}&type=${mark}&collectionId=${mark}` },
        { ...asked, query: `startDate=${mark}&endDate=${mark}&x=${mark}&limit=%zz${mark}` },
        { ...asked, token: mark },
        { ...asked, session: mark },
      ];
      for (const input of inputs) await assertClean(await partner.call(id, input));
    });
  }

  test('a booking › its guest appears only on the checkout', async () => {
    await journey.done('saveGuest', { body: { guest } });
    const stale = await journey.send('saveGuest', { body: { guest, expectedVersion: 9 } });
    assert.equal(stale.status, 412);
    await assertClean(stale);
    await journey.read();
    const submitted = await journey.send('submit');
    assert.equal(submitted.status, 202);
    await assertClean(submitted);
    await testWorker.runDue();
    const { at } = journey.open;
    const { reference = '' } = await journey.read();
    await assertClean(await partner.call('reservation.checkout.getStatus', at));
    await assertClean(await partner.call('reservation.checkout.getConfirmation', at));
    const params = { params: { reference } };
    await assertClean(await partner.call('reservation.reservation.get', params));
    await assertClean(await journey.send('saveGuest', { body: { guest } }));
  });

  test('a reservation request and its conflicts › without the guest', async () => {
    const id = 'reservation.reservationRequest.create';
    const { quoteId, terms } = await quoteOf(partner);
    const body = { quoteId, termsVersion: terms.version, termsAccepted: true, guest };
    for (const key of ['one', 'two']) {
      const headers = { 'idempotency-key': key };
      await assertClean(await partner.call(id, { rawBody: JSON.stringify(body), headers }));
    }
    await testWorker.runDue();
    await assertClean(await partner.call('reservation.reservationRequest.list'));
  });

  // Spec: EVENT-9.
  test('the event feed › identifiers, state, version and time only', async () => {
    const reply = await partner.call('reservation.event.list');
    const { items } = reply.body as { items: Json[] };
    assert.ok(items.length > 0);
    await assertClean(reply);
  });

  test('the token endpoint › its errors do not say what was sent', async () => {
    const { credentials } = partner;
    const right = { grant_type: 'client_credentials', ...inForm(credentials) };
    const names = ['grant_type', 'client_id', 'client_secret', 'scope', 'resource'];
    const forms = names.map((name) => ({ ...right, [name]: mark }) as Record<string, string>);
    for (const form of forms) {
      const { headers, description, error } = await askToken(service.origin, { form });
      assert.ok(error);
      await assertClean({ text: description, headers });
    }
    const rawBody = `${new URLSearchParams(right)}&scope=%zz${mark}`;
    const { headers, description } = await askToken(service.origin, { rawBody });
    await assertClean({ text: description, headers });
  });
});

suite('addresses of calls, which proxies log', () => {
  const named = /e-?mail|phone|(first|last|guest)name/i;
  for (const table of [operations, portalOperations, operatorOperations]) {
    for (const [id, row] of Object.entries<Row>(table)) {
      const parameters = [
        ...Object.keys(row.query?.properties ?? {}),
        ...[...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
      ];
      if (parameters.length === 0) continue;
      test(`${id} › takes nothing about a guest in its address`, () => {
        assert.deepEqual(
          parameters.filter((name) => named.test(name)),
          [],
        );
      });
    }
  }
});
