/**
 * Every line of the log: what it means, and what to do. From these the types of `log.ts` follow, so that no other line can
 * be logged, and the tables of docs/operators/logs.md, relative to which links are.
 */

/** The levels of lines. */
export type LogLevel = 'info' | 'warn' | 'error' | 'fatal';

/** What operators are told of one line. `…` in its text stands for what varies. */
export interface LogRow {
  levels: readonly LogLevel[];
  members: readonly string[];
  /** Members that only some of these lines have. */
  sometimes?: readonly string[];
  meaning: string;
  /** Absent: there is nothing to do. */
  remedy?: string;
}

type Rows = Readonly<Record<string, LogRow>>;

const starting = {
  'initialising PostgreSQL for the first time': {
    levels: ['info'],
    members: ['folder'],
    meaning: 'There is no database in the data folder, so one is created',
    remedy: 'If a database should exist, stop: `LATCHKEY_DATA_DIR` names another folder',
  },
  'stopping the PostgreSQL that a killed service has left running': {
    levels: ['info'],
    members: ['pid'],
    meaning: 'The service was killed before. No acknowledged data is lost',
    remedy: 'Find the cause of the kill, for example a lack of memory',
  },
  'PostgreSQL is ready': {
    levels: ['info'],
    members: ['host', 'port'],
    meaning: "The data folder's PostgreSQL accepts connections",
  },
  'a migration waits for a table that others use': {
    levels: ['info'],
    members: ['migration', 'sessions'],
    meaning:
      'A session reads or writes the table for long: a dump, or a transaction that somebody left open. The migration tries again every second; nobody else waits',
    remedy: 'If it lasts, end the session that is named: `SELECT pg_terminate_backend(pid)`',
  },
  migrated: {
    levels: ['info'],
    members: ['applied'],
    meaning: 'Migrations of this version were applied',
    remedy: 'Once after an [upgrade](upgrading.md); expected',
  },
  '… new keys were issued for …': {
    levels: ['warn'],
    members: [],
    meaning:
      '`sandbox-credentials.json` `was not there`, `could not be used (…)`, or `contained keys that are of another database, revoked or expired`',
    remedy: 'Use the new keys in the file. Earlier keys work until they are revoked',
  },
  'Server listening at …': {
    levels: ['info'],
    members: [],
    meaning:
      'The service accepts calls from now on. A process without the role `api` does not log this',
  },
  stopping: {
    levels: ['info', 'error'],
    members: ['reason'],
    meaning:
      'The service shuts down in an orderly way. `reason` is `SIGTERM` or `SIGINT` (info), or the cause (error): its PostgreSQL ended, or an uncaught error',
    remedy: 'For error: read the lines before it and `postgres.log`; start again',
  },
  'uncaught error': {
    levels: ['fatal'],
    members: ['err'],
    meaning: 'A bug in Latchkey. The service shuts down with exit code 1',
    remedy: 'Start again, and report it with the stack trace',
  },
  'stopping failed': {
    levels: ['error'],
    members: ['err'],
    meaning: 'The shutdown failed; no acknowledged data is lost',
    remedy: 'Check whether a PostgreSQL still runs; the next start stops it',
  },
} as const satisfies Rows;

