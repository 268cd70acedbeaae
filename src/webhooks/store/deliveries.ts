import type { EventType } from '../../contract/events.ts';
import { portalLimits } from '../../contract/portal/limits.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { ExchangeError } from '../../platform/sending/exchange.ts';
import { instant, type Executor, type Statement } from '../../platform/postgres/database.ts';
import { isFailed, isRetrying, stateColumn } from './delivery-states.ts';

/** `pending`: no attempt has failed since it was created or last replayed. `retrying`: one has. */
export type WebhookDeliveryState = 'pending' | 'retrying' | 'delivered' | 'exhausted';

/** Why an attempt failed. */
export type WebhookAttemptError =
  | ExchangeError
  | 'dns'
  | 'forbidden_address'
  | 'interrupted'
  | 'secret_unreadable'
  | 'unrecorded';

/** The delivery of an event to one endpoint. */
export interface WebhookDelivery {
  deliveryId: string;
  endpointId: string;
  eventId: string;
  type: EventType;
  /** Null: a test event. */
  sequence: number | null;
  test: boolean;
  state: WebhookDeliveryState;
  /** Attempts since it was created or last replayed. */
  attempts: number;
  /** Null: none is planned, or one is in flight. */
  nextAttemptAt: EpochMs | null;
  lastAttemptAt: EpochMs | null;
  lastStatus: number | null;
  lastError: WebhookAttemptError | null;
  createdAt: EpochMs;
  deliveredAt: EpochMs | null;
}

/** An attempt of a delivery. */
export interface WebhookAttempt {
  number: number;
  startedAt: EpochMs;
  durationMs: number;
  /** Null: no response. */
  status: number | null;
  /** Null: it was delivered. */
  error: WebhookAttemptError | null;
  /** The start of the response body. */
  response: string | null;
}

/** A delivery with its attempts and data. */
export interface WebhookDeliveryRecord extends WebhookDelivery {
  attemptsMade: WebhookAttempt[];
  /** The data of the event. Null: the event has left the feed's window. */
  event: { createdAt: EpochMs; data: Record<string, unknown> } | null;
}

interface DeliveryRow {
  delivery_id: string;
  endpoint_id: string;
  event_id: string;
  event_type: EventType;
  sequence: number | null;
  state: WebhookDeliveryState;
  attempts: number;
  next_attempt_at: EpochMs | null;
  last_attempt_at: EpochMs | null;
  last_status: number | null;
  last_error: WebhookAttemptError | null;
  created_at: EpochMs;
  delivered_at: EpochMs | null;
}

const columns = `d.delivery_id, d.endpoint_id, d.event_id, d.event_type, d.sequence, ${stateColumn} AS state, d.attempts,
  CASE WHEN NOT d.leased THEN d.due_at END AS next_attempt_at, d.last_attempt_at, d.last_status,
  d.last_error, d.created_at, d.delivered_at`;

// Deleted endpoints and their deliveries are invisible immediately.
const ofEndpoint = `JOIN webhook_endpoints e ON e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL`;

const deliveryOf = (row: DeliveryRow): WebhookDelivery => ({
  deliveryId: row.delivery_id,
  endpointId: row.endpoint_id,
  eventId: row.event_id,
  type: row.event_type,
  sequence: row.sequence,
  test: row.sequence === null,
  state: row.state,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at,
  lastAttemptAt: row.last_attempt_at,
  lastStatus: row.last_status,
  lastError: row.last_error,
  createdAt: row.created_at,
  deliveredAt: row.delivered_at,
});

const insertTestStatement: Statement = {
  name: 'insert-test-delivery',
  text: `INSERT INTO webhook_deliveries AS d (endpoint_id, application_id, event_type, test_event)
    SELECT e.endpoint_id, e.application_id, $3, $4 FROM webhook_endpoints e
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
    RETURNING ${columns}`,
};

/** Sends a test event to an endpoint, whatever event types it receives. Undefined: no such endpoint. */
export async function insertTestDelivery(
  executor: Executor,
  applicationId: string,
  endpointId: string,
  type: EventType,
  data: Record<string, unknown>,
): Promise<WebhookDelivery | undefined> {
  const values = [applicationId, endpointId, type, JSON.stringify(data)];
  const [row] = await executor.query<DeliveryRow>(insertTestStatement, values);
  return row && deliveryOf(row);
}

const newestFirst = 'ORDER BY d.created_at DESC, d.delivery_id DESC';

/** Deliveries to look at: `from` a table, and `only` those of a partial index. */
interface Source {
  from: string;
  only: string;
}

