/** Erasing a person with very many bookings: in slices, and exactly once, also when it is killed. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { after, before, suite, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { erasedAtOnce } from '../../src/operator/erase-guest.ts';
import { bookingsOfOne } from '../harness/bookings-of-one.ts';
import { eventually } from '../harness/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { scratchFolder } from '../harness/scratch-folder.ts';
import { onDatabase, projectRoot } from '../harness/service-process.ts';

suite('guest erase › very many bookings', () => {
  let clone: TestDatabase;
  let folder: string;
  before(async () => {
    clone = await createTestDatabase();
    folder = await mkdtemp(path.join(scratchFolder, 'erased-'));
  });
  after(async () => {
    await clone.drop();
    await rm(folder, { recursive: true });
  });

  const erase = (email: string, ...flags: string[]): ChildProcess =>
    spawn(
      process.execPath,
      ['src/cli/latchkey.ts', 'guest', 'erase', '--email', email, '--reason', 'Asked for.']
        .concat(flags)
        .concat('--json'),
      {
        cwd: projectRoot,
        env: {
          PATH: process.env['PATH'],
          LATCHKEY_DATA_DIR: folder,
          ...onDatabase(clone),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );

  async function erased(child: ChildProcess) {
    const [out, said, [code]] = await Promise.all([
      text(child.stdout!),
      text(child.stderr!),
      once(child, 'close'),
    ]);
    assert.equal(code, 0, said);
    return JSON.parse(out) as { bookings: number; items: object[]; cardProvider: string };
  }

  /** How many entries of erasures each transaction has written. */
  const entriesOfTransactions = async (): Promise<number[]> => {
    const rows = await sql<{ entries: number }>(
      clone.database,
      `SELECT count(*)::integer AS entries FROM audit_entries WHERE action = 'guest.erase'
        GROUP BY xmin::text ORDER BY entries DESC`,
    );
    return rows.map(({ entries }) => entries);
  };

  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

  const guests = async (): Promise<number> => {
    const [row] = await sql<{ guests: number }>(
      clone.database,
      'SELECT count(*)::integer AS guests FROM bookings WHERE guest_sealed IS NOT NULL',
    );
    return row!.guests;
  };

  // Spec: GUEST-4.
  test('kill -9 in the middle leaves whole slices, and the next one erases the rest, each booking once', async () => {
    const email = 'agency@example.com';
    const bookings = await bookingsOfOne(clone, { email, wanted: 1_600 });
    assert.ok(bookings > 1_400, `${bookings}`);
    await bookingsOfOne(clone, { email: 'other@example.com', wanted: 20 });
    const others = (await guests()) - bookings;

    const preview = await erased(erase(email, '--dry-run'));
    assert.equal(preview.bookings, bookings);
    assert.equal(preview.items.length, 1_000);
    assert.deepEqual([await guests(), await entriesOfTransactions()], [bookings + others, []]);

    const killed = erase(email);
    await eventually(async () => (await entriesOfTransactions()).length >= 2, 60_000);
    killed.kill('SIGKILL');
    await once(killed, 'close');
    const working = `SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND state <> 'idle' AND pid <> pg_backend_pid()`;
    await eventually(async () => (await sql(clone.database, working)).length === 0);
    const first = await entriesOfTransactions();
    const left = await guests();
    assert.ok(
      first.every((entries) => entries === erasedAtOnce),
      first.join(),
    );
    assert.ok(sum(first) < bookings, 'it was killed in the middle');
    assert.equal(left, bookings + others - sum(first));

    const second = await erased(erase(email));
    assert.equal(second.bookings, bookings - sum(first));
    assert.equal(await guests(), others);
    const all = await entriesOfTransactions();
    assert.equal(sum(all), bookings);
    assert.ok(Math.max(...all) <= erasedAtOnce, all.join());
    const [entered] = await sql(
      clone.database,
      `SELECT count(DISTINCT (application_id, reference))::integer AS bookings FROM audit_entries
        WHERE action = 'guest.erase'`,
    );
    assert.deepEqual(entered, { bookings });
    const [posted] = await sql(
      clone.database,
      `SELECT max(records_attempts) AS most FROM reservations WHERE guest_email_digest = ''`,
    );
    assert.deepEqual(posted, { most: 1 }, 'the records get each reservation once more');

    const lines = (await readFile(path.join(folder, 'erasures'), 'utf8')).trim().split('\n');
    const noted = lines.map((line) => JSON.parse(line) as { email?: string; bookingId?: string });
    assert.equal(new Set(noted.flatMap(({ bookingId }) => bookingId ?? [])).size, bookings);
    assert.equal(
      noted.filter(({ email: one }) => one).length,
      2,
      'each of the two notes the address once',
    );
  });
});
