import type { Certificate } from '../installation/certificate.ts';
import {
  type Addresses,
  addressesOf,
  certificateOf,
  checkLiveBaseUrl,
  checkTransport,
} from './addresses.ts';
import { type CardPaymentSettings, cardPaymentsOf } from './card-payments.ts';
import { checkDataFolder, masterKeysOf } from './data-folder.ts';
import { databaseOf, type DatabaseSettings } from './database.ts';
import { type Observation, observationOf } from './observation.ts';
import { pictureBucketOf } from './pictures.ts';
import { loopback, Reader } from './reader.ts';
import { type Receiver, receiverOf } from './receivers.ts';
import { signInProviderOf } from './sign-in-provider.ts';
import type { Environment } from '../contract/wire.ts';
import { type Failpoint, parseFailpoint } from '../program/failpoint.ts';
import type { BucketSettings } from '../platform/file-storage/bucket.ts';
import type { ProviderSettings } from '../sign-in/index.ts';

/** A role of a process. */
type Role = 'api' | 'worker';

/** The validated configuration from the environment. */
export interface Config extends Addresses, DatabaseSettings, Observation {
  environment: Environment;
  dataDir: string;
  /** The first for everything new. Null: one is created and stored in the data folder. Never null in `live`. */
  masterKeys: readonly Buffer[] | null;
  roles: readonly Role[];
  /** Null: the tables of this installation are the only records of a reservation. */
  records: Receiver | null;
  /** Who is told what waits for people; null: nobody. */
  alerts: Receiver | null;
  /** Where the audit trail is posted; null: nowhere. */
  auditTrail: Receiver | null;
  /** In `live`: where PostgreSQL, Redis and metrics may be reached without TLS. */
  plainConnections: 'private' | 'anywhere';
  /** Nothing outside is called: this is a copy of another installation. */
  isOutsideOff: boolean;
  /** Null: there is no card provider. Always null in the simulation. */
  cardPayments: CardPaymentSettings | null;
  /** Where uploaded pictures are stored; null: in the data folder. */
  pictureBucket: BucketSettings | null;
  /** The time between two reads of a calendar of another channel. */
  calendarMinutes: number;
  /** Whether calendars of other channels are read before a booking is confirmed. */
  calendarBeforeConfirm: boolean;
  /** The Redis or Valkey that processes share quotas in; null: none. A copy does not consume the quotas of the original. */
  redisUrl: string | null;
  /** The OpenID provider of staff; null: none. */
  signInProvider: ProviderSettings | null;
}

/** The configuration of a service process. */
export interface ServiceConfig extends Config {
  /** Null: plain HTTP. */
  certificate: Certificate | null;
  /** Null: none. Only in the simulation. */
  failpoint: Failpoint | null;
}

/** The environment is not a valid configuration. Lists all problems. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((text) => `  - ${text}`).join('\n')}`);
    this.problems = problems;
  }
}

const roles: readonly Role[] = ['api', 'worker'];

function rolesOf(reader: Reader): readonly Role[] {
  const named = reader
    .textOr('LATCHKEY_ROLES')
    .split(',')
    .map((s) => s.trim());
  const known = roles.filter((role) => named.includes(role));
  if (known.length === named.length) return known;
  reader.wrong('LATCHKEY_ROLES', `must be any of ${roles.join(', ')}, comma-separated.`);
  return roles;
}

function failpointOf(reader: Reader, { environment }: Config): Failpoint | null {
  const text = reader.text('LATCHKEY_FAILPOINT');
  if (text === null) return null;
  const failpoint = parseFailpoint(text);
  if (environment !== 'simulation') {
    reader.wrong('LATCHKEY_FAILPOINT', `is for the simulation, and this is ${environment}.`);
  } else if (failpoint === null) {
    reader.wrong('LATCHKEY_FAILPOINT', 'must be as before:STATEMENT or after:STATEMENT:TIME.');
  }
  return failpoint;
}

const isOutsideOff = (reader: Reader): boolean => reader.oneOf('LATCHKEY_OUTSIDE') === 'off';

function redisUrlOf(reader: Reader): string | null {
  const text = reader.text('REDIS_URL');
  if (text !== null && !['redis:', 'rediss:'].includes(URL.parse(text)?.protocol ?? '')) {
    reader.wrong('REDIS_URL', 'must be a redis:// or rediss:// URL.');
  }
  return isOutsideOff(reader) ? null : text;
}

function configOf(reader: Reader): Config {
  const environment = reader.oneOf('LATCHKEY_ENVIRONMENT');
  const addresses = addressesOf(reader);
  const loopbackAllowed = isLoopbackAllowed({ environment, ...addresses });
  return {
    environment,
    ...addresses,
    dataDir: reader.textOr('LATCHKEY_DATA_DIR'),
    ...databaseOf(reader),
    masterKeys: masterKeysOf(reader, environment),
    roles: rolesOf(reader),
    records: receiverOf(
      reader,
      { url: 'LATCHKEY_RECORDS_URL', secret: 'LATCHKEY_RECORDS_SECRET' },
      loopbackAllowed,
    ),
    alerts: receiverOf(
      reader,
      { url: 'LATCHKEY_ALERTS_URL', secret: 'LATCHKEY_ALERTS_SECRET' },
      loopbackAllowed,
    ),
    auditTrail: receiverOf(
      reader,
      { url: 'LATCHKEY_AUDIT_URL', secret: 'LATCHKEY_AUDIT_SECRET' },
      loopbackAllowed,
    ),
    cardPayments: cardPaymentsOf(reader, environment),
    plainConnections: reader.oneOf('LATCHKEY_PLAIN_CONNECTIONS'),
    isOutsideOff: isOutsideOff(reader),
    pictureBucket: pictureBucketOf(reader, environment),
    calendarMinutes: reader.integer('LATCHKEY_CALENDAR_MINUTES'),
    calendarBeforeConfirm: reader.oneOf('LATCHKEY_CALENDAR_BEFORE_CONFIRM') === 'on',
    redisUrl: redisUrlOf(reader),
    ...observationOf(reader, addresses.port),
    signInProvider: signInProviderOf(reader, environment),
  };
}

/** Whether the environment sets the address of the service. */
export const namesAddress = (env: NodeJS.ProcessEnv): boolean =>
  ['BASE_URL', 'PORT'].some((name) => env[name]?.trim());

/**
 * Whether webhooks, records and calendars of other channels may be on this machine, also with plain HTTP: only while
 * the service itself listens on loopback, and never in `live`. Spec: WEBHOOK-3.
 */
export const isLoopbackAllowed = ({
  environment,
  host,
}: Pick<Config, 'environment' | 'host'>): boolean => environment !== 'live' && loopback.has(host);

/**
 * Reads the configuration of a command, which may run beside a service and serves nothing itself. Throws
 * `ConfigError` with all problems.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const reader = new Reader(env);
  const config = configOf(reader);
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}

/** The conditions under which an environment may be served. */
const serviceChecks: readonly ((reader: Reader, config: Config) => void)[] = [
  checkTransport,
  checkLiveBaseUrl,
  checkDataFolder,
];

/**
 * Reads the configuration of a service process, including its certificate files, and refuses what is unsafe.
 * Throws `ConfigError` with all problems.
 */
export function readServiceConfig(env: NodeJS.ProcessEnv): ServiceConfig {
  const reader = new Reader(env);
  const config = configOf(reader);
  for (const check of serviceChecks) check(reader, config);
  const certificate = certificateOf(reader, config);
  const failpoint = failpointOf(reader, config);
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return { ...config, certificate, failpoint };
}