/** Reads deliveries in the order of the list. */
const lookedAt = ({ from, only }: Source): string => `SELECT * FROM ${from} d
      WHERE d.application_id = $1 AND (d.created_at, d.delivery_id) < ($2, $3)${only}
      ${newestFirst}`;

// Ends early: the filter reads rows of the inner statement until the page is full.
const listText = (source: Source): string => `SELECT ${columns}
    FROM (${lookedAt(source)} LIMIT $7) d ${ofEndpoint}
    WHERE ($4::uuid IS NULL OR d.endpoint_id = $4) AND ($5::text IS NULL OR ${stateColumn} = $5)
      AND ($6::text IS NULL OR d.event_type = $6)
    ${newestFirst} LIMIT $8`;

const lookedUntilText = (source: Source): string => `${lookedAt(source)} OFFSET $4 LIMIT 1`;

/** The statements of a list. A source with a parameter has it last. */
const listBy = (variant: string, sourceAt: (place: number) => Source) =>
  ({
    list: { name: 'list-webhook-deliveries', variant, text: listText(sourceAt(9)) },
    lookedUntil: { name: 'find-delivery-looked-at', variant, text: lookedUntilText(sourceAt(5)) },
  }) as const satisfies Record<string, Statement>;

const ofAll =
  (only = '') =>
  (): Source => ({ from: 'webhook_deliveries', only });

// `OFFSET 0` keeps the planner from an index of all deliveries of the application.
const ofEvent = (place: number): Source => ({
  from: `(SELECT * FROM webhook_deliveries WHERE event_id = $${place} OFFSET 0)`,
  only: '',
});

const listStatements = {
  any: listBy('any', ofAll()),
  exhausted: listBy('exhausted', ofAll(` AND d.state = 'exhausted'`)),
  retrying: listBy('retrying', ofAll(` AND ${isRetrying}`)),
  event: listBy('event', ofEvent),
} as const;

function statementsFor({ state, eventId }: DeliveryQuery) {
  if (eventId !== undefined) return listStatements.event;
  return state === 'exhausted' || state === 'retrying' ? listStatements[state] : listStatements.any;
}

/** The end position of a page of deliveries. */
export interface DeliveryPosition {
  createdAt: EpochMs;
  deliveryId: string;
}

/** The query of a list of deliveries, newest first. */
export interface DeliveryQuery {
  endpointId?: string | undefined;
  /** The event, by its UUID. */
  eventId?: string | undefined;
  state?: WebhookDeliveryState | undefined;
  type?: EventType | undefined;
  /** The last delivery of the previous page. */
  before?: DeliveryPosition | undefined;
  atMost: number;
}

/** A page of deliveries. */
export interface DeliveryPage {
  deliveries: WebhookDelivery[];
  /** The oldest scanned delivery, if older ones may exist. Null: all were scanned. */
  lookedUntil: DeliveryPosition | null;
}

// An index scan of this many rows stays well below the statement timeout.
const scanAtMost = 20_000;
const beforeAll = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

/** Lists the deliveries of an application. */
export async function listWebhookDeliveries(
  executor: Executor,
  applicationId: string,
  question: DeliveryQuery,
): Promise<DeliveryPage> {
  const { endpointId, eventId, state, type, before, atMost } = question;
  const statements = statementsFor(question);
  const named = eventId === undefined ? [] : [eventId];
  const from = before ? [instant(before.createdAt), before.deliveryId] : beforeAll;
  const filters = [endpointId, state, type];
  const rows = await executor.query<DeliveryRow>(statements.list, [
    applicationId,
    ...from,
    ...filters,
    scanAtMost,
    atMost,
    ...named,
  ]);
  const deliveries = rows.map(deliveryOf);
  if (deliveries.length === atMost) return { deliveries, lookedUntil: null };
  const [last] = await executor.query<DeliveryRow>(statements.lookedUntil, [
    applicationId,
    ...from,
    scanAtMost - 1,
    ...named,
  ]);
  return {
    deliveries,
    lookedUntil: last ? { createdAt: last.created_at, deliveryId: last.delivery_id } : null,
  };
}

/** A delivery of an event of a booking, as its history shows it. */
export interface DeliveryOfEvent {
  deliveryId: string;
  eventId: string;
  eventType: string;
  endpointId: string;
  state: WebhookDeliveryState;
  attempts: number;
  lastError: string | null;
  /** When it arrived, or was last tried, or was made. */
  at: EpochMs;
}

