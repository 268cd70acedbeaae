import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { CertificateError, readCertificate, type Certificate } from './certificate.ts';
import { environments, type Environment } from './contract/wire.ts';
import { credentialsFile } from './credentials-file.ts';
import { type Failpoint, parseFailpoint } from './failpoint.ts';
import { masterKeyFile } from './master-key.ts';
import { pictureBucketOf } from './picture-settings.ts';
import type { BucketSettings } from './platform/file-storage/bucket.ts';
import { readServers } from './platform/postgres/hosts.ts';
import { hostOf } from './platform/sending/host.ts';
import type { ProviderSettings } from './staff/index.ts';
import { cardPaymentsOf, type CardPaymentSettings } from './stripe-settings.ts';

/** A role of a process. */
export type Role = 'api' | 'worker';

/** The operator's own system that every reservation is posted to. */
export interface RecordsReceiver {
  url: URL;
  /** The secrets that sign each request, `whsec_…`. */
  secrets: readonly string[];
}

/** The validated configuration from the environment. */
export interface Config {
  environment: Environment;
  host: string;
  port: number;
  /** Without a trailing slash. */
  baseUrl: string;
  dataDir: string;
  /** Null: the embedded PostgreSQL, with its files in the data folder. */
  databaseUrl: string | null;
  databaseConnections: number;
  /** A replica of the database; null: none. */
  replicaUrl: string | null;
  /** A read waits so long for the replica to catch up, and then goes to the primary. */
  replicaWaitMs: number;
  /** The maximum number of open connections at the HTTP server. */
  httpConnections: number;
  /** Null: the key is created and stored in the data folder. Never null in `live`. */
  masterKey: Buffer | null;
  tls: { certFile: string; keyFile: string } | null;
  trustedProxy: string | null;
  roles: readonly Role[];
  /** Null: the tables of this installation are the only records of a reservation. */
  records: RecordsReceiver | null;
  /** Null: there is no card provider. Always null in the simulation. */
  cardPayments: CardPaymentSettings | null;
  /** Where uploaded pictures are stored; null: in the data folder. */
  pictureBucket: BucketSettings | null;
  /** The time between two reads of a calendar of another channel. */
  calendarMinutes: number;
  logLevel: string;
  /** The Redis or Valkey that processes share quotas in; null: none. */
  redisUrl: string | null;
  /** Where traces are sent, and the share of them that is recorded, 0 to 1; null: nothing is traced. */
  traces: { endpoint: string; share: number } | null;
  /** The port of metrics and health; null: none. */
  metricsPort: number | null;
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

type TlsFiles = Config['tls'];

const roles: readonly Role[] = ['api', 'worker'];
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const loopback = new Set(['localhost', '127.0.0.1', '::1']);

/** Reads values and collects problems. The results are used only if there are no problems. */
class Reader {
  readonly problems: string[] = [];
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  text(name: string): string | null {
    const value = this.#env[name]?.trim();
    return value ? value : null;
  }

  wrong(name: string, problem: string): void {
    this.problems.push(`${name} ${problem}`);
  }

  integer(name: string, standard: number, min: number, max: number): number {
    const text = this.text(name);
    if (text === null) return standard;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    this.wrong(name, `must be an integer from ${min} to ${max}.`);
    return standard;
  }

