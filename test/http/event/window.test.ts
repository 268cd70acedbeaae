import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sweepEvents } from '../../../src/events/store/events.ts';
import { ageEvents, feed, requestStay, type EventPage } from '../../harness/events.ts';
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

/** A partner with this number of failed requests: one `checkout.resolved` each. */
async function partnerWith(events: number): Promise<Partner> {
  const partner = await service.partner();
  await addEvents(partner, events, 0);
  return partner;
}

async function addEvents(partner: Partner, count: number, kept: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await requestStay(partner, stay, 'failed');
  for (;;) {
    const { items } = await feed(partner, { limit: 50 });
    if ((items.at(-1)?.sequence ?? 0) === kept + count) return;
  }
}

const sequences = ({ items }: EventPage): number[] => items.map(({ sequence }) => sequence);

/** Cursors after each of the events, in order. */
async function cursorsOf(partner: Partner, count: number): Promise<string[]> {
  const cursors: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const cursor = cursors.at(-1);
    const page = await feed(partner, { limit: 1, ...(cursor !== undefined && { cursor }) });
    cursors.push(page.nextCursor);
  }
  return cursors;
}

async function resyncRequired(partner: Partner, cursor: string): Promise<void> {
  const error = await partner.refused('reservation.event.list', { query: { cursor } });
  assert.deepEqual([error.status, error.code], [422, 'resync_required']);
}

const ways: [how: string, forget: (partner: Partner, upTo: number) => Promise<unknown>][] = [
  ['that have left the window', (partner, upTo) => ageEvents(service, partner, upTo, 30)],
  [
    'that were swept',
    async (partner, upTo) => {
      await ageEvents(service, partner, upTo, 30);
      return sweepEvents(service.database, 30, 500);
    },
  ],
];

for (const [how, forget] of ways) {
  suite(`reservation.event.list › events ${how}`, () => {
    test('200 › without a cursor, the rest', async () => {
      const partner = await partnerWith(5);
      await forget(partner, 2);
      assert.deepEqual(sequences(await feed(partner)), [3, 4, 5]);
    });

    // Spec: EVENT-6.
    test('422 resync_required › only if an event after the cursor was removed', async () => {
      const partner = await partnerWith(5);
      const cursors = await cursorsOf(partner, 5);
      await forget(partner, 3);
      for (const gone of cursors.slice(0, 2)) await resyncRequired(partner, gone);
      assert.deepEqual(sequences(await feed(partner, { cursor: cursors[2]! })), [4, 5]);
      assert.deepEqual(sequences(await feed(partner, { cursor: cursors[3]! })), [5]);
      assert.deepEqual(sequences(await feed(partner, { cursor: cursors[4]! })), []);
    });

    test('422 resync_required › all events removed, except for a reader that had read them all', async () => {
      const partner = await partnerWith(3);
      const cursors = await cursorsOf(partner, 3);
      await forget(partner, 3);
      await resyncRequired(partner, cursors[0]!);
      await resyncRequired(partner, cursors[1]!);
      const end = await feed(partner, { cursor: cursors[2]! });
      assert.deepEqual([sequences(end), end.hasMore], [[], false]);
      const fresh = await feed(partner);
      assert.deepEqual([sequences(fresh), fresh.hasMore], [[], false]);
      await addEvents(partner, 2, 3);
      for (const { nextCursor: cursor } of [end, fresh]) {
        assert.deepEqual(sequences(await feed(partner, { cursor })), [4, 5], 'counting goes on');
      }
    });

    test('422 resync_required › for the cursor of an empty feed, once an event after it was removed', async () => {
      const partner = await service.partner();
      const { nextCursor: cursor } = await feed(partner);
      await addEvents(partner, 2, 0);
      assert.deepEqual(sequences(await feed(partner, { cursor })), [1, 2]);
      await forget(partner, 1);
      await resyncRequired(partner, cursor);
    });

    test('200 › the cursor of a type without events moves past the others, which may be removed', async () => {
      const partner = await partnerWith(3);
      const type = 'reservation.cancelled' as const;
      const { items, nextCursor: cursor } = await feed(partner, { type });
      assert.deepEqual(items, []);
      await forget(partner, 3);
      const page = await feed(partner, { type, cursor });
      assert.deepEqual([page.items, page.hasMore], [[], false]);
    });

    test('200 › a cursor older than the window works while no event after it was removed', async () => {
      const partner = await partnerWith(2);
      const { nextCursor: cursor } = await feed(partner);
      await forget(partner, 2);
      assert.deepEqual(sequences(await feed(partner, { cursor })), []);
    });
  });
}

suite('reservation.event.list › window', () => {
  // Spec: EVENT-6.
  test('422 resync_required › also behind an event that is kept because its time may be wrong', async () => {
    const partner = await partnerWith(5);
    const cursors = await cursorsOf(partner, 5);
    await ageEvents(service, partner, 3, 31);
    // The clock showed the minute of the first, and it was noticed an hour ago.
    await ageEvents(service, partner, 1, 9);
    const noted = `INSERT INTO wrong_times SELECT created_at - interval '1 minute', created_at + interval '1 minute',
      now() - interval '1 hour' FROM events WHERE application_id = $1 AND sequence = 1`;
    const { applicationId } = partner.credentials;
    await sql(service.database, noted, [applicationId]);
    await sweepEvents(service.database, 30, 500);
    assert.deepEqual(sequences(await feed(partner)), [1, 2, 3, 4, 5]);
    assert.deepEqual(sequences(await feed(partner, { cursor: cursors[0]! })), [2, 3, 4, 5]);
    await sql(service.database, `UPDATE wrong_times SET noticed_at = now() - interval '31 days'`);
    await sweepEvents(service.database, 30, 500);
    await resyncRequired(partner, cursors[0]!);
    assert.deepEqual(sequences(await feed(partner)), [4, 5]);
    await sql(service.database, 'DELETE FROM wrong_times');
  });

  // Spec: EVENT-8.
  test('200 › thirty days by the clock of the database', async () => {
    const partner = await partnerWith(3);
    await ageEvents(service, partner, 1, 1);
    await ageEvents(service, partner, 2, 29);
    // The first is 30 days and two minutes old, the second 29 days and one.
    assert.deepEqual(sequences(await feed(partner)), [2, 3]);
  });
});
