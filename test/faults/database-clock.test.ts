/** The database's time as a process calculates it. Waits and slow responses must not change it. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  betterReading,
  clockReading,
  startDatabaseClock,
  type ClockReading,
} from '../../src/platform/clock.ts';
import { defaultPoolLimits, openDatabase } from '../../src/platform/postgres/database.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

describe('readings of the clock', () => {
  const ahead = 1_000_000;
  /** A query sent at `sentAt` that took `there` ms to the database and `back` ms for the way back. */
  const reading = (sentAt: number, there: number, back: number, clock = ahead): ClockReading =>
    clockReading(sentAt, sentAt + there + back, Math.floor(sentAt + there + clock));

  const quick = reading(0, 1, 1);

  it('are correct within their error, whenever in the round trip the time was read', () => {
    for (const [there, back] of [
      [0, 0],
      [1, 1],
      [1_750, 0],
      [0, 1_750],
    ] as const) {
      const { offset, error } = reading(0.5, there, back);
      assert.ok(Math.abs(offset - ahead) <= error, `${offset} ± ${error}`);
    }
  });

  it('are dropped if their round trip is long', () => {
    assert.equal(betterReading(quick, reading(10_000, 1_750, 0)), quick);
    assert.equal(betterReading(quick, reading(10_000, 0, 1_750)), quick);
  });

  it('replace an older one with the same or a slightly smaller error', () => {
    for (const later of [reading(10, 1, 1), reading(10_000, 2, 2), reading(600_000, 100, 100)]) {
      assert.equal(betterReading(quick, later), later);
    }
  });

  it('replace one from a slow response at once', () => {
    const later = reading(2_000, 1, 1);
    assert.equal(betterReading(reading(0, 1_000, 0), later), later);
  });

  it('replace one that they contradict, because the clock of the database was set', () => {
    for (const byMs of [-3_600_000, -1_000, 1_000, 3_600_000]) {
      const later = reading(10_000, 100, 100, ahead + byMs);
      assert.equal(betterReading(quick, later), later, `${byMs} ms`);
    }
  });
});

describe('the clock of a database whose connections are all in use', async () => {
  const { connection, database: other, drop } = await createTestDatabase(1);
  const limits = { ...defaultPoolLimits, connections: 1 };
  const database = openDatabase(connection, other.vault, limits, () => undefined);
  after(async () => {
    await database.close();
    await drop();
  });

  it('is not shifted by waiting for a connection', async () => {
    const clock = await startDatabaseClock(database);
    const busy = sql(database, 'SELECT pg_sleep(1.5)');
    await sleep(50);
    const begin = performance.now();
    await clock.adjust();
    assert.ok(performance.now() - begin > 1_000, 'it did not wait');
    await busy;
    const offsets: number[] = [];
    for (let n = 0; n < 10; n += 1) offsets.push(clock.now() - (await clock.ask()));
    const nearest = Math.min(...offsets.map(Math.abs));
    assert.ok(nearest < 50, `${nearest} ms off`);
  });

  it('reads the time from the database for a decision', async () => {
    const clock = await startDatabaseClock(database);
    const [before] = await sql<{ now: number }>(database, 'SELECT now() AS now');
    const asked = await clock.ask();
    const [later] = await sql<{ now: number }>(database, 'SELECT clock_timestamp() AS now');
    assert.ok(before!.now <= asked && asked <= later!.now);
  });
});