  oneOf<T extends string>(name: string, standard: T, values: readonly T[]): T {
    const text = this.text(name) ?? standard;
    const value = values.find((known) => known === text);
    if (value !== undefined) return value;
    this.wrong(name, `must be one of ${values.join(', ')}.`);
    return standard;
  }
}

function isBaseUrl(text: string, url: URL | null): url is URL {
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false;
  return !/[?#]/.test(text) && url.username === '' && url.password === '';
}

function baseUrlOf(reader: Reader, port: number, tls: TlsFiles): string {
  const text = reader.text('BASE_URL');
  if (text === null) return `${tls ? 'https' : 'http'}://localhost:${port}`;
  const url = URL.parse(text);
  if (!isBaseUrl(text, url)) {
    reader.wrong('BASE_URL', 'must be an http or https URL without query, fragment or user.');
  } else if (tls && url.protocol !== 'https:') {
    reader.wrong('BASE_URL', 'must be https where LATCHKEY_TLS_CERT_FILE is set.');
  }
  return text.replace(/\/+$/, '');
}

function databaseUrlOf(reader: Reader, name: string): string | null {
  const text = reader.text(name);
  // Checks no more than this, because `URL` cannot parse a PostgreSQL URL with a Unix socket's folder.
  if (text !== null && !/^postgres(ql)?:\/\//.test(text)) {
    reader.wrong(name, 'must be a postgres:// URL.');
  } else if (text !== null && readServers(text) === null) {
    reader.wrong(
      name,
      'must name as many ports as hosts, or one, and target_session_attrs=read-write or none.',
    );
  }
  return text;
}

function replicaUrlOf(reader: Reader): string | null {
  const name = 'DATABASE_REPLICA_URL';
  if (reader.text(name) === null) return null;
  if (reader.text('DATABASE_URL') === null) {
    reader.wrong(name, 'must stand beside DATABASE_URL: a data folder has no replica.');
    return null;
  }
  const text = databaseUrlOf(reader, name);
  // Of several servers, the one that accepts writes would be chosen.
  if (text !== null && readServers(text)?.mustWrite === true) {
    reader.wrong(name, 'must name one server, the replica.');
  }
  return text;
}

function masterKeyOf(reader: Reader, environment: Environment): Buffer | null {
  const text = reader.text('LATCHKEY_MASTER_KEY');
  if (text === null) {
    if (environment === 'live') {
      reader.wrong(
        'LATCHKEY_MASTER_KEY',
        'is required in live: a key in the data folder would lie next to the data that it seals.',
      );
    }
    return null;
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) reader.wrong('LATCHKEY_MASTER_KEY', 'must be 32 bytes in base64.');
  return key;
}

function tlsOf(reader: Reader): TlsFiles {
  const certFile = reader.text('LATCHKEY_TLS_CERT_FILE');
  const keyFile = reader.text('LATCHKEY_TLS_KEY_FILE');
  if (certFile && keyFile) return { certFile, keyFile };
  if (certFile) reader.wrong('LATCHKEY_TLS_KEY_FILE', 'is required beside LATCHKEY_TLS_CERT_FILE.');
  if (keyFile) reader.wrong('LATCHKEY_TLS_CERT_FILE', 'is required beside LATCHKEY_TLS_KEY_FILE.');
  return null;
}

const isAddressOrRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.trim().split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  const bitsFit = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most);
  return isIP(address) !== 0 && bitsFit && rest.length === 0;
};

function trustedProxyOf(reader: Reader): string | null {
  const text = reader.text('LATCHKEY_TRUSTED_PROXY');
  if (text !== null && !text.split(',').every(isAddressOrRange)) {
    reader.wrong('LATCHKEY_TRUSTED_PROXY', 'must name IP addresses or ranges, as 10.0.0.0/8.');
  }
  return text;
}

function rolesOf(reader: Reader): readonly Role[] {
  const named = (reader.text('LATCHKEY_ROLES') ?? roles.join()).split(',').map((s) => s.trim());
  const known = roles.filter((role) => named.includes(role));
  if (known.length === named.length) return known;
  reader.wrong('LATCHKEY_ROLES', `must be any of ${roles.join(', ')}, comma-separated.`);
  return roles;
}

const webhookSecret = /^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function recordsUrlOf(reader: Reader, text: string, environment: Environment): URL | null {
  const url = URL.parse(text);
  const httpAllowed = environment !== 'live' && url !== null && loopback.has(hostOf(url));
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && httpAllowed);
  if (url && isAllowed && url.username === '' && url.password === '') return url;
  reader.wrong(
    'LATCHKEY_RECORDS_URL',
    environment === 'live'
      ? 'must be an https URL without user.'
      : 'must be an https URL without user, or an http URL of this machine.',
  );
  return null;
}

