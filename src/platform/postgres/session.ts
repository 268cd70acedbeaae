/** What every connection begins with: settings of the session, and the question which server it reached. */
import type pg from 'pg';

/**
 * The server and database that a connection reached. Another server, timeline, start or database may have other
 * data under the same keys and numbers.
 */
export interface ServerIdentity {
  systemIdentifier: string;
  /** Null on a standby. */
  timeline: string | null;
  startedAt: string;
  databaseOid: number;
}

/**
 * The server and database that a statement reaches, in SQL. After a restart, restore or failover it is another one,
 * and what was read before may be gone.
 */
export const reachedServer = `(pg_postmaster_start_time()::text || ' ' ||
        (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/** Limits of a session in milliseconds; 0: none. */
export interface SessionLimits {
  statementMs: number;
  idleInTransactionMs: number;
}

// Every statement of a call finds its rows by an index, for all values. So one generic plan is enough,
// and a plan that was made while a table was small must not scan it later. What the role or the database sets
// does not count: a lock timeout of its own would fail calls, another time zone would move every instant.
const settings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  bytea_output: 'hex',
  client_min_messages: 'warning',
  default_transaction_isolation: 'read committed',
  lock_timeout: '0',
  transaction_timeout: '0',
} as const;

// Set by a statement: a pooler such as PgBouncer drops or refuses start-up parameters. Several processes of a
// server that was restored have the same identifier, so the start and the database count, too.
const beginText = (limits: SessionLimits): string => {
  const all = {
    ...settings,
    statement_timeout: String(limits.statementMs),
    idle_in_transaction_session_timeout: String(limits.idleInTransactionMs),
  };
  const set = Object.entries(all).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  return `SELECT ${set.join(', ')}, (pg_control_system()).system_identifier::text AS "systemIdentifier",
    CASE WHEN NOT pg_is_in_recovery() THEN left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END AS timeline,
    pg_postmaster_start_time()::text AS "startedAt",
    (SELECT oid FROM pg_database WHERE datname = current_database())::integer AS "databaseOid"`;
};

/** Begins a session on a new connection, within this time. */
export async function beginSession(
  client: pg.ClientBase,
  limits: SessionLimits,
  withinMs: number,
): Promise<ServerIdentity> {
  const config = { text: beginText(limits), query_timeout: withinMs };
  const { rows } = await client.query<ServerIdentity>(config);
  const { systemIdentifier, timeline, startedAt, databaseOid } = rows[0]!;
  return { systemIdentifier, timeline, startedAt, databaseOid };
}

/** Tells when a connection reaches another server than those before it. Spec: RESTORE-5. */
export class ServerWatch {
  #known: ServerIdentity | null = null;
  readonly #listeners: (() => void)[] = [];

  /** Called at once, before the connection is used. */
  onOther(listener: () => void): void {
    this.#listeners.push(listener);
  }

  seen(identity: ServerIdentity): void {
    const known = this.#known;
    this.#known = identity;
    if (known === null || keyOf(known) === keyOf(identity)) return;
    for (const listener of this.#listeners) listener();
  }
}

const keyOf = ({ systemIdentifier, timeline, startedAt, databaseOid }: ServerIdentity): string =>
  [systemIdentifier, timeline, startedAt, databaseOid].join(' ');
