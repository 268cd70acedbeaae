/** Starts the server: opens the folder, locks it, creates the cluster, cleans up after a killed run, launches. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountOfCluster } from './account.ts';
import { findBinaries, type Binaries } from './binaries.ts';
import { clusterExists, database, initialiseCluster, readPassword, role } from './cluster.ts';
import { lockDataFolder, type DataFolderLock } from './data-folder-lock.ts';
import { clusterFolder, openDataFolder } from './data-folder.ts';
import {
  EmbeddedPostgresError,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './embedded-postgres.ts';
import { clearLeftoverServer } from './leftover-server.ts';
import {
  listenOnLoopback,
  listenOnSocket,
  removeSocketFolder,
  type Listening,
  type Transport,
} from './listening.ts';
import type { Account } from './run-program.ts';
import { protectSuperuser } from './superuser.ts';
import { launchServer, PassingObstacle, type Launch, type Server } from './server.ts';

const timeoutMilliseconds = 60_000;
const retryMilliseconds = 200;

interface Started {
  server: Server;
  listening: Listening;
}

/** Starts the server of a data folder on the given transport. If it throws EmbeddedPostgresError, the folder is unlocked. */
export async function startServerIn(
  { dataDir, log }: EmbeddedPostgresOptions,
  transport: Transport,
): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries();
  const dataFolder = await openDataFolder(dataDir);
  const lock = await lockDataFolder(dataFolder, log);
  const cluster = clusterFolder(dataFolder);
  try {
    const account = await prepareCluster(cluster, binaries, transport, log);
    const password = transport === 'loopback' ? await readPassword(cluster) : undefined;
    const deadlineMilliseconds = performance.now() + timeoutMilliseconds;
    const launch = { dataFolder, cluster, account, binaries, deadlineMilliseconds };
    const started = await launchUntilReady(launch, transport);
    const { host, port } = started.listening;
    if (transport === 'socket') await protect(started, cluster, account);
    log('PostgreSQL is ready', { host, port });
    return toEmbeddedPostgres(started, lock, password);
  } catch (error) {
    lock.release();
    throw inOurWords(error, dataFolder);
  }
}

/** Stops the server again if the superuser cannot be given a password. */
async function protect({ server, listening }: Started, cluster: string, account: Account) {
  try {
    await protectSuperuser(cluster, account, listening);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function prepareCluster(
  cluster: string,
  binaries: Binaries,
  transport: Transport,
  log: EmbeddedPostgresOptions['log'],
): Promise<Account> {
  // Checks the owner first, because files of another account cannot be read.
  const owner = existsSync(cluster) ? await accountOfCluster(cluster) : undefined;
  if (owner && (await clusterExists(cluster))) {
    await clearLeftoverServer(cluster, owner, binaries, log);
    return owner;
  }
  log('initialising PostgreSQL for the first time', { folder: cluster });
  await initialiseCluster(cluster, binaries, transport);
  return accountOfCluster(cluster);
}

async function launchUntilReady(
  launch: Omit<Launch, 'listening'>,
  transport: Transport,
): Promise<Started> {
  for (;;) {
    const listening =
      transport === 'loopback'
        ? await listenOnLoopback()
        : await listenOnSocket(launch.cluster, launch.account, launch.binaries.postgres);
    try {
      return { listening, server: await launchServer({ ...launch, listening }) };
    } catch (error) {
      if (transport === 'socket') await removeSocketFolder(listening.host);
      const isLate = performance.now() + retryMilliseconds > launch.deadlineMilliseconds;
      if (isLate || !(error instanceof PassingObstacle)) throw error;
      await sleep(retryMilliseconds);
    }
  }
}

function toEmbeddedPostgres(
  { server, listening }: Started,
  lock: DataFolderLock,
  password: string | undefined,
): EmbeddedPostgres {
  const { host, port } = listening;
  let stopping: Promise<void> | undefined;
  const gone = cleanUpAfter(server, listening, lock);

  return {
    connection: {
      host,
      port,
      user: role,
      database,
      ...(password === undefined ? {} : { password }),
    },
    stop() {
      stopping ??= server.stop().then(async () => void (await gone));
      return stopping;
    },
    onExit(listener) {
      const tell = (reason: string): void => {
        if (stopping === undefined) listener(reason);
      };
      void gone.then(tell);
    },
  };
}

/** Unlocks the data folder when the server has ended, so that the same process can start it again. */
async function cleanUpAfter(
  server: Server,
  listening: Listening,
  lock: DataFolderLock,
): Promise<string> {
  const reason = await server.ended;
  // The next start removes what cannot be removed now.
  if (listening.host !== '127.0.0.1')
    await removeSocketFolder(listening.host).catch(() => undefined);
  lock.release();
  return reason;
}

function inOurWords(error: unknown, dataFolder: string): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  return new EmbeddedPostgresError(
    `PostgreSQL could not be started in ${dataFolder}: ${(error as Error).message}`,
    { cause: error },
  );
}
