/** What staff do with a reservation, and what its partner sees of it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { Seen } from '../../src/api/seen.ts';
import { addBlocks } from '../../src/inventory/index.ts';
import { dayNumber, priceStay, stayOf } from '../../src/pricing/index.ts';
import { homesOf, plusDays } from '../harness/catalog.ts';
import { checkCharges } from '../harness/charges.ts';
import { wholeFeed } from '../harness/events.ts';
import { assertNightsFit } from '../harness/nights.ts';
import { guest } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import {
  actor,
  openStaff,
  staffEnvironments,
  type Reserved,
  type StaffAtWork,
} from '../harness/staff.ts';
import {
  cancelReservation,
  changeReservation,
  listAuditTrail,
  listReservationsForStaff,
  refusedBecause,
  showReservation,
} from '../harness/acts.ts';

const reason = 'The guest has called.';

for (const environment of staffEnvironments) {
  suite(`staff › reservations › ${environment}`, () => {
    let at: StaffAtWork;

    before(async () => {
      at = await openStaff(environment);
    });
    after(() => at.service.stop());

    const change = (input: Omit<Parameters<typeof changeReservation>[2], 'reason'>) =>
      changeReservation(at.staff, actor, { reason, ...input });
    const cancel = (input: Omit<Parameters<typeof cancelReservation>[2], 'reason'>) =>
      cancelReservation(at.staff, actor, { reason, ...input });

    /** The bytes of what must never change after the confirmation. */
    const frozen = async ({ open }: Reserved) => {
      const [checkout, confirmation, status] = await Promise.all([
        at.partner.call('reservation.checkout.get', open.at),
        at.partner.call('reservation.checkout.getConfirmation', open.at),
        at.partner.call('reservation.checkout.getStatus', open.at),
      ]);
      return [checkout.text, confirmation.text, status.text];
    };

    const eventsAfter = async ({ reference }: Reserved) =>
      (await wholeFeed(at.partner))
        .filter(({ data }) => 'reference' in data && data.reference === reference)
        .slice(2)
        .map(({ type, data }) => ({ type, data }));

    const entriesOf = async (reference: string) =>
      (await listAuditTrail(at.staff.database, { reference }, {})).items;

    const isFree = async (listingId: string, checkIn: string, checkOut: string) => {
      const party = { adults: 1 };
      const body = { quoteId: randomUUID(), listingId, checkIn, checkOut, party };
      const { status } = await at.partner.call('reservation.quote.create', { body });
      return status === 201;
    };

    test('show › everything behind a reservation, in the order of time', async () => {
      const { open, reference } = await at.reserve();
      const shown = await showReservation(at.staff, reference);
      assert.equal(shown.state, 'confirmed');
      assert.deepEqual(shown.guest, guest());
      assert.deepEqual(shown.charges, open.quote.charges);
      assert.deepEqual(shown.terms, open.quote.terms);
      assert.equal(shown.booking.id, open.created.checkoutId);
      assert.equal(shown.quote.quoteId, open.quote.quoteId);
      assert.deepEqual(shown.payments, []);
      const what = shown.history.map((item) => item['type'] ?? item['operation'] ?? item.what);
      assert.deepEqual(what.toSorted(), [
        'checkout.created',
        'checkout.resolved',
        'checkout.resolved',
        'checkout.submitted',
        'quote.created',
        'records.ready',
        'reservation.checkout.saveGuest',
        'reservation.checkout.submit',
        'reservation.confirmed',
      ]);
      const instants = shown.history.map((item) => item.at);
      assert.deepEqual(instants, instants.toSorted());
      const events = shown.history.filter((item) => item.what === 'event');
      const feed = await wholeFeed(at.partner);
      const own = feed.filter(
        ({ data }) => 'checkoutId' in data && data.checkoutId === open.created.checkoutId,
      );
      assert.deepEqual(
        events.map(({ id, sequence, deliveries }) => [id, sequence, deliveries]),
        own.map(({ id, sequence }) => [id, sequence, 0]),
      );
    });

    test('show › an unknown reference is refused', () =>
      refusedBecause(showReservation(at.staff, 'LK-0000-0000'), /no reservation LK-0000-0000/));

    test('cancel › a preview shows refund and event, and changes nothing', async () => {
      const reserved = await at.reserve();
      const was = await at.read(reserved.reference);
      const preview = await cancel({ reference: reserved.reference, dryRun: true });
      assert.equal(preview.dryRun, true);
      assert.deepEqual(
        preview.events.map(({ type, data }) => [type, data['reference'], data['state']]),
        [['reservation.cancelled', reserved.reference, 'cancelled']],
      );
      assert.deepEqual(await at.read(reserved.reference), was);
      assert.deepEqual(await eventsAfter(reserved), []);
      assert.deepEqual(await entriesOf(reserved.reference), []);
    });

    test('cancel › the partner sees it, checkout and confirmation stay, the nights are free', async () => {
      const reserved = await at.reserve();
      const { reference, open } = reserved;
      const was = await frozen(reserved);
      const { charges, terms } = open.quote;
      const done = await cancel({ reference });
      const collected = charges.schedule
        .filter(({ dueOn }) => dueOn <= new Date().toISOString().slice(0, 10))
        .reduce((sum, { amount }) => sum + amount, 0);
      const byTerms = terms.cancellation[0]?.refundAmount ?? 0;
      assert.deepEqual(done.refund, {
        currency: charges.currency,
        amount: byTerms,
        byTerms,
        collected,
        paidBy: 'partner',
      });
      const now = await at.read(reference);
      assert.equal(now.state, 'cancelled');
      assert.equal(now.cancelledAt, done.cancelledAt);
      assert.deepEqual([now.checkIn, now.charges], [open.quote.checkIn, charges]);
      assert.deepEqual(await eventsAfter(reserved), [
        {
          type: 'reservation.cancelled',
          data: {
            reference,
            checkoutId: open.created.checkoutId,
            state: 'cancelled',
            cancelledAt: done.cancelledAt,
          },
        },
      ]);
      assert.deepEqual(await frozen(reserved), was);
      const { listingId, checkIn, checkOut } = open.quote;
      assert.equal(await isFree(listingId, checkIn, checkOut), true);
      await assertNights();

      const [entry, ...others] = await entriesOf(reference);
      assert.equal(others.length, 0);
      assert.deepEqual(
        [entry?.actor, entry?.action, entry?.applicationId],
        [actor, 'reservation.cancel', at.partner.credentials.applicationId],
      );
      assert.equal(entry?.details['reason'], reason);
      assert.deepEqual(entry?.details['before'], { state: 'confirmed', version: 1 });
      const shown = await showReservation(at.staff, reference);
      assert.equal(shown.refund.decided, byTerms);
      assert.deepEqual(
        shown.history
          .filter(({ what }) => what === 'reservation.cancel')
          .map((item) => item['actor']),
        [actor],
      );
      await refusedBecause(cancel({ reference }), /cancelled already/);
      await refusedBecause(
        change({ reference, party: { adults: 1 } }),
        /cancelled, which is final/,
      );
    });

    test('cancel › refund: none, an amount, never more than was collected', async () => {
      const first = await at.reserve();
      const none = await cancel({ reference: first.reference, refund: 'none' });
      assert.equal(none.refund.amount, 0);
      const second = await at.reserve();
      const { collected } = none.refund;
      const { reference } = second;
      await refusedBecause(cancel({ reference, refund: 1e12 }), /more than the \d+ that have been/);
      assert.equal((await at.read(reference)).state, 'confirmed');
      assert.ok(collected > 0);
      assert.equal((await cancel({ reference, refund: 17 })).refund.amount, 17);
      const [row] = await sql<{ refund_minor: number }>(
        at.staff.database,
        'SELECT refund_minor FROM reservations WHERE reference = $1',
        [reference],
      );
      assert.equal(row?.refund_minor, 17);
    });

    test('change › other dates keep the price: lines stay, nights are renamed', async () => {
      const reserved = await at.reserve();
      const { reference, open } = reserved;
      const { checkIn, checkOut, charges } = open.quote;
      const was = await frozen(reserved);
      const to = { checkIn: plusDays(checkIn, 200), checkOut: plusDays(checkOut, 200) };
      const preview = await change({ reference, ...to, dryRun: true });
      assert.deepEqual((await at.read(reference)).checkIn, checkIn);
      const done = await change({ reference, ...to });
      assert.deepEqual(done.changes, ['dates']);
      assert.deepEqual({ ...preview, dryRun: false, events: [] }, { ...done, events: [] });
      assert.equal(done.availability?.isFree, environment === 'test' ? true : undefined);
      const now = await at.read(reference);
      assert.deepEqual([now.checkIn, now.checkOut], [to.checkIn, to.checkOut]);
      assert.deepEqual({ ...now.charges, nights: [] }, { ...charges, nights: [] });
      assert.deepEqual(
        now.charges.nights,
        charges.nights.map(({ date, amount }) => ({ date: plusDays(date, 200), amount })),
      );
      const { changedAt, ...data } = (await eventsAfter(reserved))[0]!.data as Record<
        string,
        unknown
      >;
      assert.deepEqual(data, {
        reference,
        checkoutId: open.created.checkoutId,
        state: 'confirmed',
        changes: ['dates'],
      });
      assert.equal(changedAt, now.updatedAt);
      assert.deepEqual(await frozen(reserved), was);
      await assertNights();
      const { terms } = await showReservation(at.staff, reference);
      for (const { before: instant } of terms.cancellation) {
        assert.ok(instant > plusDays(to.checkIn, -60), 'refunds follow the new arrival');
      }
    });

    test('change › more nights for the same price share the accommodation exactly', async () => {
      const { reference, open } = await at.reserve();
      const { checkIn, charges } = open.quote;
      const checkOut = plusDays(checkIn, 227);
      const { charges: kept } = await change({
        reference,
        checkIn: plusDays(checkIn, 220),
        checkOut,
      });
      checkCharges(kept, { checkIn: plusDays(checkIn, 220), checkOut }, charges.schedule[0]!.dueOn);
      assert.equal(kept.total, charges.total);
      await assertNights();
    });

    test('change › the price of the rates of now is that of a new quote', async () => {
      const reserved = await at.reserve();
      const { reference, open } = reserved;
      const { listingId, checkIn } = open.quote;
      const stay = {
        checkIn: plusDays(checkIn, 100),
        checkOut: plusDays(checkIn, 104),
      };
      const done = await change({ reference, ...stay, price: 'recalculate' });
      const homes = await homesOf(at.staff);
      const home = homes.find((one) => one.listingId === listingId);
      assert.ok(home);
      const today = new Date().toISOString().slice(0, 10);
      checkCharges(done.charges, stay, today);
      const priced = priceStay(home, stayOf(stay), open.quote.party, {
        today: dayNumber(today),
        adjustmentPercent: 0,
      });
      assert.deepEqual(done.charges.lines, priced?.lines);
      assert.deepEqual((await at.read(reference)).charges, done.charges);
      assert.equal(done.price.difference, done.price.after - open.quote.charges.total);
      assert.deepEqual(done.changes, ['dates', 'price']);
      await assertNights();
    });

    test('change › dates, party, price and home are announced in this order', async () => {
      const reserved = await at.reserve();
      const { reference, open } = reserved;
      const homes = await homesOf(at.staff);
      const other = homes.find(
        ({ listingId, currency, sleeps }) =>
          listingId !== open.quote.listingId &&
          currency === open.quote.charges.currency &&
          (sleeps ?? 0) >= 3,
      );
      assert.ok(other);
      const done = await change({
        reference,
        listing: other.slug,
        checkIn: plusDays(open.quote.checkIn, 300),
        checkOut: plusDays(open.quote.checkOut, 300),
        party: { adults: 3 },
        price: 'recalculate',
      });
      assert.deepEqual(done.changes, ['dates', 'party', 'price', 'listing']);
      const [event] = await eventsAfter(reserved);
      assert.deepEqual((event!.data as { changes: string[] }).changes, [
        'dates',
        'party',
        'price',
        'listing',
      ]);
      const now = await at.read(reference);
      assert.equal(now.listingId, other.listingId);
      assert.equal(now.party.adults, 3);
      assert.equal(now.party.children, 0);
      await assertNights();
    });

    test('change › what has no effect is refused, and so is what is no stay', async () => {
      const { reference, open } = await at.reserve();
      const { checkIn, checkOut, listingId } = open.quote;
      await refusedBecause(change({ reference }), /nothing would change/);
      await refusedBecause(
        change({ reference, checkIn, checkOut, listing: listingId, party: { adults: 2 } }),
        /nothing would change/,
      );
      await refusedBecause(change({ reference, checkOut: checkIn }), /is not a stay/);
      await refusedBecause(
        change({ reference, checkOut: plusDays(checkIn, 91) }),
        /1 to 90 nights after arrival/,
      );
      await refusedBecause(
        change({ reference, listing: 'no-such-home' }),
        /no listing "no-such-home"/,
      );
      assert.deepEqual(await entriesOf(reference), []);
    });

    test('change › broken rules are warnings', async () => {
      const { reference } = await at.reserve();
      const done = await change({ reference, party: { adults: 60, infants: 11, pets: 9 } });
      const rules = done.warnings.map(({ rule }) => rule);
      assert.ok(rules.includes('too_many_guests'), rules.join());
      assert.ok(done.warnings.every(({ message }) => message.length > 10));
      assert.deepEqual(done.changes, ['party']);
    });

    test('change › a version that staff have not seen is refused', async () => {
      const { reference } = await at.reserve();
      await change({ reference, party: { adults: 1 }, seen: new Seen(1) });
      await refusedBecause(
        change({ reference, party: { adults: 2 }, seen: new Seen(1) }),
        /^Somebody has changed LK-[\w-]+ meanwhile\. Read it again/,
      );
      await refusedBecause(
        cancel({ reference, seen: new Seen(1) }),
        /^Somebody has changed LK-[\w-]+ meanwhile\. Read it again/,
      );
    });

    test('list › by arrival, in pages, filtered by state, home and dates', async () => {
      const made = [await at.reserve(), await at.reserve(), await at.reserve()];
      await cancel({ reference: made[0]!.reference });
      const { database } = at.staff;
      const all = await listReservationsForStaff(database, {}, { limit: 500 });
      assert.equal(all.nextCursor, null);
      const order = all.items.map(({ checkIn, reference }) => `${checkIn} ${reference}`);
      assert.deepEqual(order, order.toSorted());
      assert.ok(
        made.every(({ reference }) => all.items.some((one) => one.reference === reference)),
      );

      const paged: string[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await listReservationsForStaff(database, {}, { limit: 2, cursor });
        paged.push(...page.items.map(({ reference }) => reference));
        if (page.nextCursor === null) break;
        assert.equal(page.items.length, 2);
        cursor = page.nextCursor;
      }
      assert.deepEqual(
        paged,
        all.items.map(({ reference }) => reference),
      );

      const cancelled = await listReservationsForStaff(database, { state: 'cancelled' }, {});
      assert.ok(cancelled.items.length > 0);
      assert.ok(cancelled.items.every(({ state }) => state === 'cancelled'));
      const [one] = all.items;
      assert.ok(one);
      const ofHome = await listReservationsForStaff(
        database,
        { listing: one.listing!, from: one.checkIn, to: one.checkIn },
        {},
      );
      assert.ok(ofHome.items.some(({ reference }) => reference === one.reference));
      for (const { listing, checkIn } of ofHome.items) {
        assert.deepEqual([listing, checkIn], [one.listing, one.checkIn]);
      }
      const { nextCursor } = await listReservationsForStaff(database, {}, { limit: 1 });
      await refusedBecause(
        listReservationsForStaff(database, { state: 'confirmed' }, { cursor: nextCursor! }),
        /not a cursor of this list/,
      );
    });

    async function assertNights(): Promise<void> {
      if (environment === 'test') await assertNightsFit(at.staff.database);
    }

    if (environment === 'simulation') return;

    test('change › taken nights are refused by name, and nothing changes', async () => {
      const [first, second] = [await at.reserve(), await at.reserve()];
      const { listingId, checkIn, checkOut } = first.open.quote;
      const to = { listing: listingId, checkIn, checkOut };
      const preview = await change({ reference: second.reference, ...to, dryRun: true });
      assert.equal(preview.availability?.isFree, false);
      assert.deepEqual(
        preview.availability?.taken.map((one) => 'reference' in one && one.reference),
        [first.reference],
      );
      await refusedBecause(
        change({ reference: second.reference, ...to }),
        new RegExp(`is not free: ${checkIn} to ${checkOut} \\(${first.reference}\\)`),
      );
      const now = await at.read(second.reference);
      assert.deepEqual(
        [now.listingId, now.checkIn],
        [second.open.quote.listingId, second.open.quote.checkIn],
      );
      assert.deepEqual(await entriesOf(second.reference), []);
      assert.deepEqual(await eventsAfter(second), []);
      await assertNights();
    });

    test('change › a block is as good as a stay', async () => {
      const { reference, open } = await at.reserve();
      const { listingId, checkIn } = open.quote;
      const from = plusDays(checkIn, 400);
      await at.staff.database.transaction((executor) =>
        addBlocks(executor, [
          { listingId, from, to: plusDays(from, 2), reason: 'New roof', source: 'staff' },
        ]),
      );
      await refusedBecause(
        change({ reference, checkIn: plusDays(from, 1), checkOut: plusDays(from, 3) }),
        /blocked: New roof/,
      );
    });
  });
}
