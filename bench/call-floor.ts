import pg from 'pg';
import type { Connection } from '../src/platform/postgres/connecting.ts';
import { RawConnection, requestBytes } from './http-client.ts';
import { perSecond } from './load.ts';
import { startFloor } from './processes.ts';

const rows = 10_000;

/** The number of calls of one booking. */
export interface BookingCalls {
  /** HTTP calls, the status reads included. */
  calls: number;
  /** How many of them commit a write. */
  writes: number;
}

/**
 * The floor of a booking: the same number of calls to a bare node:http server, which sends prebuilt bytes
 * after one named statement on one row. As many of these statements are committed writes as in a booking.
 */
export async function openCallFloor(connection: Connection, inFlight: number) {
  const pool = new pg.Pool({ ...connection, max: 1 });
  await pool.query('DROP TABLE IF EXISTS bench_entries, bench_balances');
  await pool.query('CREATE TABLE bench_balances (id integer PRIMARY KEY, balance bigint NOT NULL)');
  await pool.query(`CREATE TABLE bench_entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, balance_id integer NOT NULL,
    amount integer NOT NULL, made_at timestamptz NOT NULL DEFAULT now())`);
  await pool.query('INSERT INTO bench_balances SELECT g, 0 FROM generate_series(1, $1) g', [rows]);
  const floor = await startFloor({ kind: 'calls', connection, rows });
  const connections = await Promise.all(
    Array.from({ length: inFlight }, () => RawConnection.open(floor.port)),
  );
  const read = requestBytes('GET', '/read', {});
  const write = requestBytes('POST', '/write', {}, { amount: 1 });
  return {
    perSecond: (seconds: number, { calls, writes }: BookingCalls): Promise<number> =>
      perSecond(inFlight, seconds, async (worker) => {
        for (let call = 0; call < calls; call += 1) {
          await connections[worker]!.send(call < writes ? write : read);
        }
      }),
    async close(): Promise<void> {
      for (const one of connections) one.close();
      await floor.stop();
      await pool.query('DROP TABLE bench_entries, bench_balances');
      await pool.end();
    },
  };
}
