/** Reservations that staff make for somebody who phones. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import { dateText, todayAt } from '../../src/pricing/index.ts';
import { plusDays } from '../harness/catalog.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { guest } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import { signedIn } from '../harness/staff-member.ts';

const today = dateText(todayAt(Date.now(), 'Europe/Lisbon'));
const inDays = (days: number) => plusDays(today, days);
const reason = 'The guest has called.';

const mill: CatalogListing = {
  slug: 'mill',
  name: 'The Mill',
  timeZone: 'Europe/Lisbon',
  currency: 'EUR',
  sleeps: 4,
  rates: { nightly: 10_000 },
  stayRules: { minNights: 3 },
  cancellation: [{ daysBefore: 7, refundPercent: 50 }],
};

suite('operator.reservation.create', () => {
  let service: TestService;
  let staff: Operator;

  before(async () => {
    service = await startTestService(ownHomes);
    staff = await operatorOf(service, 'reservations');
    const { operator: content } = await signedIn(service, 'content');
    const file = JSON.stringify({
      format: 'latchkey-catalog/1',
      catalog: { slug: 'homes', name: 'Homes', discovery: 'brand' },
      listings: [mill],
      promotions: [{ code: 'ONCE', label: 'Once', percent: 10, maxUses: 1 }],
    });
    await content.done('operator.catalog.import', { body: { file } });
  });
  after(() => service.stop());

  const stay = (from: number, nights: number, more: object = {}) => ({
    listing: 'mill',
    checkIn: inDays(from),
    checkOut: inDays(from + nights),
    party: { adults: 2 },
    guest: guest(),
    reason,
    ...more,
  });
  const create = (body: ReturnType<typeof stay>) =>
    staff.done('operator.reservation.create', { body: body as never });
  const refused = async (body: object) => {
    const { status, code, details } = await staff.refused('operator.reservation.create', { body });
    return [status, code, (details as { reason?: string } | undefined)?.reason];
  };
  const kept = async () => {
    const [row] = await sql<{ rows: number }>(
      service.database,
      `SELECT (SELECT count(*) FROM reservations) + (SELECT count(*) FROM bookings)
        + (SELECT count(*) FROM quotes) + (SELECT count(*) FROM occupancies) AS rows`,
    );
    return row!.rows;
  };

  // Spec: RESERVATION-9.
  test('a preview keeps nothing; then the same is booked, with its nights, guest and price', async () => {
    const body = stay(40, 3);
    const { reason: _, ...shown } = body;
    const none = await kept();
    const preview = await staff.done('operator.reservation.previewCreate', {
      body: shown as never,
    });
    assert.deepEqual([preview.reference, preview.total, preview.url], [null, 30_000, null]);
    assert.equal(await kept(), none);
    const created = await create(stay(40, 3, { expectedTotal: preview.total }));
    assert.deepEqual({ ...created, reference: null }, preview);
    const params = { reference: created.reference! };
    const file = await staff.done('operator.reservation.get', { params });
    assert.deepEqual(
      [file.state, file.application.name, file.guest?.phone, file.charges.total],
      ['confirmed', 'Reservations desk', guest().phone, 30_000],
    );
    assert.equal(file.terms.cancellation.length, 1);
    const { items } = await staff.done('operator.audit.list', { query: params });
    assert.deepEqual([items[0]!.actor, items[0]!.action], [staff.name, 'reservation.create']);
    // Nobody else gets the nights, and nobody can call as this application.
    assert.deepEqual(await refused(stay(41, 3)), [409, 'conflict', 'unavailable']);
    const { applicationId } = file.application;
    const keys = await staff.done('operator.key.list', { params: { applicationId } });
    assert.deepEqual(keys.items, []);
    // It can be cancelled like any other reservation.
    await staff.done('operator.reservation.cancel', { params, body: { reason } });
    await create(stay(41, 3));
  });

  test('rules can be set aside, taken nights never', async () => {
    assert.deepEqual(await refused(stay(60, 2)), [422, 'policy_restricted', 'min_nights']);
    const many = { party: { adults: 5 } };
    assert.deepEqual(await refused(stay(60, 3, many)), [
      422,
      'policy_restricted',
      'too_many_guests',
    ]);
    const { total } = await create(stay(60, 2, { ...many, ignoreRules: true }));
    assert.equal(total, 20_000);
    const again = stay(61, 1, { ignoreRules: true });
    assert.deepEqual(await refused(again), [409, 'conflict', 'unavailable']);
  });

  test('a refusal keeps nothing: another total, a code that is used up, a home that nobody sells, no card provider', async () => {
    await create(stay(70, 3, { promotionCode: 'once' }));
    const rows = await kept();
    assert.deepEqual(await refused(stay(80, 3, { expectedTotal: 1 })), [
      409,
      'conflict',
      'price_changed',
    ]);
    assert.deepEqual(await refused(stay(80, 3, { promotionCode: 'once' })), [
      422,
      'policy_restricted',
      'promotion_ended',
    ]);
    assert.deepEqual(await refused(stay(80, 3, { pay: 'link' })), [409, 'conflict', undefined]);
    assert.deepEqual(await refused(stay(-2, 3)), [400, 'invalid_input', undefined]);
    const nowhere = { ...stay(80, 3), listing: 'nowhere' };
    assert.deepEqual(await refused(nowhere), [404, 'not_found', undefined]);
    assert.equal(await kept(), rows);
  });

  test('of two who book the same nights at once, one gets them', async () => {
    const sent = await Promise.all(
      [1, 2, 3].map(() => staff.send('operator.reservation.create', { body: stay(90, 3) })),
    );
    assert.deepEqual(sent.map(({ status }) => status).toSorted(), [201, 409, 409]);
  });

  test('what is paid at the property is not due to us', async () => {
    const { total, dueNow, schedule } = await create(stay(100, 3, { pay: 'property' }));
    assert.equal(dueNow, 0);
    assert.deepEqual(schedule, [{ dueOn: inDays(100), amount: total, at: 'property' }]);
  });
});

suite('operator.reservation.create, with a card provider', () => {
  let service: PaidService;
  let staff: Operator;
  before(async () => {
    service = await startPaidService();
    // The template is an installation of the simulation, where no money is collected later.
    await sql(service.database, `UPDATE installation SET environment = 'test'`);
    staff = await operatorOf(service, 'reservations');
  });
  after(() => service.stop());

  /** A stay that nobody has, of a home that is sold. */
  const freeStay = async () => {
    const partner = await service.partner({ settlement: 'partner' });
    const { listingId: listing, checkIn, checkOut, party } = await partner.quote();
    return { listing, checkIn, checkOut, party, guest: guest(), reason };
  };
  const moneyOf = (reference: string) =>
    staff.done('operator.payment.get', { params: { reference } });

  test('outside: everything is open, until staff record what was paid', async () => {
    const body = await freeStay();
    const { reference, total, url } = await staff.done('operator.reservation.create', { body });
    assert.equal(url, null);
    const account = await moneyOf(reference!);
    assert.deepEqual([account.due, account.open, account.collected], [total, total, 0]);
    await staff.done('operator.payment.record', {
      params: { reference: reference! },
      body: { kind: 'collected', amount: total, method: 'bank transfer', reason },
    });
    const { open, collected } = await moneyOf(reference!);
    assert.deepEqual([open, collected], [0, total]);
  });

  test('link: the address of a page where the guest pays what is due now', async () => {
    const body = { ...(await freeStay()), pay: 'link' as const };
    const { url, dueNow } = await staff.done('operator.reservation.create', { body });
    assert.ok(dueNow > 0);
    assert.ok(url?.startsWith('http'));
  });

  test('403 forbidden, step_up › a payment link needs a confirmed session, the reservation does not', async () => {
    const body = await freeStay();
    const { operator: member } = await signedIn(service, 'reservations');
    await sql(
      service.database,
      `UPDATE staff_sessions SET confirmed_at = now() - interval '1 hour'`,
    );
    const linked = { body: { ...body, pay: 'link' } };
    const { status, details } = await member.refused('operator.reservation.create', linked);
    assert.deepEqual([status, details], [403, { reason: 'step_up' }]);
    assert.ok((await member.done('operator.reservation.create', { body })).reference);
  });
});
