/** The settings: every environment variable of the service. The table of the guide is generated from here. */
import { environments } from '../contract/wire.ts';

interface Described {
  /** For operators, in Markdown. `{range}` and `{values}` stand for what the row allows. */
  meaning: string;
  /** What applies without the variable, in words, where it is no one value. */
  otherwise?: string;
}

interface TextSetting extends Described {
  standard?: string;
}

/** A whole number. */
export interface WholeSetting extends Described {
  standard?: number;
  min: number;
  max: number;
}

/** One of several words; without a `standard` the first. */
export interface ChoiceSetting extends Described {
  standard?: string;
  values: readonly [string, ...string[]];
}

/** A row of the table. */
export type SettingRow = TextSetting | WholeSetting | ChoiceSetting;

/** By the name of the variable, in the order of the guide. */
export const settings = {
  LATCHKEY_ENVIRONMENT: {
    values: environments,
    standard: 'simulation',
    meaning:
      '`simulation`, or `test` or `live` for [your own homes](own-homes.md). A database and a data folder belong permanently to one environment',
  },
  PORT: { standard: 8_080, min: 1, max: 65_535, meaning: 'Port to listen on, {range}' },
  LATCHKEY_HOST: {
    standard: 'localhost',
    meaning:
      'Address or name to listen on. `localhost` is both loopback addresses; `0.0.0.0` means all addresses of the machine',
  },
  BASE_URL: {
    otherwise: '`http://localhost:$PORT`, or `https` with TLS',
    meaning:
      'The address at which partners reach the service. It is the issuer and audience of tokens, the `resource` of the token endpoint, and the beginning of picture URLs. All processes of an installation need the same value. Required in `live`, and https there',
  },
  LATCHKEY_DATA_DIR: { standard: '.latchkey', meaning: 'The data folder' },
  DATABASE_URL: {
    meaning:
      'A `postgres://` URL of PostgreSQL 18 or later, or of [several servers](#losing-the-databases-machine). Without it, the PostgreSQL from npm runs in the data folder',
  },
  LATCHKEY_DATABASE_OWNER_URL: {
    meaning:
      'The same database as `DATABASE_URL`, as the role that owns it: migrations run as this one, and the service as the other, which can then neither change nor empty the audit trail ([two roles](#two-roles))',
  },
  DATABASE_REPLICA_URL: {
    meaning: 'A streaming replica of `DATABASE_URL`, for [loads and lists](#reads-from-a-replica)',
  },
  LATCHKEY_REPLICA_WAIT_MS: {
    standard: 1_000,
    min: 0,
    max: 60_000,
    meaning:
      'How long a load or list waits for the replica before it reads from the primary, {range}',
  },
  LATCHKEY_DATABASE_CONNECTIONS: {
    standard: 10,
    min: 1,
    max: 200,
    meaning:
      'Connections of this process, its worker included, {range} (without `DATABASE_URL` 1 to 80); one more while it starts',
  },
  LATCHKEY_HTTP_CONNECTIONS: {
    standard: 2_000,
    min: 10,
    max: 100_000,
    meaning:
      "Maximum number of open connections at this process's port, {range}; on `localhost`, at each of the two addresses. Near it the connection that has been idle for longest is closed for a new one. Each connection uses memory and a file descriptor",
  },
  LATCHKEY_MASTER_KEY_FILE: {
    meaning:
      'In place of `LATCHKEY_MASTER_KEY`: a file with one key a line, the first for everything new ([a new master key](master-key.md))',
  },
  LATCHKEY_MASTER_KEY: {
    meaning:
      "32 bytes in base64; this key seals secrets and guests' details. Several with a comma between them: the first for everything new. Without it, `master.key` in the data folder. Required in `live` (or `LATCHKEY_MASTER_KEY_FILE`), which refuses a `master.key`",
  },
  LATCHKEY_TLS_CERT_FILE: { meaning: 'Certificate chain in PEM. Needs the key file too' },
  LATCHKEY_TLS_KEY_FILE: { meaning: 'Its private key in PEM' },
  LATCHKEY_TRUSTED_PROXY: {
    meaning:
      'IP addresses or ranges of the proxy that ends TLS, comma-separated (`10.0.0.0/8`). The service trusts its `X-Forwarded-For`',
  },
  LATCHKEY_OUTSIDE: {
    values: ['on', 'off'],
    standard: 'on',
    meaning:
      '`off` starts a copy that calls nothing outside: no card provider, webhooks, records, alerts, audit trail, calendars ([copies](backups.md#a-copy-beside-the-original))',
  },
  LATCHKEY_PLAIN_CONNECTIONS: {
    values: ['private', 'anywhere'],
    standard: 'private',
    meaning:
      'In `live`: whether PostgreSQL, Redis and metrics may be reached without TLS over public addresses, too. `private`: such a start is refused. `anywhere` is for public addresses inside a network of yours',
  },
  LATCHKEY_ROLES: {
    standard: 'api,worker',
    meaning: 'The roles of this process: `api`, `worker` or both',
  },
  LATCHKEY_ALERTS_URL: {
    meaning:
      'Where you look: each thing that [waits for people](payments.md#who-is-told) is posted to it. https, or http on this machine outside `live`',
  },
  LATCHKEY_ALERTS_SECRET: {
    meaning:
      'Signs the alerts: `whsec_` and at least 24 bytes in base64; two with a space between them during a change',
  },
  LATCHKEY_AUDIT_URL: {
    meaning:
      'Where the [audit trail](staff.md#posted-to-a-system-of-yours) is posted. https, or http on this machine outside `live`',
  },
  LATCHKEY_AUDIT_SECRET: {
    meaning:
      'Signs these requests: `whsec_` and at least 24 bytes in base64. A space separates two during a change',
  },
  LATCHKEY_RECORDS_URL: {
    meaning:
      'The system of yours that every reservation and movement of money is posted to; see [records](records.md). https, or http on this machine outside `live`',
  },
  LATCHKEY_RECORDS_SECRET: {
    meaning:
      'Signs these requests: `whsec_` and at least 24 bytes in base64. A space separates two during a change',
  },
  STRIPE_SECRET_KEY: {
    meaning:
      '[Card payments](../partners/card-payments.md): the secret or restricted key of your account at Stripe. `sk_test_…` or `rk_test_…` in `test`, `sk_live_…` or `rk_live_…` in `live`. Refused in the simulation',
  },
  STRIPE_PUBLISHABLE_KEY: {
    meaning: "The publishable key of the same account and mode. Partners' pages get it",
  },
  STRIPE_WEBHOOK_SECRET: {
    meaning: '`whsec_…`: signs the events that Stripe sends to `/payments/stripe/events`',
  },
  STRIPE_API_URL: {
    otherwise: "Stripe's own",
    meaning: 'The address of a stand-in of Stripe on this machine, for tests. Refused in `live`',
  },
  LATCHKEY_CALENDAR_MINUTES: {
    standard: 30,
    min: 1,
    max: 1_440,
    meaning:
      'Minutes between two reads of a calendar of another channel, {range}; see [calendars of other channels](channel-calendars.md)',
  },
  LATCHKEY_CALENDAR_BEFORE_CONFIRM: {
    values: ['on', 'off'],
    standard: 'on',
    meaning:
      '`on`: calendars of other channels that were not read within the last minute are read before a booking is confirmed; see [calendars of other channels](channel-calendars.md#before-a-booking-is-confirmed). `off`: they are not',
  },
  LATCHKEY_PICTURES_URL: {
    meaning:
      'The bucket of [uploaded pictures](own-homes.md#uploads), with a prefix if you like: `https://s3.eu-west-3.amazonaws.com/bucket/prefix` or `https://bucket.s3.eu-west-3.amazonaws.com`. https, or http on this machine outside `live`. Without it, they are in the data folder',
  },
  LATCHKEY_PICTURES_KEY_ID: { meaning: 'The ID of the key for the bucket' },
  LATCHKEY_PICTURES_SECRET_KEY: { meaning: 'Its secret' },
  LATCHKEY_PICTURES_REGION: { standard: 'us-east-1', meaning: 'The region of the bucket' },
  LATCHKEY_FAILPOINT: {
    meaning:
      'For tests of crashes: the process kills itself at a statement. Refused outside the simulation',
  },
  LATCHKEY_LOG_FORMAT: {
    values: ['json', 'text'],
    otherwise: '`text` at a terminal, else `json`',
    meaning: '`json` or `text`; see [the log](logs.md)',
  },
  LATCHKEY_LOG_LEVEL: {
    values: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    standard: 'info',
    meaning: '{values}',
  },
  REDIS_URL: {
    meaning:
      'The Redis or Valkey in which [several processes](#more-than-one-process) share quotas, `redis://` or `rediss://`',
  },
  LATCHKEY_METRICS_PORT: {
    min: 1,
    max: 65_535,
    meaning:
      'Serves metrics and health on this port, {range}, for every role; see [metrics](metrics.md)',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'Sends [traces](tracing.md) to an OTLP receiver, over HTTP in JSON',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    standard: '1',
    meaning: 'The share of traces that is recorded, 0 to 1',
  },
  LATCHKEY_OIDC_ISSUER: {
    meaning:
      'The OpenID provider that staff can sign in with; see [staff](staff.md#signing-in-with-your-own-provider)',
  },
  LATCHKEY_OIDC_CLIENT_ID: { meaning: 'The client at the provider' },
  LATCHKEY_OIDC_CLIENT_SECRET: { meaning: 'Its secret' },
} as const satisfies Record<string, SettingRow>;

type Settings = typeof settings;

/** The name of a variable. */
export type Setting = keyof Settings;
type NamesOf<Row> = { [Name in Setting]: Settings[Name] extends Row ? Name : never }[Setting];
/** The variables with a whole number. */
export type WholeName = NamesOf<WholeSetting>;
/** The variables with one of several words. */
export type ChoiceName = NamesOf<ChoiceSetting>;
/** The variables with a text that applies without them. */
export type StandardName = NamesOf<{ standard: string }>;
/** The words that a variable may have. */
export type ValueOf<Name extends ChoiceName> = Settings[Name]['values'][number];
