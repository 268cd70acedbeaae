/** Partners who ask for a cancellation or change, and what becomes of it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { daySheetTable, staysTable } from '../../../src/contract/tables.ts';
import type { BodyOf } from '../../../src/contract/partner/operations.ts';
import type { ChangeRequest } from '../../../src/contract/partner/schemas/change-request.ts';
import {
  changeHome,
  easyStays,
  freeNights,
  homesOf,
  plainPrices,
  plusDays,
} from '../../harness/catalog.ts';
import { eventually } from '../../harness/eventually.ts';
import { wholeFeed } from '../../harness/events.ts';
import { type Operator, operatorOf } from '../../harness/operator.ts';
import { signedIn } from '../../harness/staff-member.ts';
import { daysAhead, guest, type Partner } from '../../harness/partner.ts';
import { sql } from '../../harness/rows.ts';
import { openStaff, type StaffAtWork } from '../../harness/staff.ts';

type Asked = Omit<BodyOf<'reservation.change.request'>, 'changeRequestId'>;

const decisionsIn = async (partner: Partner, reference: string) =>
  (await wholeFeed(partner))
    .filter(({ data }) => data.reference === reference)
    .map(({ type, data }) => ('changeRequestId' in data ? `${type} ${data.state}` : type))
    .slice(2);

suite('requests for changes', () => {
  let at: StaffAtWork;
  let partner: Partner;
  let operator: Operator;
  before(async () => {
    at = await openStaff('test');
    ({ partner } = at);
    operator = await operatorOf(at.service, 'reservations');
  });
  after(() => at.service.stop());

  const bodyOf = (asked: Asked) => ({ changeRequestId: randomUUID(), ...asked });

  const ask = (reference: string, asked: Asked, who = partner): Promise<ChangeRequest> =>
    who.succeed('reservation.change.request', { params: { reference }, body: bodyOf(asked) }, 201);

  const refusal = async (reference: string, asked: Asked, who = partner) => {
    const { status, code, details } = await who.refused('reservation.change.request', {
      params: { reference },
      body: bodyOf(asked),
    });
    return [status, code, (details as { reason?: string } | undefined)?.reason];
  };

  const readOf = ({ reference, changeRequestId }: ChangeRequest, who = partner) =>
    who.succeed('reservation.change.get', { params: { reference, changeRequestId } });

  const accept = (request: ChangeRequest, body = {}) =>
    operator.done('operator.changeRequest.accept', {
      params: { changeRequestId: request.changeRequestId },
      body,
    });

  // Spec: CHANGE-2.
  test('a cancellation shows what the terms refund; accepted, it refunds that', async () => {
    const { reference } = await at.reserve();
    const note = 'The guest is ill.';
    const asked = await ask(reference, { kind: 'cancel', note });
    const preview = await operator.done('operator.reservation.previewCancel', {
      params: { reference },
      body: {},
    });
    assert.deepEqual(asked.preview, {
      currency: preview.refund.currency,
      total: null,
      difference: null,
      refund: preview.refund.byTerms,
    });
    const { state, reason, decidedAt, checkIn, checkOut, party } = asked;
    assert.deepEqual(
      { state, reason, decidedAt, checkIn, checkOut, party, note: asked.note },
      {
        state: 'open',
        reason: null,
        decidedAt: null,
        checkIn: null,
        checkOut: null,
        party: null,
        note,
      },
    );
    assert.equal((await at.read(reference)).state, 'confirmed');
    const accepted = await accept(asked, { reason: 'Of course.' });
    assert.deepEqual(accepted.cancellation?.refund, preview.refund);
    assert.equal((await at.read(reference)).state, 'cancelled');
    const read = await readOf(asked);
    assert.deepEqual([read.state, read.reason], ['accepted', 'Of course.']);
    assert.deepEqual(await decisionsIn(partner, reference), [
      'change_request.decided accepted',
      'reservation.cancelled',
    ]);
  });

  // Spec: CHANGE-2.
  test('a change shows its price; accepted, the stay has its dates, party and price', async () => {
    const { reference } = await at.reserve();
    const earlier = await at.read(reference);
    const checkOut = plusDays(earlier.checkOut, 1);
    const asked = await ask(reference, { kind: 'change', checkOut, party: { adults: 1 } });
    assert.equal(asked.checkIn, null);
    assert.equal(asked.checkOut, checkOut);
    assert.equal(asked.preview.difference, asked.preview.total! - earlier.charges.total);
    const params = { changeRequestId: asked.changeRequestId };
    const preview = await operator.done('operator.changeRequest.previewAccept', {
      params,
      body: {},
    });
    assert.equal(preview.change?.price.after, asked.preview.total);
    assert.equal(preview.state, 'open');
    const accepted = await accept(asked, { expectedTotal: asked.preview.total });
    assert.deepEqual(accepted.change?.changes.slice(0, 2), ['dates', 'party']);
    const now = await at.read(reference);
    assert.deepEqual(
      [now.checkIn, now.checkOut, now.party.adults, now.charges.total],
      [earlier.checkIn, checkOut, 1, asked.preview.total],
    );
    assert.deepEqual(await decisionsIn(partner, reference), [
      'change_request.decided accepted',
      'reservation.changed',
    ]);
  });

  // Spec: CHANGE-2.
  test('409 conflict › no effect, a second open one, a cancelled stay, one that is over', async () => {
    const { reference } = await at.reserve();
    const { checkIn, checkOut, party } = await at.read(reference);
    assert.deepEqual(await refusal(reference, { kind: 'change' }), [409, 'conflict', 'no_effect']);
    const same = { kind: 'change', checkIn, checkOut, party } as const;
    assert.deepEqual(await refusal(reference, same), [409, 'conflict', 'no_effect']);
    const open = await ask(reference, { kind: 'cancel' });
    const second = await partner.refused('reservation.change.request', {
      params: { reference },
      body: bodyOf({ kind: 'cancel' }),
    });
    assert.deepEqual(second.details, {
      reason: 'open_request',
      changeRequestId: open.changeRequestId,
    });
    await accept(open);
    const cancelled = await refusal(reference, { kind: 'cancel' });
    assert.deepEqual(cancelled, [409, 'conflict', 'not_active']);
    const over = await at.reserve();
    await sql(
      at.service.database,
      `UPDATE reservations SET check_in = current_date - 5, check_out = current_date - 2 WHERE reference = $1`,
      [over.reference],
    );
    assert.deepEqual(await refusal(over.reference, { kind: 'cancel' }), [
      409,
      'conflict',
      'not_active',
    ]);
    const busy = await at.reserve();
    await sql(
      at.service.database,
      `INSERT INTO change_requests (application_id, change_request_id, input_digest, reference, kind, preview, state, decided_at)
        SELECT application_id, gen_random_uuid(), '', reference, 'cancel', '{}', 'withdrawn', now()
        FROM reservations, generate_series(1, 99) WHERE reference = $1`,
      [busy.reference],
    );
    const last = await ask(busy.reference, { kind: 'cancel' });
    await partner.succeed('reservation.change.withdraw', {
      params: { reference: busy.reference, changeRequestId: last.changeRequestId },
    });
    const tooMany = await refusal(busy.reference, { kind: 'cancel' });
    assert.deepEqual(tooMany, [409, 'conflict', 'too_many_requests']);
  });

  // Spec: CHANGE-2.
  test('a change to what cannot be booked is refused as a quote would be', async () => {
    const { reference } = await at.reserve();
    const own = await at.read(reference);
    const administrator = await operatorOf(at.service, 'administrator');
    const to = plusDays(own.checkOut, 1);
    await administrator.done('operator.block.add', {
      body: { listing: own.listingId, from: own.checkOut, to },
    });
    const clash = await partner.refused('reservation.change.request', {
      params: { reference },
      body: bodyOf({ kind: 'change', checkOut: to }),
    });
    const details = clash.details as {
      reason: string;
      nights: string[];
      alternatives: { checkIn: string; checkOut: string }[];
    };
    assert.deepEqual([details.reason, details.nights], ['unavailable', [own.checkOut]]);
    const stayOf = (one: { checkIn: string; checkOut: string }) => `${one.checkIn} ${one.checkOut}`;
    assert.equal(details.alternatives.length, 3);
    assert.ok(!details.alternatives.map(stayOf).includes(stayOf(own)), 'it is no change');
    const many = { kind: 'change', party: { adults: 99 } } as const;
    assert.deepEqual(await refusal(reference, many), [422, 'policy_restricted', 'too_many_guests']);
    const backwards = { kind: 'change', checkOut: own.checkIn } as const;
    assert.deepEqual(await refusal(reference, backwards), [400, 'invalid_input', undefined]);
    const ages: Asked = { kind: 'change', party: { adults: 1, children: 1, childAges: [3, 4] } };
    assert.deepEqual(await refusal(reference, ages), [400, 'invalid_input', undefined]);
    const both = { kind: 'cancel', checkIn: own.checkIn } as const;
    assert.deepEqual(await refusal(reference, both), [400, 'invalid_input', undefined]);
    const unknown = await refusal('LK-2222-2222', { kind: 'cancel' });
    assert.deepEqual(unknown, [404, 'not_found', undefined]);
  });

  // Spec: PARTY-4.
  test('the ages of children go from the search to the reservation, its changes and the exports', async () => {
    const [first] = await homesOf(at.service);
    const taxes = [
      { label: 'City', per: 'guest_night' as const, amount: 100, who: { ages: { from: 10 } } },
    ];
    const home = await changeHome(at.service, partner, first!, {
      ...plainPrices,
      taxes,
      sleeps: 4,
      timeZone: null,
      stayRules: easyStays,
      party: { children: true, infants: true, maxPets: 0 },
    });
    const stay = await freeNights(partner, home.listingId, 2, daysAhead(100));
    const { listingId: _, ...dates } = stay;
    const party = { adults: 2, children: 2, childAges: [12, 4] };
    const kept = { ...party, infants: 0, pets: 0 };
    const total = 20_000 + 2 * 3 * 100;
    const body = { ...dates, party, limit: 50 };
    const { items } = await partner.succeed('distribution.listing.search', { body });
    assert.equal(items.find(({ listing }) => listing.listingId === home.listingId)!.total, total);
    const quoteOf = (members: object) =>
      partner.succeed(
        'reservation.quote.create',
        { body: { quoteId: randomUUID(), ...stay, party, ...members } },
        201,
      );
    const quote = await quoteOf({});
    assert.deepEqual([quote.party, quote.charges.total], [kept, total]);
    const moved = plusDays(stay.checkIn, 40);
    const later = await quoteOf({ checkIn: moved, checkOut: plusDays(moved, 2) });
    await partner.request(later, { partnerReference: 'ages' });
    const open = await partner.submittedCheckout(undefined, quote);
    const { reference } = await partner.statusOnce(open, ['confirmed']);
    const params = { reference: reference! };
    const checkout = await partner.succeed('reservation.checkout.get', open.at);
    const confirmation = await partner.succeed('reservation.checkout.getConfirmation', open.at);
    const parties = [checkout.party, confirmation.stay.party, (await at.read(reference!)).party];
    assert.deepEqual(parties, [kept, kept, kept]);
    const named = { query: { partnerReference: 'ages' } };
    const requested = () => partner.succeed('reservation.reservation.list', named);
    await eventually(async () => (await requested()).items.length === 1, 15_000);
    assert.deepEqual((await requested()).items[0]!.party, kept);

    const older = { ...party, childAges: [12, 11] };
    const change = await ask(reference!, { kind: 'change', party: older });
    assert.deepEqual([change.party, change.preview.difference], [{ ...kept, ...older }, 200]);
    await accept(change);
    const ofStaff = async (members: object) => {
      const input = { price: 'recalculate' as const, reason: 'The guest has called.', ...members };
      const { changes } = await operator.done('operator.reservation.change', {
        params,
        body: input,
      });
      return [changes, (await at.read(reference!)).party.childAges];
    };
    assert.deepEqual((await at.read(reference!)).party.childAges, [12, 11]);
    // A child without an age counts in each range that holds one from 2 to 17.
    const fewer = await ofStaff({ party: { children: 1 } });
    assert.deepEqual(fewer, [['party', 'price'], undefined]);
    assert.deepEqual(await ofStaff({ party: { childAges: [4] } }), [['party', 'price'], [4]]);
    assert.deepEqual(await ofStaff({ party: { childAges: [5] } }), [['party'], [5]]);

    const query = { from: stay.checkIn, to: stay.checkOut };
    const exported = await operator.done('operator.reservation.export', { query });
    const day = await operator.done('operator.daySheet.get', { query: { date: stay.checkIn } });
    const own = (one: { reference: string }) => one.reference === reference;
    const found = [exported.items.find(own)!.party, day.arrivals.find(own)!.party];
    assert.deepEqual(
      found.map(({ childAges }) => childAges),
      [[5], [5]],
    );
    for (const table of [staysTable(exported), daySheetTable(day)]) {
      const row = table.rows.find((cells) => cells.includes(reference!))!;
      assert.equal(row[table.head.indexOf('childAges')], '5');
    }
  });

  test('the nights of the stay itself count as free', async () => {
    const { reference } = await at.reserve();
    const { checkIn, checkOut } = await at.read(reference);
    const asked = await ask(reference, {
      kind: 'change',
      checkIn: plusDays(checkIn, 1),
      checkOut: plusDays(checkOut, 1),
    });
    await accept(asked);
    assert.equal((await at.read(reference)).checkIn, plusDays(checkIn, 1));
  });

  test('200 › a repeat is the request as it is now; 409 › another input, also of another reservation', async () => {
    const [{ reference }, other] = [await at.reserve(), await at.reserve()];
    const body = bodyOf({ kind: 'cancel', note: 'Ill.' });
    const input = { params: { reference }, body };
    const created = await partner.succeed('reservation.change.request', input, 201);
    assert.deepEqual(await partner.succeed('reservation.change.request', input, 200), created);
    await accept(created);
    const again = await partner.succeed('reservation.change.request', input, 200);
    assert.equal(again.state, 'accepted');
    for (const changed of [
      { ...input, body: { ...body, note: 'Well.' } },
      { params: { reference: other.reference }, body },
    ]) {
      const { details } = await partner.refused('reservation.change.request', changed);
      assert.deepEqual(details, { reason: 'different_input' });
    }
  });

  test('the same request twice at once is one request', async () => {
    const { reference } = await at.reserve();
    const input = { params: { reference }, body: bodyOf({ kind: 'cancel' }) };
    const replies = await Promise.all(
      [1, 2, 3, 4].map(() => partner.call('reservation.change.request', input)),
    );
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 200, 200, 201]);
  });

  // Spec: CHANGE-4.
  test('withdrawn once, with one event; a decided one is 409 invalid_state', async () => {
    const { reference } = await at.reserve();
    const asked = await ask(reference, { kind: 'cancel' });
    const params = { reference, changeRequestId: asked.changeRequestId };
    const withdrawn = await partner.succeed('reservation.change.withdraw', { params });
    assert.equal(withdrawn.state, 'withdrawn');
    assert.deepEqual(await partner.succeed('reservation.change.withdraw', { params }), withdrawn);
    assert.deepEqual(await decisionsIn(partner, reference), ['change_request.decided withdrawn']);
    const late = await operator.refused('operator.changeRequest.accept', {
      params: { changeRequestId: asked.changeRequestId },
      body: {},
    });
    assert.deepEqual([late.status, late.code], [409, 'conflict']);
    assert.equal((await at.read(reference)).state, 'confirmed');

    const next = await ask(reference, { kind: 'cancel' });
    const declined = await operator.done('operator.changeRequest.decline', {
      params: { changeRequestId: next.changeRequestId },
      body: { reason: 'Not possible.' },
    });
    assert.deepEqual([declined.state, declined.reason], ['declined', 'Not possible.']);
    const tooLate = await partner.refused('reservation.change.withdraw', {
      params: { reference, changeRequestId: next.changeRequestId },
    });
    assert.deepEqual([tooLate.status, tooLate.code], [409, 'invalid_state']);
    const elsewhere = await at.reserve();
    for (const id of ['reservation.change.get', 'reservation.change.withdraw'] as const) {
      const { status } = await partner.refused(id, {
        params: { reference: elsewhere.reference, changeRequestId: next.changeRequestId },
      });
      assert.equal(status, 404);
    }
  });

  // Spec: CHANGE-3.
  test('staff who change the stay by themselves decline what is open', async () => {
    const { reference } = await at.reserve();
    const asked = await ask(reference, { kind: 'cancel' });
    await operator.done('operator.reservation.change', {
      params: { reference },
      body: { reason: 'The guest has called.', party: { adults: 1 } },
    });
    const read = await readOf(asked);
    assert.equal(read.state, 'declined');
    assert.ok(read.reason);
    assert.deepEqual(await decisionsIn(partner, reference), [
      'reservation.changed',
      'change_request.decided declined',
    ]);
  });

  // Spec: CHANGE-3.
  test('409 conflict › price or nights are no longer those that the partner has seen: it stays open', async () => {
    const own = await at.service.partner();
    const administrator = await operatorOf(at.service, 'administrator');
    const { reference } = await at.reserve(undefined, own);
    const { checkOut } = await at.read(reference, own);
    const longerStay = { kind: 'change', checkOut: plusDays(checkOut, 1) } as const;
    const asked = await ask(reference, longerStay, own);
    const params = { changeRequestId: asked.changeRequestId };
    const seen = await operator.refused('operator.changeRequest.accept', {
      params,
      body: { expectedTotal: 1 },
    });
    assert.deepEqual([seen.status, seen.code], [412, 'precondition_failed']);
    await administrator.done('operator.application.change', {
      params: { applicationId: own.credentials.applicationId },
      body: { adjustPercent: 10 },
    });
    const dearer = await operator.refused('operator.changeRequest.accept', { params, body: {} });
    assert.deepEqual([dearer.status, dearer.code], [409, 'conflict']);
    assert.match(dearer.message, /stays open/);
    assert.equal((await readOf(asked, own)).state, 'open');
    assert.equal((await at.read(reference, own)).checkOut, checkOut);

    const next = await at.reserve();
    const stay = await at.read(next.reference);
    const longer = await ask(next.reference, {
      kind: 'change',
      checkOut: plusDays(stay.checkOut, 1),
    });
    await administrator.done('operator.block.add', {
      body: { listing: stay.listingId, from: stay.checkOut, to: plusDays(stay.checkOut, 1) },
    });
    const taken = await operator.refused('operator.changeRequest.accept', {
      params: { changeRequestId: longer.changeRequestId },
      body: {},
    });
    assert.deepEqual([taken.status, taken.code], [409, 'conflict']);
    assert.match(taken.message, /is not free/);
    assert.equal((await readOf(longer)).state, 'open');
  });

  // Spec: CHANGE-5.
  test('an application whose cancellations are accepted at once: one call cancels', async () => {
    const own = await at.service.partner();
    const { operator: administrator } = await signedIn(at.service);
    const { applicationId } = own.credentials;
    const changed = await administrator.done('operator.application.change', {
      params: { applicationId },
      body: { changes: 'cancel' },
    });
    assert.equal(changed.changes, 'cancel');
    const { reference } = await at.reserve(undefined, own);
    const input = { params: { reference }, body: bodyOf({ kind: 'cancel' }) };
    let created: ChangeRequest | undefined;
    // The setting reaches every process within a second.
    for (let tries = 0; created?.state !== 'accepted' && tries < 100; tries += 1) {
      if (created) {
        const { changeRequestId } = created;
        await own.succeed('reservation.change.withdraw', {
          params: { reference, changeRequestId },
        });
      }
      input.body.changeRequestId = randomUUID();
      created = await own.succeed('reservation.change.request', input, 201);
    }
    assert.equal((await at.read(reference, own)).state, 'cancelled');
    assert.deepEqual((await decisionsIn(own, reference)).slice(-2), [
      'change_request.decided accepted',
      'reservation.cancelled',
    ]);
    const again = await own.succeed('reservation.change.request', input, 200);
    assert.deepEqual(again, created);
    const longer = await at.reserve(undefined, own);
    const { checkOut } = await at.read(longer.reference, own);
    const asked = await ask(
      longer.reference,
      { kind: 'change', checkOut: plusDays(checkOut, 1) },
      own,
    );
    assert.equal(asked.state, 'open');
  });

  test('lists › newest first, in pages, by reservation and state; staff see open ones by default', async () => {
    const own = await at.service.partner();
    const [first, second] = [await at.reserve(undefined, own), await at.reserve(undefined, own)];
    const [one, two] = [
      await ask(first.reference, { kind: 'cancel' }, own),
      await ask(second.reference, { kind: 'cancel' }, own),
    ];
    const listed = async (query = {}) => {
      const { items } = await own.succeed('reservation.change.list', { query });
      return items.map(({ changeRequestId }) => changeRequestId);
    };
    const both = [two.changeRequestId, one.changeRequestId];
    assert.deepEqual(await listed(), both);
    assert.deepEqual(await listed({ reference: first.reference }), [one.changeRequestId]);
    const page = await own.succeed('reservation.change.list', { query: { limit: 1 } });
    assert.deepEqual(await listed({ cursor: page.nextCursor }), [one.changeRequestId]);
    await accept(one);
    assert.deepEqual(await listed({ state: 'open' }), [two.changeRequestId]);
    assert.deepEqual(await listed({ state: 'accepted' }), [one.changeRequestId]);
    const query = { reference: second.reference };
    const staff = await operator.done('operator.changeRequest.list', { query });
    const [shown] = staff.items;
    assert.equal(shown?.changeRequestId, two.changeRequestId);
    assert.equal(shown.applicationId, own.credentials.applicationId);
    const decided = await operator.done('operator.changeRequest.list', {
      query: { reference: first.reference },
    });
    assert.deepEqual(decided.items, []);
    const waiting = await operator.done('operator.attention.list');
    const item = waiting.items.find(({ reference }) => reference === second.reference);
    assert.equal(item?.kind, 'change_request');
    const { firstName, lastName, phone } = guest();
    const named = { guest: `${firstName} ${lastName}`, phone };
    assert.deepEqual({ guest: item.guest, phone: item.phone }, named);
    assert.deepEqual({ guest: shown.guest, phone: shown.phone }, named);
    assert.equal(shown.listingName, item.listingName);
    assert.equal(item.application, shown.application);
  });
});

suite('requests for changes in the simulation', () => {
  let at: StaffAtWork;
  before(async () => {
    at = await openStaff('simulation');
  });
  after(() => at.service.stop());

  /** As if the request had waited. */
  const wait = (seconds: number) =>
    sql(
      at.service.database,
      `UPDATE change_requests SET created_at = created_at - make_interval(secs => $1) WHERE state = 'open'`,
      [seconds],
    );

  const ask = (reference: string, asked: Asked) =>
    at.partner.succeed(
      'reservation.change.request',
      { params: { reference }, body: { changeRequestId: randomUUID(), ...asked } },
      201,
    );

  // Spec: CHANGE-6.
  test('accepted at the next read of it or of its reservation after five seconds', async () => {
    const { reference } = await at.reserve();
    const { changeRequestId } = await ask(reference, { kind: 'cancel' });
    const params = { reference, changeRequestId };
    const read = () => at.partner.succeed('reservation.change.get', { params });
    assert.equal((await read()).state, 'open');
    assert.equal((await at.read(reference)).state, 'confirmed');
    await wait(5);
    assert.equal((await at.read(reference)).state, 'cancelled');
    assert.equal((await read()).state, 'accepted');
    const other = await at.reserve();
    const { checkOut } = await at.read(other.reference);
    const party = { adults: 1 };
    const longer = await ask(other.reference, { kind: 'change', party });
    await wait(5);
    const changed = await at.partner.succeed('reservation.change.get', {
      params: { reference: other.reference, changeRequestId: longer.changeRequestId },
    });
    assert.equal(changed.state, 'accepted');
    const later = await at.read(other.reference);
    assert.deepEqual([later.party.adults, later.checkOut], [1, checkOut]);
  });

  // Spec: CHANGE-6.
  test('one whose note is `decline` is declined', async () => {
    const { reference } = await at.reserve();
    const { changeRequestId } = await ask(reference, { kind: 'cancel', note: 'decline' });
    await wait(5);
    assert.equal((await at.read(reference)).state, 'confirmed');
    const params = { reference, changeRequestId };
    const { state } = await at.partner.succeed('reservation.change.get', { params });
    assert.equal(state, 'declined');
  });
});
