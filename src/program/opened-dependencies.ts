import {
  createAccessTokens,
  createApplicationRegistry,
  createQuotas,
  type OpenBuckets,
  openBuckets,
  openSigningKeys,
  type SigningKeys,
} from '../access/index.ts';
import { createRecentBookings, type RecentBookings } from '../bookings/index.ts';
import { openCardProvider } from './card-provider.ts';
import { type FollowedCatalog, noCatalog, openCatalog } from '../catalog/index.ts';
import { type ChannelsOfHome, openChannelsOfHome } from '../channels/index.ts';
import type { Config } from '../config/config.ts';
import { calendarRules } from './calendar-rules.ts';
import {
  type Availability,
  createFeedReader,
  type FeedReader,
  noAvailability,
  noFeedReader,
} from '../inventory/index.ts';
import type { AccessContext } from '../surfaces/partner-api.ts';
import { type CardProvider, wakeWaiting, watchRecovery } from '../payments/index.ts';
import { openPictureStorage } from '../installation/picture-storage.ts';
import type { FileStorage } from '../platform/file-storage/file-storage.ts';
import { type DatabaseClock, startDatabaseClock } from '../platform/clock.ts';
import type { Database } from '../platform/postgres/database.ts';
import { joinProcesses, type LiveProcess } from '../platform/postgres/live-processes.ts';
import { erasuresFile } from '../platform/erasures-file.ts';
import { primaryReads, type Reads } from '../platform/postgres/replica.ts';
import { openRedis } from '../platform/redis/scripts.ts';
import { openAvailability } from './availability.ts';
import { type Epochs, openEpochs } from './epochs.ts';
import type { Log } from '../platform/log.ts';
import type { ServiceContext } from './service-dependencies.ts';
import { openPorts, type Ports } from './ports.ts';

/** The opened dependencies that the roles of a process use. */
export interface OpenedDependencies {
  config: Config;
  log: Log;
  database: Database;
  epochs: Epochs;
  /** Quotes and checkouts that calls have just used. */
  recent: RecentBookings;
  reads: Reads;
  catalog: FollowedCatalog;
  availability: Availability;
  /** What this process has of the feed of changes. */
  changes: FeedReader;
  clock: DatabaseClock;
  keys: SigningKeys;
  provider: CardProvider | null;
  ports: Ports;
  processes: LiveProcess;
  buckets: OpenBuckets;
  access: AccessContext;
  /** Uploaded pictures. */
  pictures: FileStorage;
}

// A call waits this long for its quota; then this process decides alone.
const redisWaitMs = 50;
const ignore = (): void => undefined;

async function join(
  { database, config }: ServiceContext,
  epochs: Epochs,
  ends: AsyncDisposableStack,
): Promise<LiveProcess> {
  const processes = await joinProcesses(database, config, epochs.server);
  // The others notice it in any case, ten seconds later.
  ends.defer(() => processes.end().catch(ignore));
  return processes;
}

async function bucketsOf(
  { config, database, log, elapsedMs, buckets }: ServiceContext,
  processes: LiveProcess,
  ends: AsyncDisposableStack,
): Promise<OpenBuckets> {
  if (buckets) return buckets;
  const { redisUrl } = config;
  const redis = redisUrl === null ? null : await openRedis(redisUrl, redisWaitMs, ignore);
  ends.defer(() => redis?.close());
  const prefix = `latchkey:${database.vault.mac('redis', '').toString('hex', 0, 8)}`;
  return openBuckets({ redis, prefix, processes: processes.serving, log, elapsedMs });
}

const catalogOf = async (
  { config, database, catalog }: ServiceContext,
  reads: Reads,
): Promise<FollowedCatalog> => {
  if (!config.roles.includes('api')) return noCatalog(database, config);
  return catalog ?? openCatalog(database, config, reads);
};

const availabilityOf = async (
  { config, database, availability }: ServiceContext,
  catalog: FollowedCatalog,
  reads: Reads,
): Promise<Availability> => {
  if (!config.roles.includes('api')) return noAvailability;
  return availability ?? openAvailability(config.environment, database, catalog, reads);
};

/** The card provider. What waits for it is looked up as soon as it answers again. */
async function providerOf({ config, database, log, cardProvider }: ServiceContext) {
  const provider = config.isOutsideOff
    ? null
    : (cardProvider ?? (await openCardProvider(config.cardPayments)));
  return (
    provider &&
    watchRecovery(provider, () => {
      wakeWaiting(database).catch((error: unknown) =>
        log.warn({ err: error }, 'what waits for the card provider could not be woken'),
      );
    })
  );
}

/** The other channels of homes, which a worker asks before it confirms a booking. */
function channelsOf(
  { config, database, log }: ServiceContext,
  availability: Availability,
  ends: AsyncDisposableStack,
): ChannelsOfHome | null {
  const { environment, roles, calendarBeforeConfirm, isOutsideOff } = config;
  // Availability in the simulation is artificial.
  if (environment === 'simulation' || !roles.includes('worker')) return null;
  if (!calendarBeforeConfirm || isOutsideOff) return null;
  const onChangedNights = (): void => availability.changed();
  const channels = openChannelsOfHome({
    database,
    log,
    ...calendarRules(config),
    onChangedNights,
  });
  ends.defer(() => channels.stop());
  return channels;
}

/** Opens what the roles of this process work with. What must end is deferred on `ends`. */
export async function openDependencies(
  context: ServiceContext,
  ends: AsyncDisposableStack,
): Promise<OpenedDependencies> {
  const { config, database, log } = context;
  const { environment, isOutsideOff } = config;
  // First: nothing may be done twice outside.
  const hasProvider = (context.cardProvider ?? config.cardPayments) !== null;
  const erasures = erasuresFile(config.dataDir);
  const epochs = await openEpochs({ database, log, erasures, isOutsideOff, hasProvider }, ends);
  const reads = context.reads ?? primaryReads(database);
  const catalog = await catalogOf(context, reads);
  const clock = await startDatabaseClock(database, log);
  const keys = await openSigningKeys(database);
  const provider = await providerOf(context);
  const availability = await availabilityOf(context, catalog, reads);
  // A search of a new list would have to wait for the nights of its homes.
  catalog.prepareWith((listings) => availability.prepare(listings));
  const channels = channelsOf(context, availability, ends);
  const { supply } = context;
  const ports = openPorts({ environment, database, availability, provider, channels, supply });
  const processes = await join(context, epochs, ends);
  const buckets = await bucketsOf(context, processes, ends);
  const access: AccessContext = {
    tokens: createAccessTokens(keys, config.baseUrl, clock),
    registry: createApplicationRegistry(database),
    quotas: createQuotas(buckets.make('quota')),
  };
  const changes = config.roles.includes('api')
    ? createFeedReader({
        executor: database,
        log,
        follow: () => Promise.all([catalog.follow(), availability.follow()]),
        forgetApplication: (applicationId) => access.registry.forget(applicationId),
      })
    : noFeedReader;
  const recent = createRecentBookings();
  database.onOtherServer(() => {
    log.warn({}, 'the database is another server, or was started again; nothing in memory is used');
    for (const cache of [catalog, access.registry, access.tokens, keys]) cache.drop();
    for (const cache of [recent.quotes, recent.checkouts]) cache.drop();
    availability.changed();
    catalog.follow().catch(ignore);
  });
  return {
    config,
    log,
    database,
    epochs,
    recent,
    reads,
    catalog,
    availability,
    changes,
    clock,
    keys,
    provider,
    ports,
    processes,
    buckets,
    access,
    pictures: openPictureStorage(config),
  };
}
