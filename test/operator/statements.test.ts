/** What partners sold, for accountants: in the operator's API, the portal and the command line. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { OperatorReplyBody } from '../../src/contract/operator/call-types.ts';
import { plusDays } from '../harness/catalog.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import type { Partner } from '../harness/partner.ts';
import { enterPortal } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
import { openStaff, type StaffAtWork } from '../harness/staff.ts';

const reason = 'The guest has called.';
const month = new Date().toISOString().slice(0, 7);
const today = new Date().toISOString().slice(0, 10);

type Line = { reference: string; kind: string; on: string; amount: number };

suite('operator.statement', () => {
  let at: StaffAtWork;
  let operator: Operator;
  let partner: Partner;

  before(async () => {
    at = await openStaff('test');
    operator = await operatorOf(at.service);
    partner = await at.service.partner({ settlement: 'partner' });
  });
  after(() => at.service.stop());

  const statementOf = (who: Partner, of = month) =>
    operator.done('operator.statement.get', {
      params: { applicationId: who.credentials.applicationId },
      query: { month: of },
    });
  const totalOf = async (reference: string) => {
    const params = { reference };
    return (await operator.done('operator.reservation.get', { params })).charges.total;
  };
  const sumsOf = ({ currencies }: OperatorReplyBody<'operator.statement.get'>, currency: string) =>
    currencies.find((one) => one.currency === currency)!;
  const setCommission = (who: Partner, commissionPercent: number | null) =>
    operator.done('operator.application.change', {
      params: { applicationId: who.credentials.applicationId },
      body: { commissionPercent },
    });

  test('an empty month: no currencies', async () => {
    const { currencies, ...rest } = await statementOf(partner, '2020-02');
    assert.deepEqual(currencies, []);
    assert.deepEqual(
      [rest.month, rest.settlement, rest.commissionPercent],
      ['2020-02', 'partner', null],
    );
  });

  // Spec: MONEY-17.
  test('what was sold, changed and cancelled, as it happened; the portal shows the same', async () => {
    const expected: Line[] = [];
    const note = (reference: string, kind: string, amount: number) =>
      expected.push({ reference, kind, on: today, amount });
    const { reference: kept } = await at.reserve(undefined, partner);
    note(kept, 'sold', await totalOf(kept));
    const { reference: gone } = await at.reserve(undefined, partner);
    const total = await totalOf(gone);
    note(gone, 'sold', total);

    // One night more, and back to the price of before.
    const params = { reference: kept };
    const { checkIn, checkOut } = await at.read(kept, partner);
    const earlier = await totalOf(kept);
    await operator.done('operator.reservation.change', {
      params,
      body: { checkIn, checkOut: plusDays(checkOut, 1), price: 'recalculate', reason },
    });
    const raised = (await totalOf(kept)) - earlier;
    assert.notEqual(raised, 0);
    note(kept, 'changed', raised);
    // Without a difference there is no line.
    await operator.done('operator.reservation.change', {
      params,
      body: { party: { infants: 1 }, reason },
    });

    const cancelled = await operator.done('operator.reservation.cancel', {
      params: { reference: gone },
      body: { refund: 'none', reason },
    });
    note(gone, 'cancelled', cancelled.refund.collected - total);

    const shown = await statementOf(partner);
    const { currency } = shown.currencies[0]!;
    const sums = sumsOf(shown, currency);
    assert.deepEqual(sums.lines, expected);
    const add = (kind: string) =>
      expected.reduce((sum, line) => sum + (line.kind === kind ? line.amount : 0), 0);
    assert.deepEqual(
      [sums.sold, sums.changed, sums.cancelled],
      [add('sold'), add('changed'), 0 - add('cancelled')],
    );
    assert.equal(sums.owed, sums.sold + sums.changed - sums.cancelled - sums.atProperty);
    assert.equal(sums.commission, null);

    await setCommission(partner, 12.5);
    const withCommission = sumsOf(await statementOf(partner), currency);
    const base = sums.owed!;
    assert.equal(withCommission.commission, Math.round(base * 0.125));
    assert.equal(withCommission.owed, base - withCommission.commission!);
    const portal = await enterPortal(at.service, partner);
    const inPortal = await portal.succeed('portal.statement.get', { query: { month } });
    assert.deepEqual(inPortal, await statementOf(partner));
    await setCommission(partner, null);
    assert.equal((await statementOf(partner)).commissionPercent, null);
  });

  test('each effect in its own month, in UTC', async () => {
    const who = await at.service.partner({ settlement: 'partner' });
    const { reference } = await at.reserve(undefined, who);
    const total = await totalOf(reference);
    await operator.done('operator.reservation.cancel', {
      params: { reference },
      body: { refund: 'policy', reason },
    });
    const values = [reference];
    const { database } = at.service;
    await sql(
      database,
      "UPDATE reservations SET confirmed_at = '2026-01-31T23:59:59.999Z' WHERE reference = $1",
      values,
    );
    await sql(
      database,
      "UPDATE reservation_price_changes SET at = '2026-02-01T00:00:00Z' WHERE reference = $1",
      values,
    );
    const [january] = (await statementOf(who, '2026-01')).currencies;
    const [february] = (await statementOf(who, '2026-02')).currencies;
    assert.deepEqual(
      [january!.sold, january!.cancelled, january!.lines[0]!.on],
      [total, 0, '2026-01-31'],
    );
    assert.deepEqual([february!.sold, february!.lines[0]!.on], [0, '2026-02-01']);
    assert.ok(february!.cancelled > 0);
  });

  test('what is kept of a cancellation stays sold: the refund decides', async () => {
    const who = await at.service.partner({ settlement: 'partner' });
    const { reference } = await at.reserve(undefined, who);
    const total = await totalOf(reference);
    const params = { reference };
    const { refund } = await operator.done('operator.reservation.previewCancel', {
      params,
      body: {},
    });
    assert.ok(refund.collected > 1);
    await operator.done('operator.reservation.cancel', {
      params,
      body: { refund: refund.collected - 1, reason },
    });
    const [sums] = (await statementOf(who)).currencies;
    assert.deepEqual(
      [sums!.sold, sums!.cancelled, sums!.owed],
      [total, total - 1, 1 - sums!.atProperty],
    );
  });

  // Spec: CLOCK-3.
  test('what was due by the day of a cancellation is decided by the rules of the service', async () => {
    const who = await at.service.partner({ settlement: 'partner' });
    const { reference } = await at.reserve(undefined, who);
    const total = await totalOf(reference);
    // Node reads this as 14 hours east of UTC, PostgreSQL as 14 hours west.
    const zone = '+14:00';
    const schedule = [
      { dueOn: today, amount: 1 },
      { dueOn: `${Temporal.Now.plainDateISO(zone)}`, amount: total - 1 },
    ];
    await sql(
      at.service.database,
      `UPDATE reservations SET charges = jsonb_set(charges::jsonb, '{schedule}', $2::jsonb)::json WHERE reference = $1`,
      [reference, JSON.stringify(schedule)],
    );
    const home = `(SELECT listing_id FROM reservations WHERE reference = $1)`;
    const [was] = await sql<{ zone: string | null }>(
      at.service.database,
      `SELECT time_zone AS zone FROM listings WHERE listing_id = ${home}`,
      [reference],
    );
    const setZone = (name: string | null) =>
      sql(at.service.database, `UPDATE listings SET time_zone = $2 WHERE listing_id = ${home}`, [
        reference,
        name,
      ]);
    await setZone(zone);
    await operator.done('operator.reservation.cancel', {
      params: { reference },
      body: { refund: 'none', reason },
    });
    await setZone(was!.zone);
    const [sums] = (await statementOf(who)).currencies;
    assert.deepEqual([sums!.sold, sums!.cancelled], [total, 0], 'everything was due, and is kept');
  });

  test('an application whose cards we charge owes nothing', async () => {
    const card = await at.service.partner({ settlement: 'card' });
    assert.deepEqual((await statementOf(card)).currencies, []);
    await setCommission(card, 10);
    assert.equal((await statementOf(card)).commissionPercent, 10);
  });

  test('400 for a month that does not exist; 404 for no application', async () => {
    const params = { applicationId: partner.credentials.applicationId };
    for (const wrong of ['2026-13', '2026-1', '2026', '1899-01', '9999-12', '2026-11-01']) {
      const refused = await operator.refused('operator.statement.get', {
        params,
        query: { month: wrong },
      });
      assert.equal(refused.status, 400, wrong);
    }
    const unknown = { applicationId: '01a3f0c2-7b44-7e61-b0a9-5d2c8f1e6a37' };
    const refused = await operator.refused('operator.statement.get', {
      params: unknown,
      query: { month },
    });
    assert.equal(refused.status, 404);
  });

  test('a commission is 0 to 100 with two decimals, and in the audit trail', async () => {
    const { applicationId } = partner.credentials;
    for (const commissionPercent of [-1, 100.01, 1.234]) {
      const refused = await operator.refused('operator.application.change', {
        params: { applicationId },
        body: { commissionPercent },
      });
      assert.equal(refused.status, 400);
    }
    await setCommission(partner, 15.25);
    const [entry] = (await operator.done('operator.audit.list', { query: { applicationId } }))
      .items;
    const { details } = entry!;
    assert.deepEqual((details as { after: unknown }).after, { commissionPercent: 15.25 });
  });
});

suite('operator.reservation.export', () => {
  let at: StaffAtWork;
  let operator: Operator;

  before(async () => {
    at = await openStaff('test');
    operator = await operatorOf(at.service, 'viewer');
  });
  after(() => at.service.stop());

  // Spec: RESERVATION-10.
  test('stays with a night in the half-open period, cancelled ones too', async () => {
    const { reference, open } = await at.reserve();
    const { checkIn, checkOut } = open.quote;
    const found = async (from: string, to: string) => {
      const { items } = await operator.done('operator.reservation.export', { query: { from, to } });
      return items.filter((one) => one.reference === reference);
    };
    for (const [from, to, count] of [
      [checkIn, plusDays(checkIn, 1), 1],
      [plusDays(checkOut, -1), checkOut, 1],
      [plusDays(checkIn, -5), checkIn, 0],
      [checkOut, plusDays(checkOut, 5), 0],
      [plusDays(checkIn, -5), plusDays(checkOut, 5), 1],
    ] as const) {
      assert.equal((await found(from, to)).length, count, `${from} to ${to}`);
    }
    const staff = await operatorOf(at.service, 'reservations');
    await staff.done('operator.reservation.cancel', { params: { reference }, body: { reason } });
    const [stay] = await found(checkIn, checkOut);
    assert.equal(stay!.state, 'cancelled');
    assert.ok(stay!.nights > 0 && stay!.guestName !== null);
    const query = { from: checkOut, to: checkIn };
    assert.equal((await operator.refused('operator.reservation.export', { query })).status, 400);
  });
});