const ofEventsText = (from: string): string =>
  `SELECT d.delivery_id AS "deliveryId", d.event_id AS "eventId", d.event_type AS "eventType",
      d.endpoint_id AS "endpointId", ${stateColumn} AS state, d.attempts, d.last_error AS "lastError",
      coalesce(d.delivered_at, d.last_attempt_at, d.created_at) AS at
    FROM ${from} WHERE d.event_id = ANY ($1) ORDER BY d.delivery_id`;

const ofEventsStatement: Statement = {
  name: 'list-deliveries-of-events',
  text: ofEventsText('webhook_deliveries d'),
};

const shownOfEventsStatement: Statement = {
  name: 'list-shown-deliveries-of-events',
  text: ofEventsText(`webhook_deliveries d ${ofEndpoint}`),
};

/** Lists the deliveries of some events, oldest first. */
export const listDeliveriesOfEvents = (
  executor: Executor,
  eventIds: readonly string[],
): Promise<DeliveryOfEvent[]> => executor.query<DeliveryOfEvent>(ofEventsStatement, [eventIds]);

/** Lists the deliveries of some events that partners can see: not those to deleted endpoints. */
export const listShownDeliveriesOfEvents = (
  executor: Executor,
  eventIds: readonly string[],
): Promise<DeliveryOfEvent[]> =>
  executor.query<DeliveryOfEvent>(shownOfEventsStatement, [eventIds]);

type RecordRow = DeliveryRow & {
  data: Record<string, unknown> | null;
  happened_at: EpochMs | null;
};

interface AttemptRow {
  number: number;
  started_at: EpochMs;
  duration_ms: number;
  status: number | null;
  error: WebhookAttemptError | null;
  response: Buffer | null;
}

const findStatement: Statement = {
  name: 'find-webhook-delivery',
  text: `SELECT ${columns}, coalesce(d.test_event, ev.data) AS data,
      CASE WHEN d.test_event IS NULL THEN ev.created_at ELSE d.created_at END AS happened_at
    FROM webhook_deliveries d ${ofEndpoint}
    LEFT JOIN events ev ON ev.event_id = d.event_id
    WHERE d.delivery_id = $2 AND d.application_id = $1`,
};

const attemptsStatement: Statement = {
  name: 'list-webhook-attempts',
  text: `SELECT number, started_at, duration_ms, status, error, response FROM webhook_attempts
    WHERE delivery_id = $1 ORDER BY number`,
};

const attemptOf = (row: AttemptRow): WebhookAttempt => ({
  number: row.number,
  startedAt: row.started_at,
  durationMs: row.duration_ms,
  status: row.status,
  error: row.error,
  response: row.response?.toString('utf8') ?? null,
});

/** Reads a delivery of the application with its attempts. */
export async function findWebhookDelivery(
  executor: Executor,
  applicationId: string,
  deliveryId: string,
): Promise<WebhookDeliveryRecord | undefined> {
  const [row] = await executor.query<RecordRow>(findStatement, [applicationId, deliveryId]);
  if (!row) return undefined;
  const attempts = await executor.query<AttemptRow>(attemptsStatement, [deliveryId]);
  const { data, happened_at: createdAt } = row;
  return {
    ...deliveryOf(row),
    attemptsMade: attempts.map(attemptOf),
    event: data === null || createdAt === null ? null : { data, createdAt },
  };
}

// Starts a new round of attempts now. Attempts in flight and removed events are excluded by the conditions.
const beginAgain = `state = 'pending', attempts = 0, due_at = now(), fence = d.fence + 1, delivered_at = NULL`;
const canBeSent = `NOT d.leased
  AND (d.test_event IS NOT NULL OR EXISTS (SELECT FROM events ev WHERE ev.event_id = d.event_id))`;

const replayStatement: Statement = {
  name: 'replay-webhook-delivery',
  text: `UPDATE webhook_deliveries d SET ${beginAgain} FROM webhook_endpoints e
    WHERE d.delivery_id = $2 AND d.application_id = $1 AND ${canBeSent}
      AND e.endpoint_id = d.endpoint_id AND e.deleted_at IS NULL
    RETURNING ${columns}`,
};

const unchangedStatement: Statement = {
  name: 'find-leased-delivery',
  text: `SELECT ${columns} FROM webhook_deliveries d ${ofEndpoint}
    WHERE d.delivery_id = $2 AND d.application_id = $1 AND d.leased`,
};

/**
 * Sends a delivery again, in a new round of attempts. An attempt in flight is not disturbed. Undefined: there is
 * no such delivery, or its event has left the feed's window.
 */
