/** Other rules of time zones than yesterday's: what is due in the future is computed again. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { computeDueDaysAgain } from '../../src/payments/index.ts';
import { epochMsAt, dayNumber } from '../../src/pricing/index.ts';
import { startZoneRules } from '../../src/program/zone-rules.ts';
import { instant } from '../../src/contract/time.ts';
import { eventually } from '../harness/eventually.ts';
import { sql } from '../harness/rows.ts';
import type { PaidReservation } from './paid-reservation.ts';
import { openCollectedMoney, type CollectedMoney } from './collected-money.ts';

const zone = 'America/Edmonton';
const hour = 3_600_000;

suite('rules of time zones', () => {
  let money: CollectedMoney;
  before(async () => {
    money = await openCollectedMoney();
  });
  after(() => money.close());

  const dueAt = async ({ reference }: PaidReservation): Promise<number | null> => {
    const text = 'SELECT due_at AS at FROM payment_accounts WHERE reference = $1';
    const [row] = await sql<{ at: number | null }>(money.database, text, [reference]);
    return row!.at;
  };
  const setDue = ({ reference }: PaidReservation, at: number) =>
    sql(money.database, 'UPDATE payment_accounts SET due_at = $2 WHERE reference = $1', [
      reference,
      instant(at),
    ]);
  const nowAtServer = async (): Promise<number> => {
    const [row] = await sql<{ now: number }>(money.database, 'SELECT now() AS now');
    return row!.now;
  };
  const noted = async (): Promise<string | null> => {
    const text = 'SELECT zone_rules AS rules FROM installation';
    const [row] = await sql<{ rules: string | null }>(money.database, text);
    return row!.rules;
  };

  /** A reservation at a home in that zone, whose second half is due in 40 days; and that day's begin. */
  async function later(): Promise<{ reservation: PaidReservation; midnight: number }> {
    const reservation = await money.reserve([0, 100], [40, 200]);
    const [home] = await sql<{ id: string }>(
      money.database,
      'SELECT listing_id AS id FROM listings WHERE time_zone IS NOT NULL ORDER BY slug LIMIT 1',
    );
    await sql(money.database, 'UPDATE listings SET time_zone = $2 WHERE listing_id = $1', [
      home!.id,
      zone,
    ]);
    await sql(money.database, 'UPDATE reservations SET listing_id = $2 WHERE reference = $1', [
      reservation.reference,
      home!.id,
    ]);
    await money.collectDue();
    return { reservation, midnight: epochMsAt(dayNumber(await money.day(40)), '00:00', zone) };
  }

  // Spec: CLOCK-3.
  test('an account whose next day begins at another instant is looked at again; others are not', async () => {
    const [moved, same] = [await later(), await later()];
    assert.equal(await dueAt(moved.reservation), moved.midnight);
    // As the rules of before had it.
    await setDue(moved.reservation, moved.midnight + hour);
    const woken = await computeDueDaysAgain(money.database, new AbortController().signal);
    assert.equal(woken, 1);
    assert.ok((await dueAt(moved.reservation))! <= (await nowAtServer()));
    assert.equal(await dueAt(same.reservation), same.midnight);
    await money.collectDue();
    assert.equal(await dueAt(moved.reservation), moved.midnight);
    assert.deepEqual(money.charged(moved.reservation), [100], 'nothing is collected by it');
  });

  test('newer rules are followed once, older ones not at all', async () => {
    await sql(
      money.database,
      `INSERT INTO installation (environment, master_key_check, zone_rules) VALUES ('test', '', '2020b')
        ON CONFLICT (only_row) DO UPDATE SET zone_rules = '2020b'`,
    );
    const calendarId = randomUUID();
    await sql(
      money.database,
      `INSERT INTO channel_calendars (calendar_id, listing_id, url_sealed, source_digest, host, due_at,
          read_time_zone)
        SELECT $1, listing_id, '\\x00', '\\x01', 'channel.example', now(), time_zone FROM listings LIMIT 1`,
      [calendarId],
    );
    const readZone = async (): Promise<string> => {
      const text = 'SELECT read_time_zone AS zone FROM channel_calendars WHERE calendar_id = $1';
      const [row] = await sql<{ zone: string }>(money.database, text, [calendarId]);
      return row!.zone;
    };
    const wasRead = await readZone();
    const { reservation, midnight } = await later();
    await setDue(reservation, midnight - hour);
    const messages: string[] = [];
    const log = {
      info: (_details: object, message: string) => messages.push(message),
      warn: (_details: object, message: string) => messages.push(message),
      error: (_details: object, message: string) => messages.push(message),
    } as never;
    const runWith = async (rules: string): Promise<void> => {
      const loop = startZoneRules({ executor: money.database, log, rules });
      await loop.stop();
    };
    await runWith('2020a');
    assert.deepEqual([await noted(), messages], ['2020b', []]);
    assert.equal(await dueAt(reservation), midnight - hour);

    const loop = startZoneRules({ executor: money.database, log, rules: '2020c' });
    await eventually(async () => (await noted()) === '2020c');
    await loop.stop();
    await money.collectDue();
    assert.equal(await dueAt(reservation), midnight);
    assert.deepEqual(
      [wasRead === '', await readZone()],
      [false, ''],
      'the calendar is read as a whole',
    );
    assert.deepEqual(messages, ['due days are computed by newer rules of time zones']);

    await setDue(reservation, midnight - hour);
    await runWith('2020c');
    assert.equal(await dueAt(reservation), midnight - hour, 'once');
  });
});