function recordsOf(reader: Reader, environment: Environment): RecordsReceiver | null {
  const text = reader.text('LATCHKEY_RECORDS_URL');
  const secrets = reader.text('LATCHKEY_RECORDS_SECRET')?.split(/\s+/);
  if (secrets && !secrets.every((secret) => webhookSecret.test(secret))) {
    reader.wrong(
      'LATCHKEY_RECORDS_SECRET',
      'must be whsec_ and at least 24 bytes in base64; a space separates two during a change.',
    );
  }
  if (text && !secrets) {
    reader.wrong('LATCHKEY_RECORDS_SECRET', 'is required beside LATCHKEY_RECORDS_URL.');
  }
  if (secrets && !text) {
    reader.wrong('LATCHKEY_RECORDS_URL', 'is required beside LATCHKEY_RECORDS_SECRET.');
  }
  const url = text && recordsUrlOf(reader, text, environment);
  return url && secrets ? { url, secrets } : null;
}

const transportRemedy =
  'set LATCHKEY_TLS_CERT_FILE and LATCHKEY_TLS_KEY_FILE, or name the proxy that ends TLS in LATCHKEY_TRUSTED_PROXY';

/** Allows plain HTTP only on loopback, and never in `live`. */
function checkTransport(reader: Reader, config: Config): void {
  if (config.tls || config.trustedProxy || !config.roles.includes('api')) return;
  if (config.environment === 'live') {
    reader.problems.push(`live is not served over plain HTTP: ${transportRemedy}.`);
  } else if (!loopback.has(config.host)) {
    reader.wrong(
      'LATCHKEY_HOST',
      `is not loopback, and plain HTTP leaves this machine: ${transportRemedy}.`,
    );
  }
}

function checkLiveBaseUrl(reader: Reader, { environment, baseUrl }: Config): void {
  if (environment !== 'live') return;
  if (reader.text('BASE_URL') === null) reader.wrong('BASE_URL', 'is required in live.');
  else if (baseUrl.startsWith('http:')) reader.wrong('BASE_URL', 'must be https in live.');
}

/** Files that an environment may not find in its data folder. */
const foreignFiles: readonly {
  file(dataDir: string): string;
  refusedIn: readonly Environment[];
  why: string;
}[] = [
  {
    file: credentialsFile,
    refusedIn: ['test', 'live'],
    why: 'holds keys of the simulation: each environment needs its own LATCHKEY_DATA_DIR.',
  },
  {
    file: masterKeyFile,
    refusedIn: ['live'],
    why: 'is a master key next to the data that it seals: move it to where you keep secrets, and set LATCHKEY_MASTER_KEY.',
  },
];

function checkDataFolder(reader: Reader, { environment, dataDir }: Config): void {
  for (const { file, refusedIn, why } of foreignFiles) {
    const found = path.resolve(file(dataDir));
    if (refusedIn.includes(environment) && existsSync(found))
      reader.problems.push(`${found} ${why}`);
  }
}

