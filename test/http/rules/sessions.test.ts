import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { assertError } from '../../harness/journey.ts';
import type { Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const forbidden = [403, 'forbidden', 'session_capability'] as const;
const read = 'reservation.checkout.get';

suite('rules of sessions', () => {
  let service: TestService;
  let partner: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
  });
  after(() => service.stop());

  /** A checkout of this name. */
  async function named(checkoutId: string, who: Partner) {
    const { quoteId } = await who.quote();
    const body = { checkoutId, quoteId };
    const { sessionCapability = '' } = await who.succeed('reservation.checkout.create', { body });
    return { params: { checkoutId }, session: sessionCapability };
  }

  test('the same ID in two applications › each capability opens only its own checkout', async () => {
    const other = await service.partner();
    const checkoutId = randomUUID();
    const [ours, theirs] = [await named(checkoutId, partner), await named(checkoutId, other)];
    assert.notEqual(ours.session, theirs.session);
    await partner.succeed(read, ours, 200);
    await other.succeed(read, theirs, 200);
    assertError(await partner.refused(read, theirs), forbidden);
    assertError(await other.refused(read, ours), forbidden);
  });

  test('two headers, or additional characters › 403', async () => {
    const { params, session } = await named(randomUUID(), partner);
    for (const wrong of [`${session},${session}`, `"${session}"`, `Bearer ${session}`, '.']) {
      assertError(await partner.refused(read, { params, session: wrong }), forbidden);
    }
    await partner.succeed(read, { params, session }, 200);
  });
});
