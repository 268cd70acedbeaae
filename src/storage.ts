import type { Config } from './config.ts';
import { defaultPoolLimits, openDatabase, type Connection, type Database } from './db/database.ts';
import { findRunningPostgres, startEmbeddedPostgres } from './db/embedded/index.ts';
import { checkInstallation } from './db/installation.ts';
import { migrate } from './db/migrate.ts';
import { openVault } from './db/vault.ts';
import { masterKeyIn } from './master-key.ts';

type Log = (message: string, details?: object) => void;

/** The database of an installation, at the form that this version needs. */
export interface Storage {
  database: Database;
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

async function serverFor(config: Config, join: boolean, log: Log): Promise<Server> {
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

async function prepare(config: Config, server: Server, log: Log): Promise<Database> {
  const vault = openVault(await masterKeyIn(config.dataDir, config.masterKey));
  const poolLimits = { ...defaultPoolLimits, connections: config.databaseConnections };
  const database = openDatabase(server.connection, vault, poolLimits, (error) =>
    log('a database connection was lost', { err: error }),
  );
  try {
    const applied = await migrate(database);
    if (applied.length > 0) log('migrated', { applied });
    await checkInstallation(database, config.environment);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Opens the database: `DATABASE_URL`, or the embedded PostgreSQL of the data folder.
 *
 * @param options.join use the embedded PostgreSQL of a service that runs, if one does
 */
export async function openStorage(
  config: Config,
  { join, log }: { join: boolean; log: Log },
): Promise<Storage> {
  const server = await serverFor(config, join, log);
  try {
    const database = await prepare(config, server, log);
    return {
      database,
      onLost: (listener) => server.onLost(listener),
      async close() {
        await database.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
