import { pino } from 'pino';
import { ConfigError, readConfig, type Config } from './config.ts';
import { logOptions } from './log.ts';
import { ensureSandboxCredentials } from './operator/sandbox-credentials.ts';
import { startService, type Service } from './service.ts';
import { openStorage, type Storage } from './storage.ts';
import { welcome } from './welcome.ts';

// A balancer sees `/readyz` say no before the socket closes.
const drainMs = 500;
const stopWithinMs = 10_000;

/** The environments with real homes need what only the operator can bring. */
function checkInventory({ environment }: Config): void {
  if (environment === 'simulation') return;
  throw new ConfigError([
    `LATCHKEY_ENVIRONMENT=${environment} sells the operator's own homes, and this installation has no inventory of theirs. Only the simulation can be served.`,
  ]);
}

async function start(config: Config) {
  const logger = pino(logOptions(config.logLevel));
  const log = (message: string, details: object = {}): void => logger.info(details, message);
  const storage = await openStorage(config, { join: false, log });
  try {
    const service = await startService({
      config,
      database: storage.database,
      logger: logOptions(config.logLevel),
      log: logger,
    });
    const credentials = await ensureSandboxCredentials({
      database: storage.database,
      dataDir: config.dataDir,
      baseUrl: config.baseUrl,
      environment: config.environment,
      report: (message) => logger.warn(message),
    });
    if (config.roles.includes('api')) {
      await service.app.listen({ host: config.host, port: config.port });
    }
    process.stdout.write(welcome(config, credentials));
    return { logger, storage, service };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function stop(service: Service, storage: Storage): Promise<void> {
  service.beginStop();
  await new Promise((resolve) => setTimeout(resolve, drainMs));
  await service.stop();
  await storage.close();
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  checkInventory(config);
  const { logger, storage, service } = await start(config);
  let stopping = false;
  const end = (reason: string, code: number): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    stop(service, storage).then(
      () => process.exit(code),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(signal, 0));
  storage.onLost((reason) => end(`PostgreSQL ended: ${reason}`, 1));
}

try {
  await main();
} catch (error) {
  // What a person can act on is said in their words; the rest with its trace.
  const expected = error instanceof Error && error.constructor !== Error && !('code' in error);
  const text = expected ? error.message : String((error as Error).stack ?? error);
  process.stderr.write(`Latchkey did not start. ${text}\n`);
  process.exit(1);
}
