/** Reservations and checkouts, as the operator's API shows and changes them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { digestGuestEmails } from '../../src/bookings/index.ts';
import { operatorLimits } from '../../src/contract/operator/limits.ts';
import { plusDays } from '../harness/catalog.ts';
import { wholeFeed } from '../harness/events.ts';
import type { OperatorInputOf } from '../../src/contract/operator/call-types.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { forgetfulSupply } from '../harness/forgetful-supply.ts';
import { guest } from '../harness/partner.ts';
import { enterPortal } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
import { openStaff, type StaffAtWork } from '../harness/staff.ts';
import { signedIn } from '../harness/staff-member.ts';

const reason = 'The guest has called.';

let at: StaffAtWork;
let operator: Operator;

before(async () => {
  at = await openStaff('test', forgetfulSupply);
  operator = await operatorOf(at.service, 'reservations');
});
after(() => at.service.stop());

const lastAct = async (reference: string) =>
  (await operator.done('operator.audit.list', { query: { reference } })).items[0];

suite('operator.reservation.list', () => {
  test('by arrival, in pages, by state, home and days', async () => {
    const reserved = [await at.reserve(), await at.reserve()];
    const references = reserved.map(({ reference }) => reference);
    const all = await operator.done('operator.reservation.list');
    assert.ok(references.every((one) => all.items.some(({ reference }) => reference === one)));
    const first = await operator.done('operator.reservation.list', { query: { limit: 1 } });
    const cursor = first.nextCursor!;
    const rest = await operator.done('operator.reservation.list', { query: { cursor } });
    assert.deepEqual([...first.items, ...rest.items], all.items);
    const { listingId, checkIn } = reserved[0]!.open.quote;
    const filters = { listing: listingId, from: checkIn, to: checkIn, state: 'confirmed' } as const;
    const found = await operator.done('operator.reservation.list', { query: filters });
    assert.ok(found.items.some(({ reference }) => reference === references[0]));
    assert.ok(found.items.every((one) => one.listingId === listingId && one.checkIn === checkIn));
    const none = await operator.done('operator.reservation.list', {
      query: { state: 'cancelled', listing: listingId, from: checkIn, to: checkIn },
    });
    assert.deepEqual(none.items, []);
  });

  test('by reference, guest, partner reference and application', async () => {
    const found = async (
      query: NonNullable<OperatorInputOf<'operator.reservation.list'>['query']>,
    ) =>
      (await operator.done('operator.reservation.list', { query })).items.map(
        ({ reference }) => reference,
      );
    const other = await at.service.partner({ settlement: 'partner' });
    const quote = await other.quote();
    const { reference: guestOf } = await other.requestedReservation(quote, {
      guest: { ...guest(), email: 'Grace.Hopper@Example.com' },
      partnerReference: 'order 1 from navy',
    });
    const own = [guestOf];
    const { applicationId } = other.credentials;
    assert.deepEqual(await found({ reference: own[0]! }), own);
    assert.deepEqual(await found({ guestOf }), own);
    assert.deepEqual(await found({ partnerReference: 'order 1 from navy' }), own);
    assert.deepEqual(await found({ applicationId }), own);
    const partnerReference = 'order 1 from navy';
    assert.deepEqual(await found({ partnerReference, reference: own[0]! }), own);
    assert.deepEqual(await found({ partnerReference, reference: 'LK-0000-0000' }), []);
    assert.deepEqual(await found({ applicationId, guestOf, reference: own[0]! }), own);
    assert.deepEqual(await found({ guestOf, to: plusDays(quote.checkIn, -1) }), []);
    const { reference: ofAnother } = await at.reserve();
    assert.ok(!(await found({ guestOf: ofAnother })).includes(own[0]!));
    const query = { guestOf: 'LK-0000-0000' };
    assert.equal((await operator.refused('operator.reservation.list', { query })).status, 404);
    // Addresses of calls are logged by proxies.
    const address = { query: { guestEmail: 'grace.hopper@example.com' } };
    assert.equal((await operator.refused('operator.reservation.list', address)).status, 400);
    assert.deepEqual(await found({ partnerReference: 'order 1' }), []);

    // As the previous version has written it.
    await sql(
      at.service.database,
      'UPDATE reservations SET guest_email_digest = NULL WHERE reference = $1',
      own,
    );
    assert.deepEqual(await found({ guestOf }), []);
    assert.equal(await digestGuestEmails(at.service.database, 10), 1);
    assert.deepEqual(await found({ guestOf }), own);
    assert.equal(await digestGuestEmails(at.service.database, 10), 0);
  });

  test('home and guest by name, to every role; null once one is gone or cannot be read', async () => {
    const { reference, open } = await at.reserve();
    const params = { listing: open.quote.listingId };
    const home = await operator.done('operator.listing.get', { params });
    const viewer = await operatorOf(at.service, 'viewer');
    const names = async () => {
      const { items } = await viewer.done('operator.reservation.list', { query: { reference } });
      return items.map(({ listing, listingName, guestName }) => [listing, listingName, guestName]);
    };
    const { slug, name } = home.listing;
    const { firstName, lastName } = guest();
    assert.deepEqual(await names(), [[slug, name, `${firstName} ${lastName}`]]);

    const bookingId = open.created.checkoutId;
    const sealed = (value: string) =>
      sql(
        at.service.database,
        `UPDATE bookings SET guest_sealed = ${value} WHERE booking_id = $1`,
        [bookingId],
      );
    await sealed(`'\\x00'`);
    assert.deepEqual(await names(), [[slug, name, null]]);
    await sealed('NULL');
    assert.deepEqual(await names(), [[slug, name, null]]);
    await sql(at.service.database, 'UPDATE reservations SET listing_id = $2 WHERE reference = $1', [
      reference,
      randomUUID(),
    ]);
    assert.deepEqual(await names(), [[null, null, null]]);
  });

  test('404 not_found › an unknown home', async () => {
    const query = { listing: 'no-such-home' };
    const { status, code } = await operator.refused('operator.reservation.list', { query });
    assert.deepEqual([status, code], [404, 'not_found']);
  });
});

suite('operator.reservation.get', () => {
  test('guest, price, booking and history', async () => {
    const { reference, open } = await at.reserve();
    const shown = await operator.done('operator.reservation.get', { params: { reference } });
    assert.deepEqual(shown.guest, guest());
    const viewer = await operatorOf(at.service, 'viewer');
    assert.deepEqual(
      await viewer.done('operator.reservation.get', { params: { reference } }),
      shown,
    );
    assert.deepEqual(shown.charges, open.quote.charges);
    assert.equal(shown.booking.id, open.created.checkoutId);
    assert.equal(shown.history[0]?.what, 'quote.created');
    const whats = shown.history.map(({ what }) => what);
    assert.ok(whats.lastIndexOf('command') < whats.indexOf('checkout.submitted'));
    const event = shown.history.find(({ what }) => what === 'event') as { id?: string } | undefined;
    await sql(
      at.service.database,
      `INSERT INTO webhook_deliveries (endpoint_id, application_id, event_id, event_type, sequence, state, attempts,
          due_at, delivered_at)
        VALUES (uuidv7(), $1, substr($2, 5)::uuid, 'checkout.resolved', 1, 'delivered', 9, NULL, now())`,
      [at.partner.credentials.applicationId, event?.id],
    );
    const { history } = await operator.done('operator.reservation.get', { params: { reference } });
    const delivery = history.find(({ what }) => what === 'delivery') as object;
    assert.deepEqual(
      { ...delivery, at: null, deliveryId: null, endpointId: null },
      {
        at: null,
        what: 'delivery',
        deliveryId: null,
        endpointId: null,
        eventId: event?.id,
        eventType: 'checkout.resolved',
        state: 'delivered',
        attempts: 9,
        lastError: null,
      },
    );
  });

  test('404 not_found › an unknown reference', async () => {
    const params = { reference: 'LK-0000-0000' };
    const { status, code } = await operator.refused('operator.reservation.get', { params });
    assert.deepEqual([status, code], [404, 'not_found']);
  });
});

suite('notes of staff', () => {
  const text = 'Arrives late.\nThe key is with the neighbour of Zoë.';
  const notesIn = async (reference: string) =>
    (await operator.done('operator.reservation.get', { params: { reference } })).history.filter(
      ({ what }) => what.includes('note'),
    );

  test('are in the history, sealed in the database, and in no document of the partner', async () => {
    const { reference } = await at.reserve();
    const input = { params: { reference }, body: { text } };
    const added = await operator.done('operator.reservation.addNote', input);
    const { noteId, at: time } = added;
    assert.deepEqual(added, { noteId, reference, author: operator.name, text, at: time });
    assert.deepEqual(await notesIn(reference), [
      { at: time, what: 'note', actor: operator.name, noteId, text },
    ]);
    const [row] = await sql<{ sealed: Buffer }>(
      at.service.database,
      'SELECT text_sealed AS sealed FROM reservation_notes WHERE note_id = $1',
      [noteId],
    );
    assert.ok(!row!.sealed.includes('neighbour'));
    const audited = await lastAct(reference);
    assert.deepEqual([audited?.action, audited?.details], ['reservation.note.add', { noteId }]);
    const portal = await enterPortal(at.service, at.partner);
    const { items } = await portal.succeed('portal.booking.find', { query: { name: reference } });
    const { kind, bookingId } = items[0]!;
    const seen = [
      await at.read(reference),
      await portal.succeed('portal.booking.get', { params: { kind, bookingId } }),
      await wholeFeed(at.partner),
    ];
    assert.doesNotMatch(JSON.stringify(seen), /neighbour|note/);
  });

  test('are removed permanently, and leave with the reservation', async () => {
    const { reference } = await at.reserve();
    const add = () =>
      operator.done('operator.reservation.addNote', { params: { reference }, body: { text } });
    const { noteId } = await add();
    const params = { reference, noteId };
    await operator.done('operator.reservation.removeNote', { params });
    const [item, ...rest] = await notesIn(reference);
    assert.deepEqual(
      [item?.what, item?.actor, rest],
      ['reservation.note.remove', operator.name, []],
    );
    assert.equal(
      (await operator.refused('operator.reservation.removeNote', { params })).status,
      404,
    );
    await add();
    await sql(at.service.database, 'DELETE FROM reservations WHERE reference = $1', [reference]);
    const left = 'SELECT 1 FROM reservation_notes WHERE reference = $1';
    assert.deepEqual(await sql(at.service.database, left, [reference]), []);
  });

  test('400, 404, 409 › a blank text or a control character, an unknown reservation, too many', async () => {
    const { reference } = await at.reserve();
    const refusal = async (named: string, body: { text: string }) => {
      const input = { params: { reference: named }, body };
      return (await operator.refused('operator.reservation.addNote', input)).status;
    };
    assert.equal(await refusal(reference, { text: ' \n ' }), 400);
    assert.equal(await refusal(reference, { text: 'a\u0000b' }), 400);
    assert.equal(await refusal('LK-0000-0000', { text }), 404);
    await sql(
      at.service.database,
      `INSERT INTO reservation_notes (note_id, reference, author, text_sealed)
        SELECT gen_random_uuid(), $1, 'test', '' FROM generate_series(1, $2)`,
      [reference, operatorLimits.notesOfReservation],
    );
    assert.equal(await refusal(reference, { text }), 409);
  });
});

suite('operator.reservation.cancel', () => {
  test('the preview changes nothing; the cancellation does what it said', async () => {
    const { reference } = await at.reserve();
    const params = { reference };
    const preview = await operator.done('operator.reservation.previewCancel', { params, body: {} });
    assert.equal(preview.dryRun, true);
    assert.equal((await at.read(reference)).state, 'confirmed');
    assert.equal(await lastAct(reference), undefined);
    const body = { reason, expectedVersion: 1 };
    const done = await operator.done('operator.reservation.cancel', { params, body });
    assert.deepEqual([done.dryRun, done.refund], [false, preview.refund]);
    assert.equal((await at.read(reference)).state, 'cancelled');
    const act = await lastAct(reference);
    assert.deepEqual(
      [act?.actor, act?.action, act?.details['reason']],
      [operator.name, 'reservation.cancel', reason],
    );
  });

  test('409 conflict › a cancelled one, and a refund above what was collected', async () => {
    const { reference } = await at.reserve();
    const params = { reference };
    const much = { reason, refund: 100_000_000 };
    const tooMuch = await operator.refused('operator.reservation.cancel', { params, body: much });
    assert.equal(tooMuch.code, 'conflict');
    assert.match(tooMuch.message, /more than the \d+ that have been collected/);
    await operator.done('operator.reservation.cancel', {
      params,
      body: { reason, refund: 'none' },
    });
    const again = await operator.refused('operator.reservation.cancel', {
      params,
      body: { reason },
    });
    assert.deepEqual([again.status, again.code], [409, 'conflict']);
  });

  test('412 precondition_failed › another version', async () => {
    const { reference } = await at.reserve();
    const input = { params: { reference }, body: { reason, expectedVersion: 2 } };
    for (const id of ['operator.reservation.cancel', 'operator.reservation.previewCancel'] as const)
      assert.equal((await operator.refused(id, input)).status, 412);
    assert.equal((await at.read(reference)).state, 'confirmed');
  });

  test('404 not_found › an unknown reference', async () => {
    const input = { params: { reference: 'LK-0000-0000' }, body: { reason } };
    assert.equal((await operator.refused('operator.reservation.cancel', input)).status, 404);
  });

  test('400 invalid_input › no reason, and one of several lines', async () => {
    const { reference } = await at.reserve();
    for (const body of [{}, { reason: ' ' }, { reason: 'one\ntwo' }]) {
      const input = { params: { reference }, body: body as { reason: string } };
      const { status } = await operator.refused('operator.reservation.cancel', input);
      assert.equal(status, 400, JSON.stringify(body));
    }
  });

  test('two staff at once: one cancels, the other is refused', async () => {
    const { reference } = await at.reserve();
    const other = await operatorOf(at.service, 'administrator');
    const input = { params: { reference }, body: { reason, expectedVersion: 1 } };
    const sent = await Promise.all(
      [operator, other].map((one) => one.send('operator.reservation.cancel', input)),
    );
    const statuses = sent.map(({ status }) => status).toSorted();
    assert.equal(statuses[0], 200);
    assert.ok([409, 412].includes(statuses[1]!), `${statuses[1]}`);
    const feed = await wholeFeed(at.partner);
    const own = feed.filter(
      ({ type, data }) => type === 'reservation.cancelled' && data.reference === reference,
    );
    assert.equal(own.length, 1);
  });
});

suite('operator.reservation.change', () => {
  test('the preview shows price, nights, rules and events; the change applies them', async () => {
    const { reference, open } = await at.reserve();
    const params = { reference };
    const checkOut = plusDays(open.quote.checkOut, 100);
    const checkIn = plusDays(open.quote.checkIn, 100);
    const body = { checkIn, checkOut, party: { adults: 1 }, price: 'recalculate' } as const;
    const preview = await operator.done('operator.reservation.previewChange', { params, body });
    assert.deepEqual(preview.availability, { isFree: true, taken: [] });
    assert.equal(preview.events[0]?.type, 'reservation.changed');
    assert.equal((await at.read(reference)).checkIn, open.quote.checkIn);
    const done = await operator.done('operator.reservation.change', {
      params,
      body: { ...body, reason, expectedVersion: 1 },
    });
    assert.deepEqual([done.changes, done.charges], [preview.changes, preview.charges]);
    const now = await at.read(reference);
    assert.deepEqual([now.checkIn, now.checkOut, now.party.adults], [checkIn, checkOut, 1]);
    assert.equal((await lastAct(reference))?.actor, operator.name);
  });

  test('403 forbidden, step_up › another price needs a confirmed session, other nights do not', async () => {
    const { reference, open } = await at.reserve();
    const { operator: member } = await signedIn(at.service, 'reservations');
    await sql(
      at.service.database,
      `UPDATE staff_sessions SET confirmed_at = now() - interval '1 hour'`,
    );
    const checkIn = plusDays(open.quote.checkIn, 150);
    const body = { reason, checkIn, checkOut: plusDays(open.quote.checkOut, 150) };
    const params = { reference };
    const priced = { params, body: { ...body, price: 'recalculate' } };
    const { status, details } = await member.refused('operator.reservation.change', priced);
    assert.deepEqual([status, details], [403, { reason: 'step_up' }]);
    assert.equal((await at.read(reference)).checkIn, open.quote.checkIn);
    const { price } = await member.done('operator.reservation.change', { params, body });
    assert.deepEqual([price.difference, (await at.read(reference)).checkIn], [0, checkIn]);
  });

  test('409 conflict › nights that another stay has; the preview names it', async () => {
    const [one, other] = [await at.reserve(), await at.reserve()];
    const { listingId, checkIn, checkOut } = other.open.quote;
    const params = { reference: one.reference };
    const body = { listing: listingId, checkIn, checkOut };
    const preview = await operator.done('operator.reservation.previewChange', { params, body });
    assert.deepEqual(
      preview.availability?.taken.map(({ kind, reference }) => [kind, reference]),
      [['confirmed', other.reference]],
    );
    const change = { params, body: { ...body, reason } };
    const { status, message } = await operator.refused('operator.reservation.change', change);
    assert.equal(status, 409);
    assert.match(message, new RegExp(other.reference));
  });

  test('409, 412, 404 › nothing to change, another version, an unknown home', async () => {
    const { reference } = await at.reserve();
    const refusedWith = async (body: object) =>
      (
        await operator.refused('operator.reservation.change', {
          params: { reference },
          body: { reason, ...body },
        })
      ).status;
    assert.equal(await refusedWith({}), 409);
    assert.equal(await refusedWith({ expectedVersion: 7, party: { adults: 1 } }), 412);
    assert.equal(await refusedWith({ listing: 'no-such-home' }), 404);
  });

  test('two staff at once with the same version: one change applies', async () => {
    const { reference } = await at.reserve();
    const change = (party: { adults?: number; pets?: number }) =>
      operator.send('operator.reservation.change', {
        params: { reference },
        body: { reason, expectedVersion: 1, party },
      });
    const sent = await Promise.all([change({ adults: 1 }), change({ pets: 1 })]);
    assert.deepEqual(sent.map(({ status }) => status).toSorted(), [200, 412]);
  });
});

suite('operator.checkout', () => {
  async function uncertain() {
    const open = await at.partner.submittedCheckout('uncertain');
    await at.partner.statusOnce(open, ['uncertain']);
    return { open, params: { checkoutId: open.created.checkoutId } };
  }

  test('listed, shown with its evidence, and resolved as confirmed', async () => {
    const { open, params } = await uncertain();
    const { items } = await operator.done('operator.checkout.list');
    assert.ok(items.some(({ checkoutId }) => checkoutId === params.checkoutId));
    const shown = await operator.done('operator.checkout.get', { params });
    assert.deepEqual([shown.evidence.unknownStep, shown.evidence.supply], ['confirm', 'held']);
    const body = { as: 'confirmed' as const };
    const preview = await operator.done('operator.checkout.previewResolve', { params, body });
    assert.deepEqual([preview.dryRun, preview.state], [true, 'confirmed']);
    const done = await operator.done('operator.checkout.resolve', {
      params,
      body: { ...body, reason },
    });
    const { reference } = await at.partner.statusOnce(open, ['confirmed']);
    assert.equal(done.reference, reference);
    assert.equal((await lastAct(reference!))?.actor, operator.name);
  });

  test('409 conflict › two staff at once: one outcome stands', async () => {
    const { params } = await uncertain();
    const resolve = (as: 'confirmed' | 'failed') =>
      operator.send('operator.checkout.resolve', { params, body: { as, reason } });
    const sent = await Promise.all([resolve('confirmed'), resolve('failed')]);
    assert.deepEqual(sent.map(({ status }) => status).toSorted(), [200, 409]);
  });

  test('404 not_found › an unknown one', async () => {
    const params = { checkoutId: randomUUID() };
    const body = { as: 'failed' as const, reason };
    for (const { status } of [
      await operator.refused('operator.checkout.get', { params }),
      await operator.refused('operator.checkout.previewResolve', { params, body }),
      await operator.refused('operator.checkout.resolve', { params, body }),
    ])
      assert.equal(status, 404);
  });

  test('409 conflict › an ID of several: application and kind choose one', async () => {
    const { open, params } = await uncertain();
    const partner = await at.service.partner({ settlement: 'partner' });
    await partner.request(undefined, { reservationRequestId: open.created.checkoutId });
    const refused = await operator.refused('operator.checkout.get', { params });
    assert.equal(refused.status, 409);
    const query = { kind: 'checkout' as const };
    const shown = await operator.done('operator.checkout.get', { params, query });
    assert.equal(shown.application.applicationId, at.partner.credentials.applicationId);
  });
});
