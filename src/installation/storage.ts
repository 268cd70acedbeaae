import type { StartLog } from '../platform/log.ts';
import path from 'node:path';
import type { Config } from '../config/config.ts';
import { joinLine } from '../platform/clock.ts';
import type { Connection } from '../platform/postgres/connecting.ts';
import { defaultPoolLimits, openDatabase, type Database } from '../platform/postgres/database.ts';
import {
  findRunningPostgres,
  hasDatabaseFiles,
  startEmbeddedPostgres,
} from '../platform/embedded-postgres/index.ts';
import {
  checkEnvironment,
  checkInstallation,
  findInstalled,
  InstallationError,
  type OpenedBy,
  otherMasterKey,
} from '../platform/postgres/installation.ts';
import { checkDataFolder, claimDataFolder } from './data-folder.ts';
import { migrate } from '../platform/postgres/migrate.ts';
import { primaryReads, replicaReadsOf, type Reads } from '../platform/postgres/replica.ts';
import { checkConnections, readServerFacts } from '../platform/postgres/server-facts.ts';
import { grantToService, roleOf } from '../platform/postgres/service-role.ts';
import { openVault } from '../platform/vault.ts';
import { makeMasterKey, readMasterKeys } from './master-key.ts';

type ReplicaLog = Parameters<typeof replicaReadsOf>[0]['log'];

/** The migrated database of an installation. */
export interface Storage {
  database: Database;
  /** Reads that can go to a replica. */
  reads: Reads;
  /** Called once if an embedded PostgreSQL ends by itself. */
  onLost(listener: (reason: string) => void): void;
  close(): Promise<void>;
}

interface Server {
  connection: Connection;
  onLost(listener: (reason: string) => void): void;
  stop(): Promise<void>;
}

const notOurs = (connection: Connection): Server => ({
  connection,
  onLost: () => undefined,
  stop: () => Promise.resolve(),
});

async function serverFor(config: Config, join: boolean, log: StartLog): Promise<Server> {
  if (config.databaseUrl) return notOurs({ connectionString: config.databaseUrl });
  const running = join ? await findRunningPostgres(config.dataDir) : null;
  if (running) return notOurs(running);
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  return {
    connection: embedded.connection,
    onLost: (listener) => embedded.onExit(listener),
    stop: () => embedded.stop(),
  };
}

/** Reads the master keys. Creates a missing one only if nothing is sealed yet. In `live` they are always given. */
async function masterKeysFor(config: Config, isInstalled: boolean): Promise<readonly Buffer[]> {
  const keys = config.masterKeys ?? (await readMasterKeys(config.dataDir));
  if (keys) return keys;
  if (isInstalled) throw otherMasterKey();
  return makeMasterKey(config.dataDir);
}

const ownersConnections = 2;

/** Migrates as the owner of the tables, and grants to the role of the service what it needs. Spec: OPERATOR-16. */
async function migrateAsOwner(config: Config, database: Database, log: StartLog): Promise<void> {
  const { databaseOwnerUrl: connectionString } = config;
  const migrated = async (as: Database) => {
    const applied = await migrate(as, { log });
    if (applied.length > 0) log('migrated', { applied });
  };
  if (connectionString === null) return migrated(database);
  const limits = { ...defaultPoolLimits, connections: ownersConnections };
  const owner = openDatabase({ connectionString }, database.vault, limits, (error) =>
    log('a database connection was lost', { err: error }),
  );
  try {
    await migrated(owner);
    await grantToService(owner, await roleOf(database));
  } finally {
    await owner.close();
  }
}

async function prepare(
  config: Config,
  { connection }: Server,
  installed: string | null,
  { log, by }: { log: StartLog; by: OpenedBy },
): Promise<Database> {
  // Before a migration changes the database of another environment.
  if (installed !== null) checkEnvironment(installed, config.environment);
  const [masterKey, ...earlier] = await masterKeysFor(config, installed !== null);
  const vault = openVault(masterKey!, ...earlier);
  const poolLimits = { ...defaultPoolLimits, connections: config.databaseConnections };
  const database = openDatabase(connection, vault, poolLimits, (error) =>
    log('a database connection was lost', { err: error }),
  );
  try {
    await migrateAsOwner(config, database, log);
    await checkInstallation(database, config.environment, by);
    checkConnections(config.databaseConnections, await readServerFacts(database));
    await joinLine(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

// A list must not wait each time for a replica that is gone.
const replicaPauseMs = 5_000;
const silent: ReplicaLog = { info: () => undefined, warn: () => undefined };

function openReads(config: Config, primary: Database, log: ReplicaLog): Reads {
  const { replicaUrl: connectionString, replicaWaitMs: waitMs } = config;
  if (connectionString === null) return primaryReads(primary);
  const poolLimits = { ...defaultPoolLimits, connections: config.databaseConnections };
  // A replica that is gone is noticed by the next read.
  const replica = openDatabase({ connectionString }, primary.vault, poolLimits, () => undefined);
  return replicaReadsOf({ primary, replica, waitMs, pauseMs: replicaPauseMs, log });
}

/** Opens the database of a server, knowing the environment of its installation, if there is one. */
type Opening = (server: Server, installed: string | null) => Promise<Database>;

async function openOn(
  server: Server,
  config: Config,
  log: ReplicaLog,
  open: Opening,
): Promise<Storage> {
  try {
    const { databaseOwnerUrl } = config;
    // The role of the service may read nothing before the first start has granted it.
    const known =
      databaseOwnerUrl === null ? server.connection : { connectionString: databaseOwnerUrl };
    const database = await open(server, await findInstalled(known));
    const reads = openReads(config, database, log);
    return {
      database,
      reads,
      onLost: (listener) => server.onLost(listener),
      async close() {
        await reads.close();
        await database.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/**
 * Opens the database: `DATABASE_URL`, or the embedded PostgreSQL of the data folder. Creates what a first
 * start needs.
 *
 * @param options.join use the embedded PostgreSQL of a running service, if there is one
 * @param options.replicaLog receives when reads leave the replica and return to it
 */
export async function openStorage(
  config: Config,
  { join, log, replicaLog = silent }: { join: boolean; log: StartLog; replicaLog?: ReplicaLog },
): Promise<Storage> {
  await checkDataFolder(config);
  const server = await serverFor(config, join, log);
  return openOn(server, config, replicaLog, async (opened, installed) => {
    const by = join ? 'command' : 'service';
    const database = await prepare(config, opened, installed, { log, by });
    await claimDataFolder(config);
    return database;
  });
}

const notInstalled = (place: string, remedy: string): InstallationError =>
  new InstallationError(`There is no installation of Latchkey in ${place}. ${remedy}`);

/**
 * Opens the database of an existing installation, with or without a running service. Creates neither a
 * database nor a master key. Throws `InstallationError` if there is no installation.
 */
export async function openInstalledStorage(config: Config): Promise<Storage> {
  const { databaseUrl, dataDir } = config;
  const place = databaseUrl
    ? 'the database of DATABASE_URL'
    : `the folder ${path.resolve(dataDir)}`;
  const named = databaseUrl ? 'DATABASE_URL' : 'LATCHKEY_DATA_DIR';
  const remedy = `The first "npm start" creates one; if there is one elsewhere, set ${named} to it.`;
  if (!databaseUrl && !(await hasDatabaseFiles(dataDir))) throw notInstalled(place, remedy);
  const log: StartLog = () => undefined;
  return openOn(await serverFor(config, true, log), config, silent, (server, installed) => {
    if (installed === null) throw notInstalled(place, remedy);
    return prepare(config, server, installed, { log, by: 'command' });
  });
}
