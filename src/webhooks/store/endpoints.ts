import { randomUUIDv7 } from 'node:crypto';
import type { EventType } from '../../contract/events.ts';
import { portalLimits } from '../../contract/portal/limits.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { hasRow, manyRows } from '../../platform/postgres/statement-functions.ts';
import { isFailed } from './delivery-states.ts';
import { sealedSecret } from './endpoint-secrets.ts';

export type WebhookEndpointState = 'active' | 'paused' | 'disabled';
export type WebhookStateReason = 'by_hand' | 'failing' | 'gone';

/** An endpoint of an application, with its state. */
export interface WebhookEndpoint {
  endpointId: string;
  applicationId: string;
  url: string;
  description: string;
  /** Null: all types. */
  eventTypes: readonly EventType[] | null;
  state: WebhookEndpointState;
  /** Null: it is active. */
  stateReason: WebhookStateReason | null;
  stateSince: EpochMs;
  /** The first failure since the last success. Null: the last attempt succeeded. */
  failingSince: EpochMs | null;
  /** The number of events that were skipped, or that wait until it is resumed; counted up to a bound. */
  missed: number;
  /** Deliveries that failed and are tried again; counted up to a bound. */
  retrying: number;
  /** Deliveries that were given up; counted up to a bound. */
  exhausted: number;
  /** Until when the previous secret also signs. */
  previousSecretUntil: EpochMs | null;
  createdAt: EpochMs;
  updatedAt: EpochMs;
}

/** What a resume does with the events of the pause. */
export type MissedEvents = 'replay' | 'skip';

interface EndpointRow {
  endpoint_id: string;
  application_id: string;
  url: string;
  description: string;
  event_types: EventType[] | null;
  state: WebhookEndpointState;
  state_reason: WebhookStateReason | null;
  state_since: EpochMs;
  failing_since: EpochMs | null;
  missed: number;
  retrying: number;
  exhausted: number;
  previous_until: EpochMs | null;
  created_at: EpochMs;
  updated_at: EpochMs;
}

const countedAtMost = portalLimits.missedCountedAtMost;

// Events behind the cursor of an active endpoint are on their way; those of another wait. Sequences have
// no gaps, so their difference is the number of events, with any index that the planner takes. With `OFFSET 0`,
// each event's delivery is looked up separately.
const missedColumn = `(SELECT least(coalesce(sum(counted.events), 0), ${countedAtMost})::integer
  FROM (
      SELECT sequence - 1 AS swept FROM events WHERE application_id = e.application_id
      ORDER BY created_at, sequence LIMIT 1) oldest
    CROSS JOIN LATERAL (
      SELECT greatest(e.fanned_out_to, oldest.swept) AS after, c.last_sequence AS until
      FROM event_counters c WHERE c.application_id = e.application_id AND e.state <> 'active'
      UNION ALL
      SELECT greatest(e.missed_after, oldest.swept), e.missed_until
      WHERE e.missed_after IS NOT NULL) range
    CROSS JOIN LATERAL (
      SELECT greatest(count(*), (range.until > range.after + ${countedAtMost})::integer) AS events
      FROM events ev
      WHERE ev.application_id = e.application_id AND ev.sequence > range.after
        AND ev.sequence <= least(range.until, range.after + ${countedAtMost})
        AND (e.event_types IS NULL OR ev.type = ANY (e.event_types))
        AND NOT EXISTS (SELECT FROM webhook_deliveries d
          WHERE d.event_id = ev.event_id AND d.endpoint_id = e.endpoint_id OFFSET 0)) counted
  ) AS missed`;

// `OFFSET 0` keeps the planner from an index of all deliveries in this state.
const failedColumn = (name: string, state: string): string => `(SELECT count(*)::integer
  FROM (SELECT '${state}' AS state OFFSET 0) counted CROSS JOIN LATERAL (
    SELECT FROM webhook_deliveries d
    WHERE d.endpoint_id = e.endpoint_id AND d.state = counted.state AND ${isFailed}
    LIMIT ${portalLimits.failedCountedAtMost}) failed) AS ${name}`;

const columns = `e.endpoint_id, e.application_id, e.url, e.description, e.event_types, e.state,
  e.state_reason, e.state_since, e.failing_since, e.created_at, e.updated_at,
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS previous_until,
  ${missedColumn},
  ${failedColumn('retrying', 'pending')},
  ${failedColumn('exhausted', 'exhausted')}`;