function certificateOf(reader: Reader, { tls, roles: served }: Config): Certificate | null {
  if (!tls || !served.includes('api')) return null;
  try {
    return readCertificate(tls);
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    reader.problems.push(error.message);
    return null;
  }
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

function redisUrlOf(reader: Reader): string | null {
  const text = reader.text('REDIS_URL');
  if (text !== null && !['redis:', 'rediss:'].includes(URL.parse(text)?.protocol ?? '')) {
    reader.wrong('REDIS_URL', 'must be a redis:// or rediss:// URL.');
  }
  return text;
}

function tracesOf(reader: Reader): Config['traces'] {
  const endpoint = reader.text('OTEL_EXPORTER_OTLP_ENDPOINT');
  const text = reader.text('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const share = /^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(share)) {
    reader.wrong('OTEL_TRACES_SAMPLER_ARG', 'must be a share from 0 to 1, as 0.1.');
  }
  if (endpoint === null) return null;
  if (!isBaseUrl(endpoint, URL.parse(endpoint))) {
    reader.wrong(
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'must be an http or https URL without query, fragment or user.',
    );
  }
  return { endpoint: endpoint.replace(/\/+$/, ''), share };
}

function metricsPortOf(reader: Reader, port: number): number | null {
  const name = 'LATCHKEY_METRICS_PORT';
  if (reader.text(name) === null) return null;
  const metricsPort = reader.integer(name, 0, 1, 65_535);
  if (metricsPort === port) reader.wrong(name, 'must be another port than PORT.');
  return metricsPort;
}

const providerNames = [
  'LATCHKEY_OIDC_ISSUER',
  'LATCHKEY_OIDC_CLIENT_ID',
  'LATCHKEY_OIDC_CLIENT_SECRET',
] as const;

/** All of the variables of the OpenID provider, or none. */
function signInProviderOf(reader: Reader, environment: Environment): ProviderSettings | null {
  const [issuer, clientId, clientSecret] = providerNames.map((name) => reader.text(name));
  if (!issuer && !clientId && !clientSecret) return null;
  const missing = providerNames.filter((name) => reader.text(name) === null);
  for (const name of missing) {
    reader.wrong(name, 'is required beside the other variables of the OpenID provider.');
  }
  if (!issuer || !clientId || !clientSecret) return null;
  const url = URL.parse(issuer);
  const httpAllowed = environment !== 'live' && url !== null && loopback.has(hostOf(url));
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && httpAllowed)) {
    return { issuer: url, clientId, clientSecret };
  }
  const exception = environment === 'live' ? '' : ', or an http URL of this machine';
  reader.wrong('LATCHKEY_OIDC_ISSUER', `must be an https URL${exception}.`);
  return null;
}

function configOf(reader: Reader): Config {
  const environment = reader.oneOf('LATCHKEY_ENVIRONMENT', 'simulation', environments);
  const port = reader.integer('PORT', 8080, 1, 65_535);
  const tls = tlsOf(reader);
  return {
    environment,
    host: reader.text('LATCHKEY_HOST') ?? 'localhost',
    port,
    baseUrl: baseUrlOf(reader, port, tls),
    dataDir: reader.text('LATCHKEY_DATA_DIR') ?? '.latchkey',
    databaseUrl: databaseUrlOf(reader, 'DATABASE_URL'),
    replicaUrl: replicaUrlOf(reader),
    replicaWaitMs: reader.integer('LATCHKEY_REPLICA_WAIT_MS', 1_000, 0, 60_000),
    databaseConnections: reader.integer('LATCHKEY_DATABASE_CONNECTIONS', 10, 1, 200),
    httpConnections: reader.integer('LATCHKEY_HTTP_CONNECTIONS', 2_000, 10, 100_000),
    masterKey: masterKeyOf(reader, environment),
    tls,
    trustedProxy: trustedProxyOf(reader),
    roles: rolesOf(reader),
    records: recordsOf(reader, environment),
    cardPayments: cardPaymentsOf(reader, environment),
    pictureBucket: pictureBucketOf(reader, environment),
    calendarMinutes: reader.integer('LATCHKEY_CALENDAR_MINUTES', 30, 1, 1_440),
    logLevel: reader.oneOf('LATCHKEY_LOG_LEVEL', 'info', logLevels),
    redisUrl: redisUrlOf(reader),
    traces: tracesOf(reader),
    metricsPort: metricsPortOf(reader, port),
    signInProvider: signInProviderOf(reader, environment),
  };
}

/** Whether the environment sets the address of the service. */
export const namesAddress = (env: NodeJS.ProcessEnv): boolean =>
  ['BASE_URL', 'PORT'].some((name) => env[name]?.trim());

/** Whether webhooks may be sent to this machine: only if the simulation listens on loopback. */
export const isLoopbackSimulation = ({ environment, host }: Config): boolean =>
  environment === 'simulation' && loopback.has(host);

/** Whether calendars of other channels may be on this machine: only if the environment `test` listens on loopback. */
export const isLoopbackTest = ({ environment, host }: Config): boolean =>
  environment === 'test' && loopback.has(host);

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
