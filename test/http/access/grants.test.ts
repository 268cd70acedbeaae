import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { operationIds, rowOf, type OperationId } from '../../../src/contract/partner/operations.ts';
import { capabilities, scopes, type Capability } from '../../../src/contract/scopes.ts';
import { eventually } from '../../harness/eventually.ts';
import type { CallError, Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { inputOf, wellFormed } from '../../harness/well-formed.ts';
import { setApplication } from '../../harness/acts.ts';

/** Which grant each operation needs: the decisions' table, by values of our own. */
const needs: Record<OperationId, [Capability, string]> = {
  'distribution.site.get': ['catalog', 'distribution.listing.read'],
  'distribution.listing.list': ['catalog', 'distribution.listing.read'],
  'distribution.listing.get': ['catalog', 'distribution.listing.read'],
  'distribution.listing.search': ['search', 'distribution.listing.search'],
  'inventory.calendar.get': ['search', 'inventory.calendar.read'],
  'inventory.calendar.list': ['search', 'inventory.calendar.read'],
  'inventory.change.list': ['search', 'inventory.calendar.read'],
  'reservation.quote.create': ['quotes', 'reservation.quote.create'],
  'reservation.checkout.create': ['checkout', 'reservation.checkout.write'],
  'reservation.checkout.get': ['checkout', 'reservation.checkout.read'],
  'reservation.checkout.saveGuest': ['checkout', 'reservation.checkout.write'],
  'reservation.checkout.applyPromo': ['checkout', 'reservation.checkout.write'],
  'reservation.checkout.removePromo': ['checkout', 'reservation.checkout.write'],
  'reservation.checkout.setupPayment': ['checkout', 'reservation.checkout.write'],
  'reservation.checkout.verifyPayment': ['checkout', 'reservation.checkout.write'],
  'reservation.checkout.submit': ['checkout', 'reservation.checkout.write'],
  'reservation.checkout.getStatus': ['checkout', 'reservation.checkout.read'],
  'reservation.checkout.getConfirmation': ['checkout', 'reservation.checkout.read'],
  'reservation.reservation.get': ['checkout', 'reservation.reservation.read'],
  'reservation.reservation.list': ['checkout', 'reservation.reservation.read'],
  'reservation.reservationRequest.create': ['checkout', 'reservation.request.write'],
  'reservation.reservationRequest.get': ['checkout', 'reservation.request.read'],
  'reservation.reservationRequest.list': ['checkout', 'reservation.request.read'],
  'reservation.change.request': ['changes', 'reservation.change.write'],
  'reservation.change.get': ['changes', 'reservation.change.read'],
  'reservation.change.list': ['changes', 'reservation.change.read'],
  'reservation.change.withdraw': ['changes', 'reservation.change.write'],
  'reservation.event.list': ['checkout', 'reservation.event.read'],
  'cdp.signal.capture': ['signals', 'cdp.signal.capture'],
};

suite('grants', () => {
  let service: TestService;
  let whole: Partner;
  const without = new Map<Capability, Partner>();
  const only = new Map<Capability, Partner>();
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    whole = await service.partner();
    for (const capability of capabilities) {
      const grants = capabilities.filter((other) => other !== capability);
      without.set(capability, await service.partner({ grants }));
      only.set(capability, await service.partner({ grants: [capability] }));
    }
  });
  after(() => service.stop());

  function assertForbidden(id: OperationId, error: CallError): void {
    assert.deepEqual([error.status, error.code], [403, 'forbidden']);
    const { tier, scope } = rowOf(id);
    assert.deepEqual(error.details, { reason: 'scope', scope });
    // It consumed no quota, but the headers show the quota, because the caller is known.
    assert.equal(error.headers.get('ratelimit-policy'), `"${tier}";q=1000000;w=60`);
    assert.equal(error.headers.get('ratelimit'), `"${tier}";r=1000000;t=0`);
    assert.equal(
      error.headers.get('www-authenticate'),
      `Bearer realm="latchkey", error="insufficient_scope", scope="${scope}"`,
    );
  }

  const passed = async (partner: Partner, id: OperationId, token?: string): Promise<void> => {
    const input = { ...inputOf(wellFormed(id)), ...(token !== undefined && { token }) };
    const { status, body } = await partner.call(id, input);
    const { error } = body as { error?: { details?: { reason?: string } } };
    assert.ok(status !== 401 && error?.details?.reason !== 'scope', `${id} returned ${status}`);
  };

  for (const [id, [capability, scope]] of Object.entries(needs) as [
    OperationId,
    [Capability, string],
  ][]) {
    // Spec: CHANGE-1.
    test(`${id} › 403 forbidden › every grant but ${capability}`, async () => {
      const error = await without.get(capability)!.refused(id, inputOf(wellFormed(id)));
      assertForbidden(id, error);
    });

    // Spec: ACCESS-8.
    test(`${id} › passes with ${capability} alone, and with ${scope} alone`, async () => {
      await passed(only.get(capability)!, id);
      await passed(whole, id, await tokenFor(scope));
    });

    test(`${id} › 403 forbidden › a token narrowed to every scope but ${scope}`, async () => {
      const token = await tokenFor(scopes.filter((other) => other !== scope).join(' '));
      assertForbidden(id, await whole.refused(id, { ...inputOf(wellFormed(id)), token }));
    });
  }

  // One for each scope: the token endpoint limits them.
  const tokens = new Map<string, Promise<string>>();
  function tokenFor(scope: string): Promise<string> {
    const token = tokens.get(scope) ?? whole.freshToken({ scope });
    tokens.set(scope, token);
    return token;
  }

  test('every operation of the table is tested', () => {
    assert.deepEqual(Object.keys(needs).toSorted(), operationIds.toSorted());
  });

  test('a grant taken away › holds for tokens that were issued before', async () => {
    const partner = await service.partner();
    await partner.succeed('reservation.event.list');
    await setApplication(service.database, 'test', partner.credentials.applicationId, {
      changes: { grants: ['catalog'] },
      countToday: () => Promise.resolve({ began: 0, hasSkipped: false }),
    });
    const status = async () => (await partner.call('reservation.event.list')).status;
    await eventually(async () => (await status()) === 403);
    assertForbidden('reservation.event.list', await partner.refused('reservation.event.list'));
    const site = await partner.succeed('distribution.site.get');
    assert.deepEqual(site.capabilities, ['catalog']);
  });

  test('no grants at all › every operation is forbidden', async () => {
    const partner = await service.partner({ grants: [] });
    for (const id of operationIds) {
      assertForbidden(id, await partner.refused(id, inputOf(wellFormed(id))));
    }
  });
});
