import pg from 'pg';
import type { Connection } from '../../src/platform/postgres/database.ts';

/** The clock of one test database. */
export interface PassingTime {
  /** Lets time pass in every statement and trigger of later connections and statements. */
  pass(interval: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Makes the time of a test database pass when the test says so: `now()` in a statement or trigger is a
 * function of this database, and so are the defaults of columns. Call it before the first statement of the
 * database's pool.
 */
export async function passingTime(connection: Connection): Promise<PassingTime> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(`CREATE SCHEMA passing;
    CREATE TABLE passing.time (ahead interval NOT NULL);
    INSERT INTO passing.time VALUES ('0');
    CREATE FUNCTION passing.now() RETURNS timestamptz LANGUAGE sql STABLE
      AS 'SELECT pg_catalog.now() + ahead FROM passing.time'`);
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('ALTER TABLE %s ALTER %I SET DEFAULT %s', adrelid::regclass, attname,
        replace(pg_get_expr(adbin, adrelid), 'now()', 'passing.now()')) AS statement
      FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
      WHERE pg_get_expr(adbin, adrelid) LIKE '%now()%'`,
  );
  for (const { statement } of rows) await client.query(statement);
  await client.query(
    `ALTER DATABASE "${(connection as { database: string }).database}" SET search_path = passing, pg_catalog, public`,
  );
  return {
    async pass(interval) {
      await client.query('UPDATE passing.time SET ahead = ahead + $1::interval', [interval]);
    },
    close: () => client.end(),
  };
}
