/** Epochs: times in which the database has lost nothing that the outside still has. */
import type { EpochMs } from '../../contract/time.ts';
import type { Database, Executor, Statement } from './database.ts';
import { noRows, rowOrNull, theRow, theValue } from './statement-functions.ts';

/** Why an epoch has begun. */
export const epochReasons = ['first', 'gap', 'server', 'outside_off', 'declared'] as const;

/** Why an epoch has begun. */
export type EpochReason = (typeof epochReasons)[number];

/** What decides whether a start begins an epoch. */
export interface EpochFacts {
  now: EpochMs;
  /** When a process last wrote that it runs; null: none has yet. */
  aliveAt: EpochMs | null;
  /** The last start called nothing outside. */
  wasOutsideOff: boolean;
  /** This start calls nothing outside. */
  isOutsideOff: boolean;
  /** The server and database of the last epoch; null: there is no epoch yet. */
  known: (ServerOfEpoch & { databaseOid: string | null }) | null;
  here: ServerOfEpoch & { databaseOid: string };
}

interface ServerOfEpoch {
  systemIdentifier: string;
  timeline: string;
}

const longestGapMs = 60_000;

/** Decides whether the database may have lost what the outside has; null: the epoch goes on. Spec: RESTORE-1. */
export function decideEpoch(facts: EpochFacts): EpochReason | null {
  const { now, aliveAt, known, here, wasOutsideOff, isOutsideOff } = facts;
  if (known === null) return 'first';
  // Nothing outside is called, so nothing can be done twice. The next other start asks.
  if (isOutsideOff) return null;
  if (wasOutsideOff) return 'outside_off';
  const isSame =
    known.systemIdentifier === here.systemIdentifier &&
    known.timeline === here.timeline &&
    // A dump is restored into another database of a server. An earlier version has not written which one it was.
    (known.databaseOid ?? here.databaseOid) === here.databaseOid;
  if (!isSame) return 'server';
  // A sign of life from later than now: one of the two was given by a wrong clock.
  return aliveAt === null || Math.abs(now - aliveAt) > longestGapMs ? 'gap' : null;
}

/** The epoch of a database. */
export interface Epoch {
  epoch: number;
  reason: EpochReason;
  beganAt: EpochMs;
  listedSince: EpochMs;
  /** Null: the provider has not been compared yet. */
  adoptedAt: EpochMs | null;
}

const columns = `epoch, reason, began_at AS "beganAt", listed_since AS "listedSince", adopted_at AS "adoptedAt"`;

const ownOid = '(SELECT oid FROM pg_database WHERE datname = current_database())';

const lockStatement: Statement = {
  name: 'lock-epoch',
  text: `SELECT i.alive_at AS "aliveAt", i.outside_off AS "wasOutsideOff", now() AS now,
      (SELECT json_build_object('systemIdentifier', system_identifier, 'timeline', timeline,
          'databaseOid', i.database_oid::text)
        FROM epochs ORDER BY epoch DESC LIMIT 1) AS known,
      json_build_object('systemIdentifier', (pg_control_system()).system_identifier::text,
        'timeline', left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
        'databaseOid', ${ownOid}::text) AS here
    FROM installation i FOR UPDATE OF i`,
};

const enteredStatement: Statement = {
  name: 'enter-epoch',
  text: `UPDATE installation SET outside_off = $1, server_started_at = pg_postmaster_start_time(), database_oid = ${ownOid},
      alive_at = CASE WHEN $1 THEN alive_at ELSE now() END
    RETURNING pg_postmaster_start_time()::text AS server`,
};

/** The current epoch; null: none has begun. */
export const currentEpoch = rowOrNull<[], Epoch>({
  name: 'current-epoch',
  text: `SELECT ${columns} FROM epochs ORDER BY epoch DESC LIMIT 1`,
});

const begin = theRow<
  [reason: EpochReason, explanation: string | null, here: EpochFacts['here']],
  Epoch
>({
  name: 'begin-epoch',
  // The first epoch of a database that has never moved money has nothing to compare. A later one has: it can have lost
  // the first payment.
  text: `INSERT INTO epochs (epoch, reason, explanation, system_identifier, timeline, listed_since, adopted_at)
    SELECT greatest(extract(epoch FROM now())::bigint, coalesce((SELECT max(epoch) FROM epochs), 0) + 1), $1, $2, $3, $4,
      least(now(),
        -- One from later than now was given by a wrong clock: then our last payment counts.
        CASE WHEN i.alive_at <= now() + interval '1 minute' THEN i.alive_at ELSE
          (SELECT created_at FROM payment_intents WHERE created_at <= now() ORDER BY payment_id DESC LIMIT 1) END,
        -- An epoch whose provider was not compared yet, or has just been: it is compared for both.
        (SELECT listed_since + interval '1 hour' FROM epochs
          WHERE adopted_at IS NULL OR ($1 = 'declared' AND began_at > now() - interval '7 days')
          ORDER BY epoch DESC LIMIT 1))
        - interval '1 hour',
      CASE WHEN $1 = 'first' AND NOT EXISTS (SELECT FROM payment_cards) THEN now() END
    FROM installation i
    RETURNING ${columns}`,
  values: (reason, explanation, here) => [
    reason,
    explanation,
    here.systemIdentifier,
    here.timeline,
  ],
});

type Locked = Omit<EpochFacts, 'isOutsideOff'>;

/** The start of the server in whose data this process has looked for its epoch. */
export interface EnteredEpoch {
  /** Null: this call has begun no epoch. */
  begun: Epoch | null;
  server: string;
}

/**
 * Looks for the epoch of the database, and begins one if the database may have lost something. Called at each start,
 * and when a running process finds another server.
 */
export const enterEpoch = (database: Database, isOutsideOff: boolean): Promise<EnteredEpoch> =>
  database.transaction(async (executor) => {
    const [facts] = await executor.query<Locked>(lockStatement);
    const reason = decideEpoch({ ...facts!, isOutsideOff });
    const begun = reason && (await begin(executor, reason, null, facts!.here));
    const [row] = await executor.query<{ server: string }>(enteredStatement, [isOutsideOff]);
    return { begun, server: row!.server };
  });

/** Begins an epoch because staff say that the database was put back. Use it in a transaction. */
export async function declareEpoch(executor: Executor, explanation: string): Promise<Epoch> {
  const [facts] = await executor.query<Locked>(lockStatement);
  return begin(executor, 'declared', explanation, facts!.here);
}

/** Writes that the provider was compared: money may move. */
export const noteAdopted = noRows<[epoch: number]>({
  name: 'epoch-adopted',
  text: 'UPDATE epochs SET adopted_at = now() WHERE epoch <= $1 AND adopted_at IS NULL',
});

/** Writes that a service without a card provider has nothing to compare, unless it has had one. */
export const noteNothingToCompare = noRows<[]>({
  name: 'epoch-without-provider',
  text: 'UPDATE epochs SET adopted_at = now() WHERE adopted_at IS NULL AND NOT EXISTS (SELECT FROM payment_cards)',
});

/** Whether this is a copy that calls nothing outside. */
export const isCopy = theValue<[], boolean>({
  name: 'is-copy',
  text: 'SELECT EXISTS (SELECT FROM installation WHERE outside_off) AS "isCopy"',
});