const calls = {
  answered: {
    levels: ['info', 'warn'],
    members: ['operation', 'method', 'status', 'code', 'ms', 'applicationId'],
    sometimes: ['application', 'consumer'],
    meaning:
      'One line per response; warn from status 500. `operation` is null for health, documents and unknown paths, `code` is the [error code](../partners/errors-and-retries.md), `application` is the name of the application, `consumer` is `X-Booking-Consumer`',
    remedy:
      'Many 401: a key has expired or was revoked. Many 429: the quota is too small, or a partner does not wait',
  },
  unavailable: {
    levels: ['warn'],
    members: ['err'],
    meaning:
      'A call got 503: the database was unavailable, or did not answer within five seconds; or the sign-in provider or the storage of pictures cannot be reached',
    remedy: '`err` says which. Check it. An occasional line is harmless',
  },
  'operation failed': {
    levels: ['error'],
    members: ['err'],
    meaning: 'A call got 500: a bug in Latchkey. Nothing was written partially',
    remedy: 'Report it with the stack trace',
  },
  'undeclared error code': {
    levels: ['error'],
    members: ['operation', 'code'],
    meaning:
      'A bug in Latchkey: a call got an error code that its operation does not declare. Callers do not expect it',
    remedy: 'Report it',
  },
  'token exchange failed': {
    levels: ['error'],
    members: ['err'],
    meaning: 'The same at the token endpoint; the response was `temporarily_unavailable`',
    remedy: 'Report it with the stack trace',
  },
  'sign-in at the provider failed': {
    levels: ['warn'],
    members: ['err'],
    sometimes: ['oauthError'],
    meaning:
      'The [OpenID provider](staff.md#signing-in-with-your-own-provider) refused, or its answer is not valid. The call got 401',
    remedy:
      '`invalid_client`: check `LATCHKEY_OIDC_CLIENT_SECRET`. `access_denied`: the person cancelled. `invalid_grant`: an answer was used again, or too late',
  },
  'too many connections; some are closed': {
    levels: ['warn'],
    members: ['connections', 'reason'],
    meaning:
      'More connections were opened than `LATCHKEY_HTTP_CONNECTIONS` allows (`idle`: the longest idle one was closed, `full`: all had calls) or than one address may have (`network`). At most one line per minute',
    remedy:
      'Find out who opens them. If partners do, start more `api` processes or raise the limit',
  },
  'quotas are not shared; this process applies its share': {
    levels: ['warn'],
    members: ['err'],
    meaning: 'Redis did not respond within 50 ms. Calls are served; quotas are approximate',
    remedy: 'Check `REDIS_URL` and Redis',
  },
  'quotas are shared again': { levels: ['info'], members: [], meaning: 'Redis responds' },
  'reads use the primary instead of the replica': {
    levels: ['warn'],
    members: ['reason'],
    meaning:
      'The replica is gone, behind by more than `LATCHKEY_REPLICA_WAIT_MS`, not of this primary, or has another time. Loads read from the primary',
    remedy: 'Check the replica and `DATABASE_REPLICA_URL`',
  },
  'reads use the replica again': { levels: ['info'], members: [], meaning: 'It keeps up' },
  'traces cannot be sent': {
    levels: ['warn'],
    members: ['err'],
    meaning:
      'The receiver of [traces](tracing.md) did not take them. Calls and bookings go on; these spans are lost',
    remedy: 'Check `OTEL_EXPORTER_OTLP_ENDPOINT`',
  },
  'traces are sent again': { levels: ['info'], members: [], meaning: 'It takes them' },
} as const satisfies Rows;