export async function replayWebhookDelivery(
  executor: Executor,
  applicationId: string,
  deliveryId: string,
): Promise<WebhookDelivery | undefined> {
  const values = [applicationId, deliveryId];
  const [replayed] = await executor.query<DeliveryRow>(replayStatement, values);
  const [row] = replayed
    ? [replayed]
    : await executor.query<DeliveryRow>(unchangedStatement, values);
  return row && deliveryOf(row);
}

const { replayedAtOnce } = portalLimits;

// Counted and replayed are the same deliveries: those that an attempt in flight does not concern.
const failedSince = `d.endpoint_id = $2 AND d.application_id = $1 AND d.last_attempt_at >= $3
      AND ${isFailed} AND ${canBeSent}`;
const failedDeliveries = `SELECT d.delivery_id FROM webhook_deliveries d ${ofEndpoint}
      WHERE ${failedSince} LIMIT $4`;

const countFailedStatement: Statement = {
  name: 'count-failed-deliveries',
  text: `SELECT count(*)::integer AS failed FROM (${failedDeliveries}) counted`,
};

// The conditions are asked again of a delivery that has changed meanwhile.
const replayFailedStatement: Statement = {
  name: 'replay-failed-deliveries',
  text: `UPDATE webhook_deliveries d SET ${beginAgain}
    WHERE d.delivery_id = ANY (ARRAY(${failedDeliveries}))
      AND NOT d.leased AND d.state <> 'delivered' AND (d.state = 'exhausted' OR d.attempts > 0)
    RETURNING d.delivery_id`,
};

/** Counts the deliveries that failed since then and could be sent again, up to one more than a replay sends. */
export async function countFailed(
  executor: Executor,
  applicationId: string,
  endpointId: string,
  since: EpochMs,
): Promise<number> {
  const values = [applicationId, endpointId, instant(since), replayedAtOnce + 1];
  const [row] = await executor.query<{ failed: number }>(countFailedStatement, values);
  return row!.failed;
}

/** Sends deliveries that failed since then again, given up or not, up to a bound. Returns how many. */
export async function replayFailed(
  executor: Executor,
  applicationId: string,
  endpointId: string,
  since: EpochMs,
): Promise<number> {
  const values = [applicationId, endpointId, instant(since), replayedAtOnce];
  return (await executor.query(replayFailedStatement, values)).length;
}

// One statement creates a batch of deliveries and advances the mark past it, so that a crash between two
// batches loses nothing.
const replayMissedStatement: Statement = {
  name: 'replay-missed-events',
  text: `WITH held AS (
      SELECT endpoint_id, application_id, event_types, missed_after,
        least(missed_until, missed_after + $3) AS piece_until, missed_until
      FROM webhook_endpoints
      WHERE endpoint_id = $2 AND application_id = $1 AND deleted_at IS NULL AND missed_after IS NOT NULL
      FOR NO KEY UPDATE
    ), begun AS (
      INSERT INTO webhook_deliveries (endpoint_id, application_id, event_id, event_type, sequence)
      SELECT held.endpoint_id, held.application_id, ev.event_id, ev.type, ev.sequence
      FROM held JOIN events ev ON ev.application_id = held.application_id
        AND ev.sequence > held.missed_after AND ev.sequence <= held.piece_until
      WHERE held.event_types IS NULL OR ev.type = ANY (held.event_types)
      ORDER BY ev.sequence
      ON CONFLICT (endpoint_id, event_id) DO NOTHING
      RETURNING delivery_id
    )
    UPDATE webhook_endpoints e SET
      missed_after = CASE WHEN held.piece_until < held.missed_until THEN held.piece_until END,
      missed_until = CASE WHEN held.piece_until < held.missed_until THEN held.missed_until END
    FROM held WHERE e.endpoint_id = held.endpoint_id
    RETURNING (SELECT count(*)::integer FROM begun) AS begun, e.missed_after IS NOT NULL AS more`,
};

const missedAtOnce = 2_000;

/** Sends the events that a resume without replay skipped. Returns how many. */
export async function replayMissed(
  executor: Executor,
  applicationId: string,
  endpointId: string,
): Promise<number> {
  let replayed = 0;
  for (;;) {
    const values = [applicationId, endpointId, missedAtOnce];
    const [piece] = await executor.query<{ begun: number; more: boolean }>(
      replayMissedStatement,
      values,
    );
    replayed += piece?.begun ?? 0;
    if (!piece?.more) return replayed;
  }
}
