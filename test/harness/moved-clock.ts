/** PostgreSQL's clock, moved for one database: everything that asks it for the time gets a wrong one. */
import pg from 'pg';
import { superuserOf } from './superuser.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { testConnection } from './postgres.ts';
import { sql } from './rows.ts';

// The time of a transaction is that of its begin: a clock that moves meanwhile does not change it.
// Both functions are called by their numbers wherever they are compiled in. One in SQL is written out in its place, so
// defaults, triggers and statements all get the moved time.
const install = `
  CREATE SCHEMA moved;
  CREATE TABLE moved.clock (by interval NOT NULL);
  INSERT INTO moved.clock VALUES ('0');
  CREATE FUNCTION moved.now() RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
    DECLARE moved_by text := nullif(current_setting('moved.by', true), '');
    BEGIN
      IF moved_by IS NULL THEN
        SELECT by::text INTO moved_by FROM moved.clock;
        PERFORM set_config('moved.by', moved_by, true);
      END IF;
      RETURN pg_catalog.transaction_timestamp() + moved_by::interval;
    END $$;
  CREATE FUNCTION moved.real_clock() RETURNS timestamptz LANGUAGE internal VOLATILE STRICT AS 'clock_timestamp';
  CREATE FUNCTION moved.clock_now() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS
    'BEGIN RETURN moved.real_clock() + (SELECT by FROM moved.clock); END';
  GRANT USAGE ON SCHEMA moved TO PUBLIC;
  GRANT SELECT ON moved.clock TO PUBLIC;
  CREATE OR REPLACE FUNCTION pg_catalog.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT moved.now()';
  CREATE OR REPLACE FUNCTION pg_catalog.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT moved.clock_now()'`;

/** The clock of a database that a test moves. */
export interface MovableClock {
  /** @param by an interval, such as `61 days` */
  move(by: string): Promise<void>;
}

async function asSuperuser(database: Database, text: string): Promise<void> {
  const [row] = await sql<{ name: string }>(database, 'SELECT current_database()::text AS name');
  const client = new pg.Client({
    ...(await superuserOf(testConnection())),
    database: row!.name,
  });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Makes the clock of a database one that can be moved. Call it before the database is used. */
export const movableClock = (database: Database): Promise<MovableClock> =>
  movableClockBy((text) => asSuperuser(database, text));

/** The same, with statements that somebody sends as the superuser. */
export async function movableClockBy(
  send: (text: string) => Promise<unknown>,
): Promise<MovableClock> {
  await send(install);
  return { move: async (by) => void (await send(`UPDATE moved.clock SET by = interval '${by}'`)) };
}
