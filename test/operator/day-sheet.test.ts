/** The day sheet: who arrives, leaves and stays on a day. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { isRefusal } from '../../src/contract/errors.ts';
import { readDaySheet, readFirstOfDaySheet } from '../../src/bookings/staff/day-sheet.ts';
import { csvText } from '../../src/contract/csv.ts';
import { daySheetTable } from '../../src/contract/tables.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { plusDays } from '../harness/catalog.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { guest as guestOf } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { type PaidService, startPaidService } from '../harness/stripe/service.ts';

suite('operator.daySheet.get', () => {
  let service: PaidService;
  let operator: Operator;

  before(async () => {
    service = await startPaidService();
    operator = await operatorOf(service, 'viewer');
  });
  after(() => service.stop());

  const sheetOf = (date: string) => operator.done('operator.daySheet.get', { query: { date } });
  const named = (reference: string) => (one: { reference: string }) => one.reference === reference;
  const placesOf = async (date: string, reference: string) => {
    const { date: shown, ...lists } = await sheetOf(date);
    assert.equal(shown, date);
    return Object.entries(lists).flatMap(([list, items]) =>
      items.some(named(reference)) ? [list] : [],
    );
  };
  const shown = (reference: string) =>
    operator.done('operator.reservation.get', { params: { reference } });

  // Spec: OPERATOR-11.
  test('a stay arrives, is in-house between, and leaves; cancelled, it is in no list', async () => {
    const partner = await service.partner({ settlement: 'partner' });
    const open = await partner.submittedCheckout();
    const { reference } = await partner.statusOnce(open, ['confirmed']);
    const { checkIn, checkOut } = open.quote;
    for (const [date, lists] of [
      [plusDays(checkIn, -1), []],
      [checkIn, ['arrivals']],
      [plusDays(checkIn, 1), ['inHouse']],
      [plusDays(checkOut, -1), ['inHouse']],
      [checkOut, ['departures']],
      [plusDays(checkOut, 1), []],
    ] as const) {
      assert.deepEqual(await placesOf(date, reference!), lists, date);
    }
    const staff = await operatorOf(service, 'reservations');
    const params = { reference: reference! };
    await staff.done('operator.reservation.addNote', { params, body: { text: 'Late\narrival' } });
    await staff.done('operator.reservation.addNote', { params, body: { text: '=A1' } });
    const { guest, listing, party } = await shown(reference!);
    const sheet = await sheetOf(checkIn);
    const arrival = sheet.arrivals.find(named(reference!));
    const { checkInFrom, checkOutUntil, currency, ...others } = arrival!;
    assert.ok(currency.length === 3 && checkInFrom !== undefined && checkOutUntil !== undefined);
    assert.deepEqual(others, {
      reference,
      listing: listing.slug,
      name: listing.name,
      guest: `${guest!.firstName} ${guest!.lastName}`,
      phone: guest!.phone,
      party,
      checkIn,
      checkOut,
      balance: null,
      notes: ['Late\narrival', '=A1'],
    });
    const csv = csvText(daySheetTable(sheet));
    assert.match(csv, /^list,reference,listing,name,guest,phone,adults,/);
    assert.match(csv, new RegExp(`^arrivals,${reference},`, 'm'));
    assert.match(csv, /"Late\narrival\n=A1"/);
    await staff.done('operator.reservation.cancel', {
      params,
      body: { reason: 'The guest has called.' },
    });
    assert.deepEqual(await placesOf(checkIn, reference!), []);
    assert.deepEqual(await placesOf(checkOut, reference!), []);
  });

  test('the balance is what is open in the ledger', async () => {
    const card = await service.partner({ settlement: 'card' });
    const reference = await confirmedReference(await submittedByCard(service, card));
    const { checkIn } = await shown(reference);
    const { open } = await operator.done('operator.payment.get', { params: { reference } });
    const { arrivals } = await sheetOf(checkIn);
    assert.equal(arrivals.find(named(reference))!.balance, open);
  });

  test('bookings of two applications with the same ID have balances of their own', async () => {
    const card = await service.partner({ settlement: 'card' });
    const paid = await confirmedReference(await submittedByCard(service, card));
    const { booking } = await shown(paid);
    const other = await service.partner({ settlement: 'partner' });
    const quote = await other.quote();
    const body = { checkoutId: booking.id, quoteId: quote.quoteId };
    const created = await other.succeed('reservation.checkout.create', { body });
    const session = created.sessionCapability!;
    const open = { quote, created, at: { params: { checkoutId: booking.id }, session } };
    await other.succeed('reservation.checkout.saveGuest', {
      ...open.at,
      body: { expectedVersion: 1, guest: guestOf() },
    });
    await other.submit(open);
    const { reference } = await other.statusOnce(open, ['confirmed']);
    const balanceOf = async (one: string) => {
      const { checkIn } = await shown(one);
      return (await sheetOf(checkIn)).arrivals.find(named(one))!.balance;
    };
    assert.notEqual(await balanceOf(paid), null);
    assert.equal(await balanceOf(reference!), null);
  });

  test('a note that cannot be decrypted hides nothing else', async () => {
    const partner = await service.partner({ settlement: 'partner' });
    const open = await partner.submittedCheckout();
    const { reference } = await partner.statusOnce(open, ['confirmed']);
    const staff = await operatorOf(service, 'reservations');
    const params = { reference: reference! };
    for (const text of ['first', 'second']) {
      await staff.done('operator.reservation.addNote', { params, body: { text } });
    }
    await sql(
      service.database,
      `UPDATE reservation_notes SET text_sealed = '\\x00' WHERE note_id =
        (SELECT note_id FROM reservation_notes WHERE reference = $1 ORDER BY created_at LIMIT 1)`,
      [reference],
    );
    const { arrivals } = await sheetOf(open.quote.checkIn);
    assert.deepEqual(arrivals.find(named(reference!))!.notes, ['second']);
  });

  test('a day with too many stays is refused with what to do, after it was counted', async () => {
    const partner = await service.partner({ settlement: 'partner' });
    const open = await partner.submittedCheckout();
    const { reference } = await partner.statusOnce(open, ['confirmed']);
    const [{ count, date }] = (await sql<{ count: number; date: string }>(
      service.database,
      `SELECT count(*)::integer AS count, d.check_in::text AS date
        FROM reservations d JOIN reservations r ON d.check_in BETWEEN r.check_in AND r.check_out
          AND r.state = 'confirmed'
        WHERE d.reference = $1 GROUP BY 2`,
      [reference],
    )) as [{ count: number; date: string }];
    const asked: string[] = [];
    const { database } = service;
    const counting: Executor = {
      vault: database.vault,
      query(statement, values) {
        asked.push(statement.name);
        return database.query(statement, values);
      },
    };
    const sheet = (atMost: number) =>
      readDaySheet(counting, { openOf: async () => [] }, { date }, atMost);
    const refused = await sheet(count - 1);
    assert.ok(isRefusal(refused));
    assert.deepEqual(
      [refused.refused, refused.message, asked],
      [
        'conflict',
        `This day has more than ${count - 1} stays: list the reservations by their day of arrival.`,
        ['count-stays-of-day'],
      ],
    );
    const whole = await sheet(count);
    assert.ok(!isRefusal(whole));
    const { arrivals, departures, inHouse } = whole;
    assert.equal(arrivals.length + departures.length + inHouse.length, count);
  });

  test('the first stays of each list are those of the whole sheet, with the number of all', async () => {
    const partner = await service.partner({ settlement: 'partner' });
    const confirmed = async () => {
      const open = await partner.submittedCheckout();
      await partner.statusOnce(open, ['confirmed']);
      return open.quote;
    };
    const { checkIn } = await confirmed();
    await confirmed();
    const whole = await sheetOf(checkIn);
    const count = whole.arrivals.length + whole.departures.length + whole.inHouse.length;
    assert.ok(count > 1);
    const counted = (items: (typeof whole)['arrivals']) => ({ total: items.length, items });
    assert.deepEqual(await operator.done('operator.daySheet.first', { query: { date: checkIn } }), {
      date: checkIn,
      arrivals: counted(whole.arrivals),
      departures: counted(whole.departures),
      inHouse: counted(whole.inHouse),
    });
    const money = { openOf: async () => [] };
    const read = (limits: { limit: number; atMost: number }) =>
      readFirstOfDaySheet(service.database, money, { date: checkIn }, limits);
    const one = await read({ limit: 1, atMost: count });
    assert.ok(!isRefusal(one));
    for (const name of ['arrivals', 'departures', 'inHouse'] as const) {
      const list: { total: number; items: { reference: string }[] } = one[name];
      assert.equal(list.total, whole[name].length);
      assert.deepEqual(
        list.items.map(({ reference }) => reference),
        whole[name].slice(0, 1).map(({ reference }) => reference),
      );
    }
    const refused = await read({ limit: 1, atMost: count - 1 });
    assert.ok(isRefusal(refused) && refused.refused === 'conflict');
    const nobody = { total: 0, items: [] };
    assert.deepEqual(
      await operator.done('operator.daySheet.first', { query: { date: '1900-01-01' } }),
      { date: '1900-01-01', arrivals: nobody, departures: nobody, inHouse: nobody },
    );
  });

  test('a day without stays has empty lists; a day that does not exist is 400', async () => {
    for (const date of ['1900-01-01', '8999-12-31']) {
      const nobody = { date, arrivals: [], departures: [], inHouse: [] };
      assert.deepEqual(await sheetOf(date), nobody);
    }
    for (const query of [{ date: '2027-02-30' }, { date: 'today' }, {}]) {
      const { status } = await operator.refused('operator.daySheet.get', { query });
      assert.equal(status, 400);
    }
  });
});