const bookings = {
  'booking moved': {
    levels: ['info'],
    members: ['applicationId', 'kind', 'bookingId', 'state', 'version'],
    meaning:
      "A worker changed the state of a booking; see [the states](states.md). Changes by a partner's command have only `answered`",
  },
  'step failed; retried when the lease ends': {
    levels: ['warn', 'error'],
    members: ['err', 'applicationId', 'kind', 'bookingId'],
    meaning:
      'A worker could not finish a step of a booking. When its lease of 15 seconds expires, a worker claims it again. warn: the database was unavailable. error: a bug in Latchkey',
    remedy: 'For error: report it; check whether the same `bookingId` repeats',
  },
  'booking cannot be read; skipped': {
    levels: ['error'],
    members: ['err', 'applicationId', 'kind', 'bookingId'],
    meaning:
      'The sealed guest or payment secret cannot be opened: the row was damaged or changed manually. The line repeats every 15 seconds; other bookings are not affected',
    remedy: '[What to do with one](states.md#a-booking-that-cannot-be-read)',
  },
  'alert not accepted': {
    levels: ['warn'],
    members: ['itemId', 'type', 'attempts', 'problem'],
    meaning: 'The receiver of alerts did not accept one. It is sent again',
    remedy: '[Who is told](payments.md#who-is-told)',
  },
  'alert not written; sent again': {
    levels: ['warn'],
    members: ['err', 'itemId', 'type'],
    meaning: 'What became of an alert could not be written',
    remedy: 'None; it is sent again',
  },
  'audit trail not accepted': {
    levels: ['warn'],
    members: ['position', 'attempts', 'problem'],
    meaning:
      '[The receiver of the audit trail](staff.md#posted-to-a-system-of-yours) did not accept what follows this position. It is sent again',
  },
  'record not accepted': {
    levels: ['warn'],
    members: ['reference', 'version', 'attempts', 'problem'],
    meaning: 'Your own system did not accept a reservation. It is sent again',
    remedy: '[Reservations that do not arrive](records.md#reservations-that-do-not-arrive)',
  },
  'payment record not accepted': {
    levels: ['warn'],
    members: ['reference', 'epoch', 'sequence', 'attempts', 'problem'],
    meaning: 'Your own system did not accept a record of money. It is sent again',
    remedy: '[Records of money](records.md#records-of-money)',
  },
  'payment record result not written; sent again': {
    levels: ['warn'],
    members: ['err', 'epoch', 'sequence'],
    meaning:
      'The result of a record could not be written. It is sent again under the same `webhook-id`',
    remedy: 'The database was unavailable',
  },
  'settlement step done': {
    levels: ['info'],
    members: ['applicationId', 'checkoutId', 'act'],
    meaning:
      'The worker did something with the money of a reservation: `collect`, `refund`, or looked up an unknown outcome',
  },
  'customer not deleted; tried again later': {
    levels: ['warn'],
    members: ['applicationId', 'checkoutId'],
    meaning:
      'A guest was erased here, and the card provider did not delete its customer. It is tried again, at most an hour later',
    remedy: 'If it repeats: see whether the restricted key may write customers',
  },
  'settlement failed; retried when the lease ends': {
    levels: ['warn'],
    members: ['err', 'applicationId', 'checkoutId'],
    meaning:
      'The worker could not finish a step. Another worker looks up how far it came when the lease of 30 seconds ends',
    remedy: 'If it repeats: see [payments](payments.md)',
  },
  'what waits for the card provider could not be woken': {
    levels: ['warn'],
    members: ['err'],
    meaning:
      'The provider answers again, and the database did not. What waits is looked up after its delay',
    remedy: 'None, unless it repeats: see the database',
  },
  'return step done': {
    levels: ['info'],
    members: ['paymentId', 'act'],
    meaning:
      'A payment of a booking that ended without a reservation goes back: it was looked up, voided or refunded',
  },
  'return failed; retried when the lease ends': {
    levels: ['warn'],
    members: ['err', 'paymentId'],
    meaning:
      'The worker could not finish a step of giving a payment back. Another worker goes on when the lease of 30 seconds ends',
    remedy: 'If it repeats: see [payments](payments.md)',
  },
  'refund was sent back': {
    levels: ['warn'],
    members: ['applicationId', 'checkoutId', 'refundId', 'declineCode'],
    meaning: "The guest's bank has sent a refund back that was done. The ledger has it",
    remedy:
      '[What you decide](payments.md#what-you-decide); without a reservation: pay the guest in another way',
  },
  'record result not written; sent again': {
    levels: ['warn'],
    members: ['err', 'reference', 'version'],
    meaning:
      'The answer of your own system could not be written. The reservation is sent again when its lease of 30 seconds expires, with the same `webhook-id`',
    remedy: 'See `unavailable`',
  },
  'a home has other prices or rules since this release': {
    levels: ['warn'],
    members: ['listing', 'prices', 'rules', 'from', 'to'],
    meaning:
      "Once after an upgrade from a release that read seasons as a whole: so many of the next 730 nights have another price or another rule, between these days. `audit list` and the console's audit trail have the same list (`catalog.read-differently`), and the feeds of changes tell it",
    remedy: "Look at the home's overlapping seasons",
  },
  'background task failed; it is tried again': {
    levels: ['warn'],
    members: ['err', 'task'],
    meaning: 'A run of a background task failed',
    remedy: 'One burst: the database was unavailable. The same for minutes: read `err`',
  },
  'metrics cannot be read': {
    levels: ['warn'],
    members: ['err', 'subject'],
    meaning: 'The metrics of one subject are missing from a read of [metrics](metrics.md)',
    remedy: 'As above',
  },
  "the database's clock has jumped; nothing is swept or collected": {
    levels: ['error'],
    members: ['databaseTime', 'expectedTime'],
    meaning:
      "PostgreSQL's clock is more than a minute away from the time that this process carries on",
    remedy: '[LatchkeyClockHeld](runbooks.md#latchkeyclockheld)',
  },
  "the database's clock is believed": {
    levels: ['warn'],
    members: ['databaseTime'],
    meaning:
      'It was right for a minute, staff have confirmed it, or the clock of this machine has jumped by as much',
  },
  'connections are not encrypted in live': {
    levels: ['warn'],
    members: ['settings'],
    meaning:
      'Connections to the named PostgreSQL or Redis, or of whoever reads the metrics, cross the network without TLS',
    remedy:
      '`sslmode=verify-full` in `DATABASE_URL`, `rediss://`, a private network or a proxy with TLS for the metrics',
  },
  'the role of the service owns its tables; name an owner of their own in live': {
    levels: ['warn'],
    members: [],
    meaning:
      'One role of PostgreSQL serves and owns the tables, so it could change the audit trail',
    remedy: 'Set `LATCHKEY_DATABASE_OWNER_URL`: see [two roles](running.md#two-roles)',
  },
  'the database is the embedded PostgreSQL; use one of your own in live': {
    levels: ['warn'],
    members: ['version'],
    meaning:
      'The environment is `live`, and PostgreSQL comes from npm: its security fixes wait for an update of Latchkey',
    remedy:
      'Compare `version` with [postgresql.org](https://www.postgresql.org/support/versioning/), and [move to your own](backups.md#from-the-data-folder-to-a-postgresql-of-your-own)',
  },
  'the data folder is in use; waiting': {
    levels: ['info'],
    members: ['by'],
    meaning:
      'Another process holds the data folder, such as a command that ends soon. The start waits for up to 15 seconds',
    remedy: 'If it does not end: stop it',
  },
  'the database is another server, or was started again; nothing in memory is used': {
    levels: ['warn'],
    members: [],
    meaning:
      'PostgreSQL was restarted, restored or replaced under the running process. Homes, prices, applications and keys are compared with the database, or read again, before they are used',
    remedy: 'After a restore: [backups](backups.md#after-a-restore)',
  },
  'this copy calls nothing outside': {
    levels: ['warn'],
    members: [],
    meaning: '`LATCHKEY_OUTSIDE=off`',
    remedy: 'Expected in [a copy](backups.md#a-copy-beside-the-original) only',
  },
  'a new epoch has begun': {
    levels: ['warn'],
    members: ['epoch', 'reason'],
    meaning:
      'The database may have lost rows whose effects the card provider still has: `gap` (no process ran for more than a minute), `server` (another server or timeline), `outside_off`, `declared`; `first` comes once. No money moves until the provider was compared',
    remedy: 'None; see [after a restore](backups.md#after-a-restore)',
  },
  'guests were erased again': {
    levels: ['warn'],
    members: ['epoch', 'bookings'],
    meaning:
      'The database knew guests again who had been erased, by the file `erasures` of the data folder: it was put back',
  },
  'erasures of before could not be repeated yet': {
    levels: ['warn'],
    members: ['epoch', 'problem'],
    meaning:
      'Bookings of an earlier version are being indexed, or one changed at that moment. It is tried again every second',
    remedy: 'None, if it ends within minutes',
  },
  'the card provider has an effect that the database had lost': {
    levels: ['warn'],
    members: [
      'providerReference',
      'kind',
      'applicationId',
      'checkoutId',
      'part',
      'amountMinor',
      'currency',
      'outcome',
    ],
    meaning:
      'A payment or refund was done before a restore. `booked`: it is in the ledger, and what is open of the reservation waits for staff. `unmatched`: there is no reservation for it',
    remedy: 'Look at `restore show`; see [after a restore](backups.md#after-a-restore)',
  },
  'due days are computed by newer rules of time zones': {
    levels: ['info'],
    members: ['rules', 'moved'],
    meaning:
      'A version of Latchkey with newer rules of time zones has started: so many reservations with card payments fall due at another instant than before',
  },
  'the card provider was compared; money may move': {
    levels: ['info'],
    members: ['epoch'],
    meaning: 'The new epoch has all that the provider had',
  },
  'a database connection was lost': {
    levels: ['info'],
    members: ['err'],
    meaning: 'PostgreSQL or the network ended an idle connection. A new one is opened when needed',
    remedy: 'If frequent, find out what ends them',
  },
} as const satisfies Rows;

