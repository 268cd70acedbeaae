import pg from 'pg';
import type { Connection } from '../src/platform/postgres/database.ts';
import { perSecond } from './load.ts';

const inFlight = 16;
const rows = 10_000;

/**
 * The commit floor: one process with 16 statements in flight. Each statement inserts one row, updates one
 * row by key and commits to disk.
 */
export async function openCommitFloor(connection: Connection) {
  const pool = new pg.Pool({ ...connection, max: inFlight });
  await pool.query(`DROP TABLE IF EXISTS bench_entries, bench_balances`);
  await pool.query(`CREATE TABLE bench_balances (id integer PRIMARY KEY, balance bigint NOT NULL)`);
  await pool.query(`CREATE TABLE bench_entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, balance_id integer NOT NULL,
    amount integer NOT NULL, made_at timestamptz NOT NULL DEFAULT now())`);
  await pool.query(`INSERT INTO bench_balances SELECT g, 0 FROM generate_series(1, $1) g`, [rows]);
  const text = `WITH entry AS (INSERT INTO bench_entries (balance_id, amount) VALUES ($1, $2))
    UPDATE bench_balances SET balance = balance + $2 WHERE id = $1`;
  return {
    perSecond: (seconds: number): Promise<number> =>
      perSecond(inFlight, seconds, async () => {
        const id = 1 + Math.floor(Math.random() * rows);
        await pool.query({ name: 'commit-floor', text, values: [id, 1] });
      }),
    async close(): Promise<void> {
      await pool.query(`DROP TABLE bench_entries, bench_balances`);
      await pool.end();
    },
  };
}
