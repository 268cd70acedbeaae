/** The sandbox on order, as the portal's pages call it. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { checkAgainstSandboxDocument } from '../harness/document.ts';
import { send } from '../harness/http-client.ts';
import type { Partner } from '../harness/partner.ts';
import { enterPortal, type PortalCaller } from '../harness/portal.ts';
import { order } from '../harness/sandbox.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import type { SandboxOperationId } from '../../src/contract/sandbox/operations.ts';

const rule = { match: { operation: 'distribution.site.get' }, do: { respond: 503 } };

// Spec: SANDBOX-1.
suite('the sandbox in the portal', () => {
  let service: TestService;
  let partner: Partner;
  let portal: PortalCaller;

  before(async () => {
    service = await startTestService();
    partner = await service.partner();
    portal = await enterPortal(service, partner);
  });
  after(() => service.stop());

  async function call(
    id: SandboxOperationId,
    method: string,
    place: string,
    {
      body,
      headers = {},
      cookie = portal.cookie,
    }: {
      body?: object;
      headers?: Record<string, string>;
      cookie?: string | null;
    } = {},
  ) {
    const { status, text } = await send(`${service.origin}/portal/v1/sandbox${place}`, {
      method,
      headers: {
        ...(cookie !== null && { cookie }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const parsed = text === '' ? undefined : (JSON.parse(text) as Record<string, never>);
    if (status < 300) checkAgainstSandboxDocument(id, status, parsed);
    return { status, body: parsed };
  }

  test('sets faults for the application of the session, and shows their hits', async () => {
    const other = await service.partner();
    const set = await call('sandbox.faults.put', 'PUT', '/faults', { body: { rules: [rule] } });
    assert.equal(set.status, 200);
    assert.equal((await partner.call('distribution.site.get')).status, 503);
    await other.succeed('distribution.site.get');
    const { body } = await call('sandbox.faults.get', 'GET', '/faults');
    assert.deepEqual(body, await order(partner, 'sandbox.faults.get'));
    assert.equal((await call('sandbox.faults.delete', 'DELETE', '/faults')).status, 204);
    await partner.succeed('distribution.site.get');
  });

  test('acts on a reservation, and ends tokens', async () => {
    const open = await partner.submittedCheckout();
    const { reference } = await partner.statusOnce(open, ['confirmed']);
    const place = `/reservations/${reference}/act`;
    const acted = await call('sandbox.reservation.act', 'POST', place, { body: { act: 'cancel' } });
    assert.equal((acted.body as { state?: string } | undefined)?.state, 'cancelled');
    const token = await partner.token();
    assert.equal(
      (await call('sandbox.expire', 'POST', '/expire', { body: { token: true } })).status,
      204,
    );
    assert.equal(
      (await partner.refused('distribution.site.get', { token })).code,
      'unauthenticated',
    );
  });

  test('is refused without a session, and to a page of another site', async () => {
    const without = await call('sandbox.faults.get', 'GET', '/faults', { cookie: null });
    assert.equal(without.status, 401);
    const foreign = await call('sandbox.faults.put', 'PUT', '/faults', {
      body: { rules: [rule] },
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    assert.equal(foreign.status, 403);
    await partner.call('distribution.site.get', { token: await partner.freshToken() });
    const { body } = await call('sandbox.faults.get', 'GET', '/faults');
    assert.deepEqual(body, { seed: null, rules: [] });
  });

  test('does not exist outside the simulation', async () => {
    const real = await startTestService(ownHomes);
    try {
      const { status } = await send(`${real.origin}/portal/v1/sandbox/faults`, {
        method: 'GET',
        headers: {},
      });
      assert.equal(status, 404);
    } finally {
      await real.stop();
    }
  });
});