const webhooks = {
  'an ordered delivery failed': {
    levels: ['warn'],
    members: ['err'],
    meaning:
      'In the simulation: a delivery that a partner has ordered in the sandbox was not made, because the database or its secret could not be read',
    remedy: 'See `err`',
  },
  'the events of a scenario failed': {
    levels: ['warn'],
    members: ['err', 'scenario'],
    meaning:
      'In the simulation: what staff do in a scenario of a conformance run could not be done',
    remedy: 'See `err`; the partner starts the scenario again',
  },
  'attempt failed': {
    levels: ['info'],
    members: ['endpointId', 'deliveryId', 'status', 'error', 'durationMs'],
    meaning:
      "A partner's endpoint did not accept an event. It is retried; see [what each error means](webhook-operations.md#what-an-attempts-error-means)",
    remedy: 'Nothing; the partner sees it in the portal',
  },
  'endpoint stopped': {
    levels: ['warn'],
    members: ['endpointId', 'applicationId', 'state', 'stateReason'],
    meaning: 'The endpoint returned 410 (`gone`), or all attempts of five days failed (`failing`)',
    remedy: 'Inform the partner; see [states](webhook-operations.md#the-states-of-an-endpoint)',
  },
  'webhook secret cannot be read': {
    levels: ['error'],
    members: ['err', 'endpointId', 'applicationId'],
    meaning:
      'The sealed secret of an endpoint cannot be opened. Nothing is sent to it; its attempts fail with `secret_unreadable`. Other endpoints are not affected',
    remedy: '[Rotate it](webhook-operations.md#a-secret-that-cannot-be-read)',
  },
  'webhook result cannot be recorded': {
    levels: ['error'],
    members: ['err', 'deliveryId'],
    meaning:
      'PostgreSQL refuses the result of this attempt. The delivery is `exhausted` with `unrecorded`; other results are recorded',
    remedy: '[What to do with one](webhook-operations.md#a-result-that-cannot-be-recorded)',
  },
  'webhook results wait': {
    levels: ['warn'],
    members: ['err', 'waiting'],
    meaning:
      'The database was unavailable when attempts ended. Nothing new is claimed until the results are written. Attempts whose results are not written before their lease expires are repeated',
    remedy: 'See `unavailable`',
  },
  'calls are missing from the request log': {
    levels: ['warn'],
    members: ['dropped', 'err'],
    meaning:
      'The database was unavailable, or calls arrived faster than they could be written. The calls themselves were answered',
    remedy: 'See `unavailable`',
  },
  'refused calls are missing from the funnel': {
    levels: ['warn'],
    members: ['dropped', 'err'],
    meaning: 'The same for the counts of refusals in the [funnel](partners.md#the-funnel)',
    remedy: 'See `unavailable`',
  },
} as const satisfies Rows;

