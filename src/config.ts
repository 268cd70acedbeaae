import { isIP } from 'node:net';
import { CertificateError, readCertificate, type Certificate } from './certificate.ts';
import { environments, type Environment } from './contract/wire.ts';

/** A role of a process. */
export type Role = 'api' | 'worker';

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
  /** The maximum number of open connections at the HTTP server. */
  httpConnections: number;
  /** Null: the key is created and stored in the data folder. */
  masterKey: Buffer | null;
  tls: { certFile: string; keyFile: string } | null;
  trustedProxy: string | null;
  roles: readonly Role[];
  logLevel: string;
}

/** The configuration of a service process. */
export interface ServiceConfig extends Config {
  /** Null: plain HTTP. */
  certificate: Certificate | null;
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

function baseUrlOf(
  reader: Reader,
  { environment, port, tls }: { environment: Environment; port: number; tls: TlsFiles },
): string {
  const text = reader.text('BASE_URL');
  if (text === null) {
    if (environment !== 'simulation') reader.wrong('BASE_URL', `is required in ${environment}.`);
    return `${tls ? 'https' : 'http'}://localhost:${port}`;
  }
  const url = URL.parse(text);
  if (!isBaseUrl(text, url)) {
    reader.wrong('BASE_URL', 'must be an http or https URL without query, fragment or user.');
  } else if (environment !== 'simulation' && url.protocol !== 'https:') {
    reader.wrong('BASE_URL', `must be https in ${environment}.`);
  } else if (tls && url.protocol !== 'https:') {
    reader.wrong('BASE_URL', 'must be https where LATCHKEY_TLS_CERT_FILE is set.');
  }
  return text.replace(/\/+$/, '');
}

function databaseUrlOf(reader: Reader): string | null {
  const text = reader.text('DATABASE_URL');
  // Checks no more than this, because `URL` cannot parse a PostgreSQL URL with a Unix socket's folder.
  if (text !== null && !/^postgres(ql)?:\/\//.test(text)) {
    reader.wrong('DATABASE_URL', 'must be a postgres:// URL.');
  }
  return text;
}

function masterKeyOf(reader: Reader): Buffer | null {
  const text = reader.text('LATCHKEY_MASTER_KEY');
  if (text === null) return null;
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

/** Allows plain HTTP only for the simulation on loopback. */
function checkTransport(reader: Reader, config: Config): void {
  if (config.tls || config.trustedProxy) return;
  if (!config.roles.includes('api')) return;
  const remedy =
    'set LATCHKEY_TLS_CERT_FILE and LATCHKEY_TLS_KEY_FILE, or name the proxy that ends TLS in LATCHKEY_TRUSTED_PROXY';
  if (config.environment !== 'simulation') {
    reader.problems.push(`${config.environment} is not served over plain HTTP: ${remedy}.`);
  } else if (!loopback.has(config.host)) {
    reader.wrong(
      'LATCHKEY_HOST',
      `is not loopback, and plain HTTP leaves this machine: ${remedy}.`,
    );
  }
}

/** Refuses environments with real homes, which this version does not support. */
function checkInventory(reader: Reader, environment: Environment): void {
  if (environment === 'simulation') return;
  reader.wrong(
    'LATCHKEY_ENVIRONMENT',
    `is ${environment}, which sells the operator's own homes, and this version keeps no inventory of theirs yet: only the simulation can be served.`,
  );
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

function configOf(reader: Reader): Config {
  const environment = reader.oneOf('LATCHKEY_ENVIRONMENT', 'simulation', environments);
  const port = reader.integer('PORT', 8080, 1, 65_535);
  const tls = tlsOf(reader);
  const config: Config = {
    environment,
    host: reader.text('LATCHKEY_HOST') ?? 'localhost',
    port,
    baseUrl: baseUrlOf(reader, { environment, port, tls }),
    dataDir: reader.text('LATCHKEY_DATA_DIR') ?? '.latchkey',
    databaseUrl: databaseUrlOf(reader),
    databaseConnections: reader.integer('LATCHKEY_DATABASE_CONNECTIONS', 10, 1, 200),
    httpConnections: reader.integer('LATCHKEY_HTTP_CONNECTIONS', 2_000, 10, 100_000),
    masterKey: masterKeyOf(reader),
    tls,
    trustedProxy: trustedProxyOf(reader),
    roles: rolesOf(reader),
    logLevel: reader.oneOf('LATCHKEY_LOG_LEVEL', 'info', logLevels),
  };
  checkTransport(reader, config);
  return config;
}

/** Whether the environment sets the address of the service. */
export const namesAddress = (env: NodeJS.ProcessEnv): boolean =>
  ['BASE_URL', 'PORT'].some((name) => env[name]?.trim());

/** Whether webhooks may be sent to this machine: only if the simulation listens on loopback. */
export const isLoopbackSimulation = ({ environment, host }: Config): boolean =>
  environment === 'simulation' && loopback.has(host);

/** Reads the configuration. Throws `ConfigError` with all problems. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const reader = new Reader(env);
  const config = configOf(reader);
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return config;
}

/** Reads the configuration of a service process, including its certificate files. Throws `ConfigError`. */
export function readServiceConfig(env: NodeJS.ProcessEnv): ServiceConfig {
  const reader = new Reader(env);
  const config = configOf(reader);
  checkInventory(reader, config.environment);
  const certificate = certificateOf(reader, config);
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return { ...config, certificate };
}
