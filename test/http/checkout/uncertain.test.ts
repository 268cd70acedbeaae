import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eventually } from '../../harness/eventually.ts';
import { Journey } from '../../harness/journey.ts';
import type { Partner } from '../../harness/partner.ts';
import { guest } from '../../harness/partner.ts';
import { sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

suite('an outcome that is not known', () => {
  let service: TestService;
  let partner: Partner;
  before(async () => {
    service = await startTestService();
    partner = await service.partner({ settlement: 'partner' });
  });
  after(() => service.stop());

  /** A submitted checkout whose guest has this suffix. */
  async function submitted(suffix: string): Promise<Journey> {
    const journey = new Journey(partner, await partner.checkout());
    const email = `ada+${suffix}@example.com`;
    await journey.done('saveGuest', { body: { guest: { ...guest(), email } } });
    await journey.send('submit');
    return journey;
  }

  const isIn = (journey: Journey, state: string) =>
    eventually(async () => (await journey.read()).state === state, 20_000);

  const write = (journey: Journey, change: string) =>
    sql(service.database, `UPDATE bookings SET ${change} WHERE booking_id = $1`, [
      journey.checkoutId,
    ]);

  // Spec: UNCERTAIN-1.
  test('checkout and status say since when, and null in the simulation for by when', async () => {
    const journey = await submitted('uncertain');
    await isIn(journey, 'uncertain');
    const { uncertain, updatedAt } = await journey.read();
    assert.deepEqual(uncertain, { since: updatedAt, decidedBy: null });
  });

  test('with an outcome the member is absent', async () => {
    const journey = await submitted('uncertain_failed');
    await isIn(journey, 'failed');
    assert.equal((await journey.read()).uncertain, undefined);
  });

  // Spec: SESSION-4.
  test('the session does not end while the outcome is open, and lives 24 hours after it', async () => {
    const journey = await submitted('uncertain');
    await isIn(journey, 'uncertain');
    await write(journey, `session_expires_at = now() - interval '1 hour'`);
    assert.equal((await journey.read()).state, 'uncertain');
    const failed = `state = 'failed', failure_reason = 'refused', version = version + 1, due_at = NULL`;
    await write(journey, `${failed}, resolved_at = now() - interval '23 hours'`);
    assert.equal((await journey.read()).state, 'failed');
    await write(journey, `resolved_at = now() - interval '25 hours'`);
    await assert.rejects(journey.read(), /403|session_expired/);
  });
});
