/** A database whose clock stands still until it is moved: `now()` of every statement, trigger and default. */
import type { Executor } from '../../../src/platform/postgres/database.ts';
import { openDatabase } from '../../../src/platform/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/postgres.ts';
import { backupsOf } from '../../harness/restored-database.ts';
import { sql } from '../../harness/rows.ts';

/** The time at which each run begins. */
export const beginning = Date.UTC(2027, 0, 15, 10);

const schema = `
  CREATE SCHEMA simulated;
  CREATE TABLE simulated.clock (at timestamptz NOT NULL);
  CREATE FUNCTION simulated.now() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT at FROM simulated.clock';
  CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT at FROM simulated.clock';
  INSERT INTO simulated.clock VALUES (to_timestamp(${beginning / 1_000}));
  DO $$
  DECLARE
    found record;
  BEGIN
    FOR found IN
      SELECT adrelid::regclass AS relation, attname, pg_get_expr(adbin, adrelid) AS value FROM pg_attrdef
      JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
      WHERE pg_get_expr(adbin, adrelid) LIKE '%now()%'
    LOOP
      EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s',
        found.relation, found.attname, 
        replace(replace(found.value, 'line_now()', 'now()'), 'now()', 'simulated.now()'));
    END LOOP;
  END $$`;

// A setting of the database: a copy does not have it.
const searchPath = `DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = simulated, pg_catalog, public', current_database());
  END $$`;

/** A clock of a database. */
export interface VirtualClock {
  now(): number;
  /** Sets the database's time, in milliseconds since 1970. */
  set(at: number): Promise<void>;
}

/** A database of one's own with a clock of its own. */
export interface ClockedDatabase extends TestDatabase {
  clock: VirtualClock;
  /** Backs the database up; the function puts it back, and its clock goes on. Nothing may use it meanwhile. */
  backUp(): Promise<{ restore(): Promise<void>; clear(): Promise<void> }>;
}

function clockOf(executor: Executor): VirtualClock {
  let now = beginning;
  return {
    now: () => now,
    async set(at) {
      now = at;
      await sql(executor, 'UPDATE simulated.clock SET at = to_timestamp($1::float8)', [at / 1_000]);
    },
  };
}

/** Clones the template, and gives the clone its clock. */
export async function createClockedDatabase(connections = 4): Promise<ClockedDatabase> {
  const real = await createTestDatabase(1);
  await sql(real.database, schema);
  await sql(real.database, searchPath);
  const { vault } = real.database;
  const limits = { connections, waitMs: 60_000, newCallsWaiting: 512, statementMs: 60_000 };
  const database = openDatabase(real.connection, vault, limits, () => undefined);
  const clock = clockOf(database);
  return {
    connection: real.connection,
    database,
    clock,
    async backUp() {
      const backups = await backupsOf(database);
      await backups.make();
      return {
        async restore() {
          await backups.restore();
          await sql(real.database, searchPath);
          await clock.set(clock.now());
        },
        clear: () => backups.clear(),
      };
    },
    async drop() {
      await database.close();
      await real.drop();
    },
  };
}