const calendars = {
  'channel calendar changed nights': {
    levels: ['info'],
    members: ['calendarId', 'listing', 'added', 'removed'],
    meaning: 'A calendar of another channel blocked or freed nights',
  },
  'channel calendar conflicts': {
    levels: ['warn'],
    members: ['calendarId', 'listing', 'conflicts', 'newConflicts'],
    meaning: 'Another channel has sold nights that a stay or block has here',
    remedy: '[Conflicts](channel-calendars.md#conflicts)',
  },
  'channel calendar late before a booking': {
    levels: ['warn'],
    members: ['calendarId', 'listingId'],
    meaning:
      'A booking waited 2.5 seconds for the calendar of another channel and was confirmed without it. It is not asked again for a minute',
    remedy: '[Before a booking is confirmed](channel-calendars.md#before-a-booking-is-confirmed)',
  },
  'channel calendar damaged': {
    levels: ['warn'],
    members: ['calendarId', 'listing', 'problem', 'detail', 'line', 'problems'],
    meaning:
      'Some of a calendar is lost. What was understood has blocked nights; nothing became free. It is tried again',
    remedy: '[What is refused](channel-calendars.md#what-is-refused)',
  },
  'channel calendar shrunk': {
    levels: ['warn'],
    members: ['calendarId', 'listing', 'missing'],
    meaning:
      "At least half of a calendar's events are missing. Their nights stay blocked for six hours, or until somebody accepts it",
    remedy: '[Slow to free](channel-calendars.md#slow-to-free)',
  },
  'channel calendar not read': {
    levels: ['warn'],
    members: ['calendarId', 'listing', 'problem', 'detail', 'failures'],
    meaning: 'A calendar cannot be read; its nights stay as they are. It is tried again',
    remedy: '[What is refused](channel-calendars.md#what-is-refused)',
  },
  'channel calendar result not written; read again': {
    levels: ['warn'],
    members: ['err', 'calendarId'],
    meaning:
      'The database was unavailable, or others changed the same home for seconds. Nothing has changed',
    remedy: 'None, if it is rare',
  },
} as const satisfies Rows;

/** The lines by the heading in the guide below which they are. */
export const logSections = {
  'Starting and stopping': starting,
  Calls: calls,
  Bookings: bookings,
  'Webhooks and the request log': webhooks,
  'Calendars of other channels': calendars,
} as const;

/** The lines by their texts. */
export type LogRows = typeof starting &
  typeof calls &
  typeof bookings &
  typeof webhooks &
  typeof calendars;
