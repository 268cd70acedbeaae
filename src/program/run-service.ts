import { lookup } from 'node:dns/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { ConfigError, readServiceConfig, type ServiceConfig } from '../config/config.ts';
import { publicClearProblems, unencryptedIn } from '../config/unencrypted.ts';
import { withFailpoint } from './failpoint.ts';
import { readCatalogs } from '../catalog/index.ts';
import type { Database } from '../platform/postgres/database.ts';
import { recordBaseUrl } from '../platform/postgres/installation.ts';
import { ownsAuditTrail } from '../platform/postgres/service-role.ts';
import { readServerFacts } from '../platform/postgres/server-facts.ts';
import { checkAddress, listen } from '../api/listening.ts';
import { serveMetrics, type Watched } from './metrics-server.ts';
import { logOptions, type ProcessLog, type StartLog } from '../platform/log.ts';
import { isText, textStream } from '../platform/log-text.ts';
import { ensureSandboxCredentials } from '../installation/sandbox-credentials.ts';
import { startService, type Service } from './service.ts';
import { startFailure } from './start-failure.ts';
import { openStorage, type Storage } from '../installation/storage.ts';
import { ownHomesWelcome, simulationWelcome, workerWelcome } from './welcome.ts';

// Load balancers see `/readyz` fail before the socket closes.
const drainMs = 500;
const stopWithinMs = 10_000;

/** How this process logs: JSON, or lines for people at a terminal. */
const logSettings = ({ logLevel, logFormat }: ServiceConfig) => ({
  ...logOptions(logLevel),
  ...(isText(logFormat) && { stream: textStream() }),
});

/** The reason of the end of the process, and its exit code. */
interface End {
  reason: string;
  code: number;
}

interface Running {
  service: Service;
  storage: Storage;
  /** Closes the socket of the metrics. */
  endMetrics(): Promise<void>;
}

/** Prepares what the first caller needs. Returns the welcome text. */
async function prepareCallers(
  config: ServiceConfig,
  logger: ProcessLog,
  database: Database,
): Promise<string> {
  const { dataDir, baseUrl, environment } = config;
  await recordBaseUrl(database, baseUrl);
  if (environment !== 'simulation') {
    return ownHomesWelcome(config, (await readCatalogs(database)).length > 0);
  }
  // The line of the table with the names of now for `…`.
  const report = (message: string): void =>
    logger.warn({}, message as '… new keys were issued for …');
  const context = { database, dataDir, baseUrl, environment, report };
  return simulationWelcome(config, await ensureSandboxCredentials(context));
}

async function openForCallers(
  config: ServiceConfig,
  logger: ProcessLog,
  { service, storage }: Omit<Running, 'endMetrics'>,
): Promise<string> {
  if (!config.roles.includes('api')) return workerWelcome;
  const text = await prepareCallers(config, logger, storage.database);
  await listen(service.app, config);
  return text;
}

async function openMetrics(
  { host, metricsPort: port }: ServiceConfig,
  watched: () => Watched | null,
): Promise<() => Promise<void>> {
  if (port === null) return () => Promise.resolve();
  return serveMetrics({ host, port, watched });
}

async function startOn(
  storage: Storage,
  config: ServiceConfig,
  logger: ProcessLog,
): Promise<Omit<Running, 'endMetrics'>> {
  const service = await startService({
    config,
    certificate: config.certificate,
    database: withFailpoint(storage.database, config.failpoint),
    reads: storage.reads,
    logger: logSettings(config),
    log: logger,
  });
  try {
    process.stdout.write(await openForCallers(config, logger, { service, storage }));
    return { service, storage };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** As the drivers do: by the operating system. */
const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

/** Refuses in `live` to send data over public addresses without TLS. Spec: ENVIRONMENT-2. */
async function checkClearConnections(config: ServiceConfig): Promise<void> {
  if (config.environment !== 'live' || config.plainConnections === 'anywhere') return;
  const problems = await publicClearProblems(config, addressesOf);
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Warns in `live` of connections without TLS. */
function warnOfClearConnections(config: ServiceConfig, logger: ProcessLog): void {
  const clear = config.environment === 'live' ? unencryptedIn(config) : [];
  const settings = clear.map(({ setting }) => setting);
  if (settings.length > 0) logger.warn({ settings }, 'connections are not encrypted in live');
}

/**
 * In `live`, PostgreSQL is better one of the operator's own: its updates do not wait for those of Latchkey. There the
 * service is better not the owner of the tables.
 */
async function warnOfDatabase(
  { environment, databaseUrl }: ServiceConfig,
  logger: ProcessLog,
  { database }: Storage,
): Promise<void> {
  if (environment !== 'live') return;
  if (databaseUrl !== null) {
    if (await ownsAuditTrail(database)) {
      logger.warn(
        {},
        'the role of the service owns its tables; name an owner of their own in live',
      );
    }
    return;
  }
  const { version } = await readServerFacts(database);
  logger.warn({ version }, 'the database is the embedded PostgreSQL; use one of your own in live');
}

async function startStored(
  config: ServiceConfig,
  logger: ProcessLog,
  end: (end: End) => void,
): Promise<Omit<Running, 'endMetrics'>> {
  const log: StartLog = (line, members) => logger.info(members, line);
  if (config.roles.includes('api')) await checkAddress(config);
  await checkClearConnections(config);
  const storage = await openStorage(config, { join: false, log, replicaLog: logger });
  storage.onLost((reason) => end({ reason, code: 1 }));
  try {
    warnOfClearConnections(config, logger);
    await warnOfDatabase(config, logger, storage);
    return await startOn(storage, config, logger);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function start(
  config: ServiceConfig,
  logger: ProcessLog,
  end: (end: End) => void,
): Promise<Running> {
  let service: Service | null = null;
  // First: migrations and the load of the homes can take minutes, in which the process is alive.
  const endMetrics = await openMetrics(config, () => service);
  try {
    const started = await startStored(config, logger, end);
    ({ service } = started);
    return { ...started, endMetrics };
  } catch (error) {
    await endMetrics();
    throw error;
  }
}

async function stop({ service, storage, endMetrics }: Running): Promise<void> {
  service.beginStop();
  await sleep(drainMs);
  await service.stop();
  await endMetrics();
  await storage.close();
}

/** Turns signals and uncaught errors into an orderly shutdown, also during the start. */
function listenForEnd(logger: ProcessLog): { ended: Promise<End>; end: (end: End) => void } {
  const { promise: ended, resolve: end } = Promise.withResolvers<End>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => end({ reason: signal, code: 0 }));
  }
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught error');
    end({ reason: 'an uncaught error', code: 1 });
  });
  void ended.then(() => setTimeout(() => process.exit(1), stopWithinMs).unref());
  return { ended, end };
}

async function run(): Promise<void> {
  const config = readServiceConfig(process.env);
  const { stream, ...options } = logSettings(config);
  const logger: ProcessLog = stream ? pino(options, stream) : pino(options);
  const { ended, end } = listenForEnd(logger);
  const running = await start(config, logger, end);
  const { reason, code } = await ended;
  if (code === 0) logger.info({ reason }, 'stopping');
  else logger.error({ reason }, 'stopping');
  try {
    await stop(running);
  } catch (error) {
    logger.error({ err: error }, 'stopping failed');
    process.exit(1);
  }
  process.exit(code);
}

/** Runs the service until a signal or an error ends it, and then ends the process. */
export async function runService(): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`Latchkey did not start. ${startFailure(error)}\n`);
    process.exit(1);
  }
}
