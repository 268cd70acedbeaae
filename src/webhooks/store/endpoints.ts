import { randomUUIDv7 } from 'node:crypto';
import type { EventType } from '../../contract/events.ts';
import { portalLimits } from '../../contract/portal/limits.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { hasRow, manyRows, oneRow } from '../../platform/postgres/statement-functions.ts';
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

const columns = `e.endpoint_id AS "endpointId", e.application_id AS "applicationId", e.url, e.description,
  e.event_types AS "eventTypes", e.state, e.state_reason AS "stateReason", e.state_since AS "stateSince",
  e.failing_since AS "failingSince", e.created_at AS "createdAt", e.updated_at AS "updatedAt",
  CASE WHEN e.previous_secret_until > now() THEN e.previous_secret_until END AS "previousSecretUntil",
  ${missedColumn},
  ${failedColumn('retrying', 'pending')},
  ${failedColumn('exhausted', 'exhausted')}`;

/** An endpoint to add. */
interface NewEndpoint extends Pick<
  WebhookEndpoint,
  'applicationId' | 'url' | 'description' | 'eventTypes'
> {
  secret: string;
}

const insertWithId = oneRow<
  [endpoint: NewEndpoint, endpointId: string, sealed: Buffer],
  WebhookEndpoint
>({
  name: 'insert-webhook-endpoint',
  text: `INSERT INTO webhook_endpoints AS e
      (endpoint_id, application_id, url, description, event_types, secret_sealed, fanned_out_to)
    SELECT $2, $1, $3, $4, $5, $6, last_sequence FROM event_counters WHERE application_id = $1
    RETURNING ${columns}`,
  values: ({ applicationId, url, description, eventTypes }, endpointId, sealed) => [
    applicationId,
    endpointId,
    url,
    description,
    eventTypes,
    sealed,
  ],
});

/** Adds an endpoint. It receives events from now on. */
export async function insertWebhookEndpoint(
  executor: Executor,
  endpoint: NewEndpoint,
): Promise<WebhookEndpoint> {
  const endpointId = randomUUIDv7();
  const sealed = sealedSecret(executor, endpointId, endpoint.secret);
  const inserted = await insertWithId(executor, endpoint, endpointId, sealed);
  if (!inserted) throw new Error(`there is no application ${endpoint.applicationId}`);
  return inserted;
}

/** Lists the endpoints of an application, oldest first. */
export const listWebhookEndpoints = manyRows<[applicationId: string], WebhookEndpoint>({
  name: 'list-webhook-endpoints',
  text: `SELECT ${columns} FROM webhook_endpoints e
    WHERE e.application_id = $1 AND e.deleted_at IS NULL ORDER BY e.created_at, e.endpoint_id`,
});

/** Reads an endpoint of the application. */
export const findWebhookEndpoint = oneRow<
  [applicationId: string, endpointId: string],
  WebhookEndpoint
>({
  name: 'find-webhook-endpoint',
  text: `SELECT ${columns} FROM webhook_endpoints e
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL`,
});

/** What is changed of an endpoint. `eventTypes: null` means all types. */
type ChangedEndpoint = {
  [Member in 'url' | 'description' | 'eventTypes']?: WebhookEndpoint[Member] | undefined;
};

/** Changes the given members. A changed URL resets the failures. */
export const updateWebhookEndpoint = oneRow<
  [applicationId: string, endpointId: string, change: ChangedEndpoint],
  WebhookEndpoint
>({
  name: 'update-webhook-endpoint',
  text: `UPDATE webhook_endpoints e SET url = coalesce($3, e.url),
      description = coalesce($4, e.description),
      event_types = CASE WHEN $5 THEN $6::text[] ELSE e.event_types END,
      failing_since = CASE WHEN $3 <> e.url THEN NULL ELSE e.failing_since END, updated_at = now()
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
    RETURNING ${columns}`,
  values: (applicationId, endpointId, { url, description, eventTypes }) => [
    applicationId,
    endpointId,
    url,
    description,
    eventTypes !== undefined,
    eventTypes,
  ],
});

/** Marks an endpoint and its deliveries as deleted. A background task removes the rows. */
export const deleteWebhookEndpoint = hasRow<[applicationId: string, endpointId: string]>({
  name: 'delete-webhook-endpoint',
  text: `UPDATE webhook_endpoints SET deleted_at = now()
    WHERE endpoint_id = $2 AND application_id = $1 AND deleted_at IS NULL RETURNING endpoint_id`,
});

/** Pauses an endpoint. An endpoint that is not active is not changed. */
export const pauseWebhookEndpoint = oneRow<
  [applicationId: string, endpointId: string],
  WebhookEndpoint
>({
  name: 'pause-webhook-endpoint',
  text: `UPDATE webhook_endpoints e SET state = CASE e.state WHEN 'active' THEN 'paused' ELSE e.state END,
      state_reason = CASE e.state WHEN 'active' THEN 'by_hand' ELSE e.state_reason END,
      state_since = CASE e.state WHEN 'active' THEN now() ELSE e.state_since END
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
    RETURNING ${columns}`,
});

const resume = oneRow<[applicationId: string, endpointId: string, skips: boolean], WebhookEndpoint>(
  {
    name: 'resume-webhook-endpoint',
    // The events skipped now and before form one range; events between that were delivered are not sent again.
    text: `UPDATE webhook_endpoints e SET state = 'active', state_reason = NULL, state_since = now(),
      failing_since = NULL,
      missed_after = CASE WHEN $3 THEN coalesce(e.missed_after, e.fanned_out_to) ELSE e.missed_after END,
      missed_until = CASE WHEN $3 THEN c.last_sequence ELSE e.missed_until END,
      fanned_out_to = CASE WHEN $3 THEN c.last_sequence ELSE e.fanned_out_to END
    FROM event_counters c
    WHERE e.endpoint_id = $2 AND e.application_id = $1 AND e.deleted_at IS NULL
      AND e.state <> 'active' AND c.application_id = e.application_id
    RETURNING ${columns}`,
  },
);

/** Resumes an endpoint and resets its failures. An active endpoint is not changed. */
export async function resumeWebhookEndpoint(
  executor: Executor,
  applicationId: string,
  endpointId: string,
  missed: MissedEvents,
): Promise<WebhookEndpoint | undefined> {
  const resumed = await resume(executor, applicationId, endpointId, missed === 'skip');
  return resumed ?? findWebhookEndpoint(executor, applicationId, endpointId);
}
