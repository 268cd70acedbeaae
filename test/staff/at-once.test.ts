/** Staff, workers and the supplier at the same reservation at the same time. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { decideAnnounced } from '../../src/bookings/rules/reservation.ts';
import { findReservation, updateReservation } from '../../src/bookings/store/reservations.ts';
import { plusDays } from '../harness/catalog.ts';
import { announceNow, wholeFeed } from '../harness/events.ts';
import { assertNightsFit, deadlocks } from '../harness/nights.ts';
import { sql } from '../harness/rows.ts';
import {
  actor,
  openStaff,
  staffEnvironments,
  type Reserved,
  type StaffAtWork,
} from '../harness/staff.ts';
import { cancelReservation, changeReservation, listAuditTrail } from '../harness/acts.ts';

const reason = 'At once.';

type ChangeInput = Omit<Parameters<typeof changeReservation>[2], 'reason'>;

for (const environment of staffEnvironments) {
  suite(`staff › at once › ${environment}`, () => {
    let at: StaffAtWork;

    before(async () => {
      at = await openStaff(environment);
    });
    after(() => at.service.stop());

    const change = (input: ChangeInput) => changeReservation(at.staff, actor, { reason, ...input });

    const changesOf = async ({ reference }: Reserved) =>
      (await wholeFeed(at.partner)).flatMap(({ type, data }) =>
        type === 'reservation.changed' && data.reference === reference ? [data.changes] : [],
      );

    const versionOf = async ({ reference }: Reserved): Promise<number> => {
      const text = 'SELECT version FROM reservations WHERE reference = $1';
      const [row] = await sql<{ version: number }>(at.staff.database, text, [reference]);
      return row!.version;
    };

    test('two changes of different parts both apply, each with its event', async () => {
      const reserved = await at.reserve();
      const { reference, open } = reserved;
      const to = {
        checkIn: plusDays(open.quote.checkIn, 100),
        checkOut: plusDays(open.quote.checkOut, 100),
      };
      await Promise.all([
        change({ reference, ...to }),
        change({ reference, party: { adults: 1 } }),
        change({ reference, party: { pets: 1 } }),
      ]);
      const now = await at.read(reference);
      assert.deepEqual([now.checkIn, now.checkOut], [to.checkIn, to.checkOut]);
      assert.deepEqual([now.party.adults, now.party.pets], [1, 1]);
      assert.deepEqual((await changesOf(reserved)).map(String).toSorted(), [
        'dates',
        'party',
        'party',
      ]);
      assert.equal(await versionOf(reserved), 4);
      await assertNights();
    });

    test('the same change twice applies once; the second finds nothing to change', async () => {
      const reserved = await at.reserve();
      const { reference } = reserved;
      const results = await Promise.allSettled(
        [1, 2, 3, 4].map(() => change({ reference, party: { adults: 1 } })),
      );
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.deepEqual(await changesOf(reserved), [['party']]);
      const { items } = await listAuditTrail(at.staff.database, { reference }, {});
      assert.equal(items.length, 1);
    });

    test('a change and a cancellation: whichever comes first, the end is cancelled', async () => {
      for (let round = 0; round < 8; round += 1) {
        const reserved = await at.reserve();
        const { reference, open } = reserved;
        const checkIn = plusDays(open.quote.checkIn, 150 + 10 * round);
        const checkOut = plusDays(open.quote.checkOut, 150 + 10 * round);
        const [, cancelled] = await Promise.allSettled([
          change({ reference, checkIn, checkOut }),
          cancelReservation(at.staff, actor, { reference, reason }),
        ]);
        assert.equal(cancelled.status, 'fulfilled');
        assert.equal((await at.read(reference)).state, 'cancelled');
        const feed = await wholeFeed(at.partner);
        const own = feed.filter(({ data }) => 'reference' in data && data.reference === reference);
        assert.equal(own.at(-1)?.type, 'reservation.cancelled');
        await assertNights();
      }
    });

    async function assertNights(): Promise<void> {
      if (environment === 'test') await assertNightsFit(at.staff.database);
    }

    if (environment === 'simulation') {
      test('an announced change that was decided before a change by staff is decided again', async () => {
        const { reference } = await at.reserve('changed');
        await announceNow(at.service, reference);
        const { applicationId } = at.partner.credentials;
        const found = await findReservation(at.staff.database, applicationId, reference);
        const stale = decideAnnounced(found!.reservation, found!.now);
        assert.ok(stale);
        await change({ reference, party: { adults: 1 } });
        assert.equal(await updateReservation(at.staff.database, stale), false);
        assert.equal((await at.read(reference)).party.adults, 1);
      });

      for (const [suffix, type] of [
        ['changed', 'reservation.changed'],
        ['cancelled', 'reservation.cancelled'],
      ] as const) {
        test(`staff and an announced change (+${suffix}) do not lose each other`, async () => {
          for (let round = 0; round < 6; round += 1) {
            const reserved = await at.reserve(suffix);
            const { reference, open } = reserved;
            await announceNow(at.service, reference);
            await Promise.allSettled([
              change({ reference, party: { adults: 1 } }),
              at.read(reference),
              change({ reference, party: { pets: 1 } }),
              at.read(reference),
            ]);
            const now = await at.read(reference);
            const events = (await wholeFeed(at.partner)).filter(
              ({ data }) => 'reference' in data && data.reference === reference,
            );
            assert.equal(events.filter((event) => event.type === type).length > 0, true);
            assert.equal(await versionOf(reserved), events.length - 1, 'one event a version');
            if (suffix === 'cancelled') {
              assert.equal(now.state, 'cancelled');
              assert.equal(events.at(-1)?.type, type);
              continue;
            }
            assert.equal(now.checkIn, plusDays(open.quote.checkIn, 1));
            assert.deepEqual([now.party.adults, now.party.pets], [1, 1]);
          }
        });
      }
      return;
    }

    test('a move and bookings of the target nights: one of them has them', async () => {
      const earlier = await deadlocks(at.staff.database);
      for (let round = 0; round < 10; round += 1) {
        const reserved = await at.reserve();
        const { reference } = reserved;
        const opens = await Promise.all([1, 2, 3].map(() => at.partner.readyCheckout()));
        const [first] = opens;
        const { listingId, checkIn, checkOut } = first!.quote;
        const submits = opens.map((open) =>
          at.partner.succeed('reservation.checkout.submit', {
            ...open.at,
            body: {
              expectedVersion: 2,
              termsVersion: open.quote.terms.version,
              termsAccepted: true,
            },
          }),
        );
        const [change1] = await Promise.allSettled([
          change({ reference, listing: listingId, checkIn, checkOut }),
          ...submits,
        ]);
        const states = await Promise.all(
          opens.map((open) => at.partner.statusOnce(open, ['confirmed', 'failed'])),
        );
        const confirmed = states.filter(({ state }) => state === 'confirmed').length;
        const isMoved = change1.status === 'fulfilled';
        assert.equal(confirmed + (isMoved ? 1 : 0), 1, 'the nights have one owner');
        for (const { state, failure } of states) {
          if (state === 'failed') assert.equal(failure?.reason, 'sold_out');
        }
        await assertNights();
      }
      assert.equal(await deadlocks(at.staff.database), earlier);
    });

    test('two stays that exchange their nights at once end with nights of their own', async () => {
      const [first, second] = [await at.reserve(), await at.reserve()];
      const there = (reserved: Reserved) => {
        const { listingId, checkIn, checkOut } = reserved.open.quote;
        return { listing: listingId, checkIn, checkOut };
      };
      for (let round = 0; round < 5; round += 1) {
        await Promise.allSettled([
          change({ reference: first.reference, ...there(second) }),
          change({ reference: second.reference, ...there(first) }),
        ]);
        await assertNights();
      }
    });
  });
}
