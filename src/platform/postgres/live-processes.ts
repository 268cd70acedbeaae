/** The processes that serve one database, and which of them are alive. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from './database.ts';
import { manyRows, theRow } from './statement-functions.ts';

const aliveSeconds = 10;

// Two processes cannot listen on one port, so a row with this address is of a process that has ended.
const beatStatement: Statement = {
  name: 'beat',
  text: `WITH ended AS (
      DELETE FROM processes WHERE process_id <> $1
        -- Also with a time that a wrong clock has given it.
        AND (seen_at NOT BETWEEN now() - interval '1 minute' AND now() + interval '1 minute' OR (host = $3 AND port = $4 AND 'api' = ANY ($2::text[])))
    ), beaten AS (
      INSERT INTO processes (process_id, roles, host, port, master_key) VALUES ($1, $2, $3, $4, $6)
      ON CONFLICT (process_id) DO UPDATE SET seen_at = now()
    ), alive AS (
      -- Not before the epoch was looked for: it depends on when a process ran last. A copy that calls nothing
      -- outside leaves it as it was.
      UPDATE installation SET alive_at = now()
      WHERE pg_postmaster_start_time()::text = $5 AND NOT outside_off
        AND alive_at NOT BETWEEN now() - interval '10 seconds' AND now() + interval '10 seconds'
    )
    SELECT count(*) AS others FROM processes
    WHERE process_id <> $1 AND 'api' = ANY (roles) AND NOT (host = $3 AND port = $4)
      AND seen_at > now() - interval '${aliveSeconds} seconds'`,
};

const endStatement: Statement = {
  name: 'end-process',
  text: `WITH alive AS (
      UPDATE installation SET alive_at = now()
      WHERE pg_postmaster_start_time()::text = $2 AND NOT outside_off
    )
    DELETE FROM processes WHERE process_id = $1`,
};

/** This process among those that serve the same database. */
export interface LiveProcess {
  /** How many live processes serve calls, this one included. Of the last beat. */
  serving(): number;
  /** Tells the others that this process is alive, and counts them. */
  beat(): Promise<void>;
  /** Tells the others that this process ends. */
  end(): Promise<void>;
}

/**
 * Registers this process with its first beat.
 *
 * @param server the start of the server whose epoch this process has looked for
 */
export async function joinProcesses(
  executor: Executor,
  { roles, port }: { roles: readonly string[]; port: number },
  server: () => string | null = () => null,
): Promise<LiveProcess> {
  const processId = randomUUID();
  let others = 0;
  const live: LiveProcess = {
    serving: () => others + 1,
    async beat() {
      const values = [processId, roles, hostname(), port, server(), executor.vault.check];
      const [row] = await executor.query<{ others: number }>(beatStatement, values);
      others = row!.others;
    },
    async end() {
      await executor.query(endStatement, [processId, server()]);
    },
  };
  await live.beat();
  return live;
}

/** A process on this database. */
export interface ListedProcess {
  host: string;
  port: number;
  roles: string[];
  startedAt: EpochMs;
  seenAt: EpochMs;
}

/** Lists the processes that were alive in the last minute. */
export const listProcesses = manyRows<[], ListedProcess>({
  name: 'list-processes',
  text: `SELECT host, port, roles, started_at AS "startedAt", seen_at AS "seenAt"
    FROM processes WHERE seen_at > now() - interval '1 minute' ORDER BY process_id LIMIT 500`,
});

/** Reads the version of PostgreSQL and the last migration. */
export const readVersions = theRow<[], { postgres: string; migration: string }>({
  name: 'read-versions',
  text: `SELECT current_setting('server_version') AS postgres,
      (SELECT name FROM schema_migrations ORDER BY name DESC LIMIT 1) AS migration`,
});
