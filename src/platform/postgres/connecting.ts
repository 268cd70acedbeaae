/** Connections to the servers of PostgreSQL, outside a pool as well. */
import pg from 'pg';
import { DatabaseUnavailableError, reasonOf } from './database-errors.ts';
import { readServers, Servers } from './hosts.ts';

/** The address of PostgreSQL: a URL, or the settings of an embedded one. */
export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string; password?: string };

const connectAloneMs = 10_000;

/** The servers of a connection. */
export function serversOf(connection: Connection): Servers<pg.ClientConfig> {
  if (!('connectionString' in connection)) return new Servers([connection], false);
  const single = { urls: [connection.connectionString], mustWrite: false };
  const { urls, mustWrite } = readServers(connection.connectionString) ?? single;
  return new Servers(
    urls.map((connectionString) => ({ connectionString })),
    mustWrite,
  );
}

/** A standby accepts no writes, and neither does a server that is being taken out of service. */
export async function checkWrites(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>(
    'SHOW transaction_read_only',
  );
  if (rows[0]?.transaction_read_only === 'on') {
    throw new DatabaseUnavailableError('the server accepts no writes');
  }
}

/** Tries each server once, beginning with the one that worked last. */
export async function onSomeServer<T>(
  servers: Servers<pg.ClientConfig>,
  connect: (settings: pg.ClientConfig) => Promise<T>,
): Promise<T> {
  for (let left = servers.count - 1; ; left -= 1) {
    const tried = servers.current;
    try {
      return await connect(tried);
    } catch (error) {
      servers.failed(tried);
      if (left === 0) throw error;
    }
  }
}

async function connectTo(
  settings: pg.ClientConfig,
  mustWrite: boolean,
  onLost: (error: Error) => void,
): Promise<pg.Client> {
  const client = new pg.Client({ connectionTimeoutMillis: connectAloneMs, ...settings });
  client.on('error', onLost);
  try {
    await client.connect();
    if (mustWrite) await checkWrites(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** Opens a connection outside any pool to one of the servers. Throws `DatabaseUnavailableError`. */
export async function connectAlone(
  servers: Servers<pg.ClientConfig>,
  settings: pg.ClientConfig,
  onLost: (error: Error) => void,
): Promise<pg.Client> {
  try {
    return await onSomeServer(servers, (server) =>
      connectTo({ ...settings, ...server }, servers.mustWrite, onLost),
    );
  } catch (error) {
    // Any reason: a wrong password, a missing database, no server.
    throw new DatabaseUnavailableError(`PostgreSQL cannot be reached: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Opens a connection outside any pool. The caller must end it. Throws `DatabaseUnavailableError`. */
export const connectOnce = (connection: Connection): Promise<pg.Client> =>
  connectAlone(serversOf(connection), { application_name: 'latchkey' }, () => undefined);
