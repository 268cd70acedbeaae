/** Checkouts and requests whose outcome is not known, resolved by staff. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { addBlocks } from '../../src/inventory/index.ts';
import { guest, type OpenCheckout } from '../harness/partner.ts';
import { tellOutcome, wholeFeed, requestStay } from '../harness/events.ts';
import { assertNightsFit, takenNights } from '../harness/nights.ts';
import { aged, sql } from '../harness/rows.ts';
import type { TestReplacements } from '../harness/service.ts';
import { actor, openStaff, staffEnvironments, type StaffAtWork } from '../harness/staff.ts';
import {
  RefusedAct,
  listAuditTrail,
  listUncertain,
  refusedBecause,
  resolveCheckout,
  showCheckout,
} from '../harness/acts.ts';

const reason = 'The owner has confirmed by phone.';

// The built-in supply always knows; this one says so to nobody.
const forgetful: TestReplacements = {
  changeSupply: (own) => ({
    ...own,
    confirm: async () => ({ outcome: 'unknown' }),
    lookUp: async () => ({ outcome: 'unknown' }),
  }),
};

for (const environment of staffEnvironments) {
  suite(`staff › checkouts › ${environment}`, () => {
    let at: StaffAtWork;

    before(async () => {
      at = await openStaff(environment, environment === 'test' ? forgetful : {});
    });
    after(() => at.service.stop());

    async function uncertain(suffix = 'uncertain'): Promise<OpenCheckout> {
      const open = await at.partner.submittedCheckout(suffix);
      await at.partner.statusOnce(open, ['uncertain']);
      return open;
    }

    const resolve = (input: Omit<Parameters<typeof resolveCheckout>[2], 'reason'>) =>
      resolveCheckout(at.staff, actor, { reason, ...input });

    const eventsOf = async (checkoutId: string) =>
      (await wholeFeed(at.partner)).filter(
        ({ data }) => 'checkoutId' in data && data.checkoutId === checkoutId,
      );

    const statusOf = (open: OpenCheckout) =>
      at.partner.succeed('reservation.checkout.getStatus', open.at);

    test('list › what is uncertain and unresolved, oldest first, in pages', async () => {
      const first = await uncertain();
      const requestId = await requestStay(at.partner, await at.partner.freeStay(), 'uncertain');
      for (;;) {
        const { state } = await at.partner.succeed('reservation.reservationRequest.get', {
          params: { reservationRequestId: requestId },
        });
        if (state === 'unresolved') break;
      }
      const { items } = await listUncertain(at.staff.database, 24, { limit: 500 });
      const found = items.filter(({ checkoutId }) =>
        [first.created.checkoutId, requestId].includes(checkoutId),
      );
      assert.deepEqual(
        found.map(({ checkoutId, kind, state, unknownStep }) => [
          checkoutId,
          kind,
          state,
          unknownStep,
        ]),
        [
          [first.created.checkoutId, 'checkout', 'uncertain', 'confirm'],
          [requestId, 'request', 'unresolved', 'confirm'],
        ],
      );
      const pages: string[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await listUncertain(at.staff.database, 24, { limit: 1, cursor });
        pages.push(...page.items.map(({ checkoutId }) => checkoutId));
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
      assert.deepEqual(
        pages,
        items.map(({ checkoutId }) => checkoutId),
      );
    });

    test('show › guest, evidence and history', async () => {
      const open = await uncertain();
      const { checkoutId } = open.created;
      const shown = await showCheckout(at.staff, { checkoutId });
      assert.equal(shown.state, 'uncertain');
      assert.deepEqual(shown.guest, guest('uncertain'));
      assert.equal(shown.evidence.unknownStep, 'confirm');
      assert.equal(shown.evidence.supply, environment === 'test' ? 'held' : 'unknown');
      assert.equal(shown.evidence.payment, null);
      assert.ok(shown.history.some(({ what }) => what === 'checkout.submitted'));
      await refusedBecause(
        showCheckout(at.staff, { checkoutId: randomUUID() }),
        /no checkout or request/,
      );
    });

    test('resolve as confirmed › exactly what a worker would have written', async () => {
      const open = await uncertain();
      const { checkoutId } = open.created;
      const preview = await resolve({ checkoutId, as: 'confirmed', dryRun: true });
      assert.equal(preview.state, 'confirmed');
      assert.equal(preview.before.state, 'uncertain');
      const isOwn = environment === 'test';
      assert.equal(preview.evidence.supply, isOwn ? 'held' : 'unknown');
      assert.deepEqual(preview.availability, isOwn ? { isFree: true, taken: [] } : null);
      assert.equal((await statusOf(open)).state, 'uncertain');

      const { version } = await statusOf(open);
      const done = await resolve({ checkoutId, as: 'confirmed' });
      const status = await statusOf(open);
      assert.deepEqual(
        [status.state, status.version, status.reference],
        ['confirmed', version + 1, done.reference],
      );
      const events = await eventsOf(checkoutId);
      assert.deepEqual(
        events.map(({ type, data }) => [type, data]),
        done.events.map(({ type, data }) => [type, data]),
      );
      assert.deepEqual(
        events.map(({ type }) => type),
        ['checkout.resolved', 'reservation.confirmed'],
      );
      assert.equal((await at.read(done.reference!)).state, 'confirmed');
      const confirmation = await at.partner.succeed(
        'reservation.checkout.getConfirmation',
        open.at,
      );
      assert.equal(confirmation.reference, done.reference);
      await assertNights();
      const { items } = await listAuditTrail(at.staff.database, { reference: done.reference! }, {});
      assert.deepEqual(
        items.map(({ action, details }) => [action, details['as'], details['reason']]),
        [['checkout.resolve', 'confirmed', reason]],
      );
      await refusedBecause(
        resolve({ checkoutId, as: 'failed' }),
        /is confirmed: staff resolve only/,
      );
    });

    test('resolve as failed › one event, and the nights are free', async () => {
      const open = await uncertain();
      const { checkoutId } = open.created;
      await resolve({ checkoutId, as: 'failed' });
      const status = await statusOf(open);
      assert.deepEqual([status.state, status.failure?.reason], ['failed', 'refused']);
      assert.deepEqual(
        (await eventsOf(checkoutId)).map(({ type }) => type),
        ['checkout.resolved'],
      );
      await assertNights();
      const { items } = await listAuditTrail(at.staff.database, { reference: checkoutId }, {});
      assert.equal(items.length, 1, 'without a reservation it is found by the ID');
    });

    test('resolve › no worker touches it afterwards', async () => {
      const open = await uncertain();
      const { checkoutId } = open.created;
      await resolve({ checkoutId, as: 'confirmed' });
      const earlier = await eventsOf(checkoutId);
      await sql(at.staff.database, 'UPDATE bookings SET due_at = now() WHERE booking_id = $1', [
        checkoutId,
      ]);
      for (;;) {
        const text = 'SELECT due_at FROM bookings WHERE booking_id = $1';
        const [row] = await sql<{ due_at: number | null }>(at.staff.database, text, [checkoutId]);
        if (row!.due_at === null) break;
      }
      assert.deepEqual(await eventsOf(checkoutId), earlier);
      assert.equal((await statusOf(open)).state, 'confirmed');
    });

    test('resolve › what staff may not: a checkout that is not uncertain', async () => {
      const open = await at.partner.readyCheckout();
      await refusedBecause(
        resolve({ checkoutId: open.created.checkoutId, as: 'confirmed' }),
        /is ready: staff resolve only what is uncertain/,
      );
    });

    test('an ID that two applications have chosen needs the application', async () => {
      const other = await at.service.partner();
      const checkoutId = randomUUID();
      for (const who of [at.partner, other]) {
        const { quoteId } = await who.quote();
        await who.succeed('reservation.checkout.create', { body: { checkoutId, quoteId } });
      }
      await refusedBecause(showCheckout(at.staff, { checkoutId }), /choose one with --application/);
      const { applicationId } = other.credentials;
      const shown = await showCheckout(at.staff, { checkoutId, applicationId });
      assert.equal(shown.application.applicationId, applicationId);
    });

    async function assertNights(): Promise<void> {
      if (environment === 'test') await assertNightsFit(at.staff.database);
    }

    if (environment === 'simulation') {
      test('staff and a worker at once › one outcome, one set of events', async () => {
        for (const [suffix, as] of [
          ['uncertain_confirmed', 'failed'],
          ['uncertain_failed', 'confirmed'],
        ] as const) {
          for (let round = 0; round < 8; round += 1) {
            const open = await uncertain(suffix);
            const { checkoutId } = open.created;
            await tellOutcome(at.service, checkoutId);
            await aged.due(at.staff.database, checkoutId, 5);
            const [byStaff] = await Promise.allSettled([resolve({ checkoutId, as })]);
            const status = await at.partner.statusOnce(open, ['confirmed', 'failed']);
            if (byStaff.status === 'fulfilled') assert.equal(status.state, as);
            const resolved = (await eventsOf(checkoutId)).filter(
              ({ type }) => type === 'checkout.resolved',
            );
            assert.equal(resolved.length, 1);
            assert.equal((resolved[0]!.data as { state: string }).state, status.state);
            const text = 'SELECT reference FROM reservations WHERE booking_id = $1';
            const rows = await sql(at.staff.database, text, [checkoutId]);
            assert.equal(rows.length, status.state === 'confirmed' ? 1 : 0);
          }
        }
      });
      return;
    }

    const freeNightsOf = (checkoutId: string) =>
      sql(
        at.staff.database,
        `DELETE FROM occupancies WHERE occupancy_id =
          (SELECT attempt_id FROM bookings WHERE booking_id = $1)`,
        [checkoutId],
      );

    test('resolve as confirmed › takes nights that are no longer held', async () => {
      const open = await uncertain();
      const { checkoutId } = open.created;
      await freeNightsOf(checkoutId);
      const { reference } = await resolve({ checkoutId, as: 'confirmed' });
      const taken = await takenNights(at.staff.database);
      assert.ok(taken.some((one) => one.reference === reference && one.kind === 'confirmed'));
      await assertNights();
    });

    test('resolve as confirmed › nights that somebody is about to take: unavailable after one try', async () => {
      const open = await uncertain();
      const { checkoutId } = open.created;
      const { listingId, checkIn: from, checkOut: to } = open.quote;
      await freeNightsOf(checkoutId);
      const ending = Promise.withResolvers<void>();
      const blocked = Promise.withResolvers<void>();
      const other = at.staff.database.transaction(async (executor) => {
        await addBlocks(executor, [{ listingId, from, to, reason: null, source: 'staff' }]);
        blocked.resolve();
        await ending.promise;
        throw new Error('not taken after all');
      });
      await blocked.promise;
      try {
        await assert.rejects(
          resolve({ checkoutId, as: 'confirmed' }),
          (error) => error instanceof RefusedAct && error.refusal.refused === 'unavailable',
        );
      } finally {
        ending.resolve();
      }
      await assert.rejects(other, /not taken after all/);
      assert.equal((await statusOf(open)).state, 'uncertain');
      const { reference } = await resolve({ checkoutId, as: 'confirmed' });
      assert.ok(reference);
      await assertNights();
    });

    test('resolve as confirmed › nights that somebody else has are sold_out', async () => {
      const open = await uncertain();
      const { checkoutId } = open.created;
      const { listingId, checkIn: from, checkOut: to } = open.quote;
      await freeNightsOf(checkoutId);
      await at.staff.database.transaction((executor) =>
        addBlocks(executor, [{ listingId, from, to, reason: null, source: 'staff' }]),
      );
      const preview = await resolve({ checkoutId, as: 'confirmed', dryRun: true });
      assert.equal(preview.evidence.supply, 'none');
      assert.deepEqual(
        preview.availability?.taken.map((taken) => [taken.kind, taken.from, taken.to]),
        [['block', from, to]],
      );
      await refusedBecause(
        resolve({ checkoutId, as: 'confirmed' }),
        new RegExp(String.raw`sold_out\): ${from} to ${to} \(blocked\)`),
      );
      const asFailed = await resolve({ checkoutId, as: 'failed', dryRun: true });
      assert.equal(asFailed.availability, null, 'it takes no nights');
      assert.equal((await statusOf(open)).state, 'uncertain');
      assert.deepEqual(await eventsOf(checkoutId), []);
      await resolve({ checkoutId, as: 'failed' });
      assert.equal((await statusOf(open)).state, 'failed');
    });
  });
}
