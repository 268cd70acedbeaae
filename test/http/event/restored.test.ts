/** The feed of a database that was restored from an older backup, to partners who have read further. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { feed, requestStay, wholeFeed } from '../../harness/events.ts';
import type { Partner } from '../../harness/partner.ts';
import { sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
let stay: Awaited<ReturnType<Partner['freeStay']>>;
before(async () => {
  service = await startTestService();
  stay = await (await service.partner()).freeStay();
});
after(() => service.stop());

/** Adds failed requests, one event each, until the feed ends with this sequence. */
async function grow(partner: Partner, to: number): Promise<void> {
  const from = (await wholeFeed(partner)).length;
  for (let at = from; at < to; at += 1) await requestStay(partner, stay, 'failed');
  while ((await wholeFeed(partner)).length < to);
}

async function partnerWith(events: number): Promise<Partner> {
  const partner = await service.partner();
  await grow(partner, events);
  return partner;
}

/** Leaves the feed as a backup had it: the events up to here, and the counter. */
async function restore(partner: Partner, upTo: number): Promise<void> {
  const values = [partner.credentials.applicationId, upTo];
  await sql(
    service.database,
    'DELETE FROM events WHERE application_id = $1 AND sequence > $2',
    values,
  );
  await sql(
    service.database,
    'UPDATE event_counters SET last_sequence = $2 WHERE application_id = $1',
    values,
  );
}

async function resyncRequired(partner: Partner, cursor: string): Promise<void> {
  const error = await partner.refused('reservation.event.list', { query: { cursor } });
  assert.deepEqual([error.status, error.code], [422, 'resync_required']);
}

suite('reservation.event.list › restored from an older backup', () => {
  // Spec: EVENT-6.
  test('422 resync_required › a cursor ahead of the feed', async () => {
    const partner = await partnerWith(4);
    const { nextCursor: ahead } = await feed(partner);
    await restore(partner, 2);
    await resyncRequired(partner, ahead);
    await restore(partner, 0);
    await resyncRequired(partner, ahead);
  });

  test('422 resync_required › also when the feed has reached the cursor again with other events', async () => {
    const partner = await partnerWith(4);
    const { nextCursor: atFour } = await feed(partner);
    const { nextCursor: atThree } = await feed(partner, { limit: 3 });
    await restore(partner, 2);
    await grow(partner, 6);
    await resyncRequired(partner, atFour);
    await resyncRequired(partner, atThree);
  });

  test('200 › a cursor from before the backup: the events since then', async () => {
    const partner = await partnerWith(4);
    const { nextCursor: cursor } = await feed(partner, { limit: 2 });
    await restore(partner, 2);
    assert.deepEqual((await feed(partner, { cursor })).items, []);
    await grow(partner, 3);
    const { items } = await feed(partner, { cursor });
    assert.deepEqual(
      items.map(({ sequence }) => sequence),
      [3],
    );
  });

  test('422 resync_required › with a type, if the cursor is past the filtered events', async () => {
    const partner = await partnerWith(3);
    const type = 'reservation.cancelled' as const;
    const { nextCursor: cursor } = await feed(partner, { type });
    await restore(partner, 1);
    await grow(partner, 4);
    const error = await partner.refused('reservation.event.list', { query: { cursor, type } });
    assert.equal(error.code, 'resync_required');
  });
});
