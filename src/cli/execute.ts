/** Runs a command on the database of the installation. */
import { constants, userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { registryFreshMs } from '../access/index.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../contract/operator/errors.ts';
import { openCardProvider } from '../program/card-provider.ts';
import { isLoopbackAllowed, namesAddress, readConfig, type Config } from '../config/config.ts';
import { openPictureStorage } from '../installation/picture-storage.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { DatabaseUnavailableError, reasonOf } from '../platform/postgres/database-errors.ts';
import { isCopy } from '../platform/postgres/epochs.ts';
import { findRunningPostgres } from '../platform/embedded-postgres/index.ts';
import { withOrigin } from '../platform/audit/origin.ts';
import { InstallationError, recordedBaseUrl } from '../platform/postgres/installation.ts';
import { openInstalledStorage, type Storage } from '../installation/storage.ts';
import type { CommandContext, Outcome, WorkingCommand } from './command.ts';

// Every process caches an application for `registryFreshMs`. After this time, and the time of a read that was
// in progress, the change has taken effect in all processes.
const effectiveEverywhereMs = registryFreshMs + 200;

/** The operating system account, as actor of the audit trail. */
function actor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // An account without an entry in passwd.
    return `cli:uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

async function open(config: Config): Promise<Storage | Refusal> {
  try {
    return await openInstalledStorage(config);
  } catch (error) {
    if (error instanceof InstallationError) return refuseStaff('conflict', error.message);
    return refuseStaff('unavailable', `The database cannot be used. ${reasonOf(error)}`);
  }
}

const commandLine = { by: 'command line', address: null, userAgent: '' } as const;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls the listener at the first termination signal. Returns a function that removes it. */
function onSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of signals) process.once(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** Stops a PostgreSQL that was started for this command, also when a signal ends the command. */
const closeOnSignal = (storage: Storage): (() => void) =>
  onSignal((signal) => {
    void storage.close().finally(() => process.exit(128 + constants.signals[signal]));
  });

/**
 * Refuses to start a database for a long-running command, because it would block the start of a service. Null: one
 * runs.
 */
async function noServiceRefusal({ databaseUrl, dataDir }: Config): Promise<Refusal | null> {
  if (databaseUrl || (await findRunningPostgres(dataDir))) return null;
  return refuseConflict(`No service runs on ${dataDir}. Start it first: npm start`);
}

async function onDatabase<T>(
  config: Config,
  watchSignals: (storage: Storage) => () => void,
  work: (storage: Storage) => Promise<T>,
): Promise<T | Refusal> {
  const storage = await open(config);
  if (isRefusal(storage)) return storage;
  const unwatch = watchSignals(storage);
  try {
    return await work(storage);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    const reason = `The database did not answer (${reasonOf(error)}). The command may have taken effect: check before you repeat it.`;
    return refuseStaff('unavailable', reason);
  } finally {
    await storage.close();
    unwatch();
  }
}

/** The values of a command, with IDs in place of names. */
async function resolvedValues(
  executor: Executor,
  { flags }: WorkingCommand,
  values: Record<string, unknown>,
): Promise<Record<string, unknown> | Refusal> {
  const resolved = { ...values };
  for (const [name, { kind }] of Object.entries(flags)) {
    if (kind.resolve === undefined || values[name] === undefined) continue;
    const known = await kind.resolve(executor, values[name] as never);
    if (isRefusal(known)) return known;
    resolved[name] = known;
  }
  return resolved;
}

/**
 * Runs a command with the configuration of the environment. When it returns, the change has taken effect in
 * running services. Throws `ConfigError`.
 */
export async function execute(
  command: WorkingCommand,
  values: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
  output: Pick<CommandContext, 'report' | 'write' | 'terminal'>,
): Promise<Outcome | Refusal | 'written'> {
  const { changesApplication, followsService } = command;
  const config = readConfig(env);
  const { environment } = config;
  const loopbackAllowed = isLoopbackAllowed(config);
  const end = new AbortController();
  const noService = followsService ? await noServiceRefusal(config) : null;
  if (noService) return noService;
  const watchSignals = followsService ? () => onSignal(() => end.abort()) : closeOnSignal;
  const { dataDir } = config;
  const pictures = openPictureStorage(config);
  const { alerts } = config;
  const settings = { environment, pictures, dataDir, loopbackAllowed, alerts };
  const calendars = {
    rules: { loopbackAllowed: isLoopbackAllowed(config) },
    everySeconds: config.calendarMinutes * 60,
  };
  const context = { ...settings, calendars, actor: actor(), ...output };
  const outcome = await onDatabase(config, watchSignals, async ({ database: primary, reads }) => {
    const database = command.onlyReads ? await reads.fresh() : primary;
    const recorded = namesAddress(env) ? null : await recordedBaseUrl(database);
    const baseUrl = recorded ?? config.baseUrl;
    const resolved = await resolvedValues(database, command, values);
    if (isRefusal(resolved)) return resolved;
    // Also where only the service of the copy was started with the setting.
    const openProvider = async () =>
      config.isOutsideOff || (await isCopy(primary)) ? null : openCardProvider(config.cardPayments);
    const given = { ...context, baseUrl, database, openProvider, ending: end.signal };
    return withOrigin(commandLine, () => command.run(given, resolved as Record<string, never>));
  });
  if (changesApplication && !isRefusal(outcome)) await sleep(effectiveEverywhereMs);
  return outcome;
}