const endpointOf = (row: EndpointRow): WebhookEndpoint => ({
  endpointId: row.endpoint_id,
  applicationId: row.application_id,
  url: row.url,
  description: row.description,
  eventTypes: row.event_types,
  state: row.state,
  stateReason: row.state_reason,
  stateSince: row.state_since,
  failingSince: row.failing_since,
  missed: row.missed,
  retrying: row.retrying,
  exhausted: row.exhausted,
  previousSecretUntil: row.previous_until,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

async function endpointFrom(
  executor: Executor,
  statement: Statement,
  values: readonly unknown[],
): Promise<WebhookEndpoint | undefined> {
  const [row] = await executor.query<EndpointRow>(statement, values);
  return row && endpointOf(row);
}

const insertStatement: Statement = {
  name: 'insert-webhook-endpoint',
  text: `INSERT INTO webhook_endpoints AS e
      (endpoint_id, application_id, url, description, event_types, secret_sealed, fanned_out_to)
    SELECT $2, $1, $3, $4, $5, $6, last_sequence FROM event_counters WHERE application_id = $1
    RETURNING ${columns}`,
};

/** Adds an endpoint. It receives events from now on. */
export async function insertWebhookEndpoint(
  executor: Executor,
  endpoint: {
    applicationId: string;
    url: string;
    description: string;
    eventTypes: readonly EventType[] | null;
    secret: string;
  },
): Promise<WebhookEndpoint> {
  const endpointId = randomUUIDv7();
  const inserted = await endpointFrom(executor, insertStatement, [
    endpoint.applicationId,
    endpointId,
    endpoint.url,
    endpoint.description,
    endpoint.eventTypes,
    sealedSecret(executor, endpointId, endpoint.secret),
  ]);
  if (!inserted) throw new Error(`there is no application ${endpoint.applicationId}`);
  return inserted;
}

/** Lists the endpoints of an application, oldest first. */
export const listWebhookEndpoints = manyRows<[applicationId: string], EndpointRow, WebhookEndpoint>(
  {
    name: 'list-webhook-endpoints',
    text: `SELECT ${columns} FROM webhook_endpoints e
    WHERE e.application_id = $1 AND e.deleted_at IS NULL ORDER BY e.created_at, e.endpoint_id`,
    result: endpointOf,
  },
);

const findStatement: Statement = {
  name: 'find-webhook-endpoint',
  text: `SELECT ${columns} FROM webhook_endpoints e
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL`,
};

/** Reads an endpoint of the application. */
export const findWebhookEndpoint = (
  executor: Executor,
  applicationId: string,
  endpointId: string,
): Promise<WebhookEndpoint | undefined> =>
  endpointFrom(executor, findStatement, [applicationId, endpointId]);

// A changed URL resets the failures.
const updateStatement: Statement = {
  name: 'update-webhook-endpoint',
  text: `UPDATE webhook_endpoints e SET url = coalesce($3, e.url),
      description = coalesce($4, e.description),
      event_types = CASE WHEN $5 THEN $6::text[] ELSE e.event_types END,
      failing_since = CASE WHEN $3 <> e.url THEN NULL ELSE e.failing_since END, updated_at = now()
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
    RETURNING ${columns}`,
};

/** Changes the given members. `eventTypes: null` means all types. */
export const updateWebhookEndpoint = (
  executor: Executor,
  applicationId: string,
  endpointId: string,
  change: {
    url?: string | undefined;
    description?: string | undefined;
    eventTypes?: readonly EventType[] | null | undefined;
  },
): Promise<WebhookEndpoint | undefined> =>
  endpointFrom(executor, updateStatement, [
    applicationId,
    endpointId,
    change.url,
    change.description,
    change.eventTypes !== undefined,
    change.eventTypes,
  ]);

/** Marks an endpoint and its deliveries as deleted. A background task removes the rows. */
export const deleteWebhookEndpoint = hasRow<[applicationId: string, endpointId: string]>({
  name: 'delete-webhook-endpoint',
  text: `UPDATE webhook_endpoints SET deleted_at = now()
    WHERE endpoint_id = $2 AND application_id = $1 AND deleted_at IS NULL RETURNING endpoint_id`,
});

const pauseStatement: Statement = {
  name: 'pause-webhook-endpoint',
  text: `UPDATE webhook_endpoints e SET state = CASE e.state WHEN 'active' THEN 'paused' ELSE e.state END,
      state_reason = CASE e.state WHEN 'active' THEN 'by_hand' ELSE e.state_reason END,
      state_since = CASE e.state WHEN 'active' THEN now() ELSE e.state_since END
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
    RETURNING ${columns}`,
};

/** Pauses an endpoint. An endpoint that is not active is not changed. */
export const pauseWebhookEndpoint = (
  executor: Executor,
  applicationId: string,
  endpointId: string,
): Promise<WebhookEndpoint | undefined> =>
  endpointFrom(executor, pauseStatement, [applicationId, endpointId]);

// The events skipped now and before form one range; events between that were delivered are not sent again.
const resumeStatement: Statement = {
  name: 'resume-webhook-endpoint',
  text: `UPDATE webhook_endpoints e SET state = 'active', state_reason = NULL, state_since = now(),
      failing_since = NULL,
      missed_after = CASE WHEN $3 THEN coalesce(e.missed_after, e.fanned_out_to) ELSE e.missed_after END,
      missed_until = CASE WHEN $3 THEN c.last_sequence ELSE e.missed_until END,
      fanned_out_to = CASE WHEN $3 THEN c.last_sequence ELSE e.fanned_out_to END
    FROM event_counters c
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
      AND e.state <> 'active' AND c.application_id = e.application_id
    RETURNING ${columns}`,
};

/** Resumes an endpoint and resets its failures. An active endpoint is not changed. */
export async function resumeWebhookEndpoint(
  executor: Executor,
  applicationId: string,
  endpointId: string,
  missed: MissedEvents,
): Promise<WebhookEndpoint | undefined> {
  const values = [applicationId, endpointId, missed === 'skip'];
  const resumed = await endpointFrom(executor, resumeStatement, values);
  return resumed ?? findWebhookEndpoint(executor, applicationId, endpointId);
}
