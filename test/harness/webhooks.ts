/** Endpoints and events, written directly into the database. */
import type { EventType } from '../../src/contract/events.ts';
import { exampleEvents } from '../../src/contract/example-events.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { insertWebhookEndpoint } from '../../src/webhooks/store/endpoints.ts';
import { newWebhookSecret } from '../../src/platform/sending/signature.ts';
import { sql } from './rows.ts';

/** An endpoint with its application and secret. */
export interface OwnEndpoint {
  applicationId: string;
  endpointId: string;
  secret: string;
}

/** Adds an endpoint, of all types unless some are named. */
export async function addEndpoint(
  database: Executor,
  applicationId: string,
  url: string,
  eventTypes: EventType[] | null = null,
): Promise<OwnEndpoint> {
  const secret = newWebhookSecret();
  const endpoint = { applicationId, url, description: '', eventTypes, secret };
  const { endpointId } = await insertWebhookEndpoint(database, endpoint);
  return { applicationId, endpointId, secret };
}

const writeText = `WITH counter AS (
    UPDATE event_counters SET last_sequence = last_sequence + $2 WHERE application_id = $1
    RETURNING last_sequence
  ), emitted AS (
    INSERT INTO events (application_id, sequence, type, data, created_at)
    SELECT $1, last_sequence - $2 + n, $3, $4::json, clock_timestamp()
    FROM counter, generate_series(1, $2) n
  )
  SELECT last_sequence FROM counter`;

/** Writes events in the order of their application, with the data of the contract's example. Returns the sequence of the last. */
export async function writeEvents(
  database: Executor,
  applicationId: string,
  count = 1,
  type: EventType = 'reservation.confirmed',
): Promise<number> {
  const values = [applicationId, count, type, exampleEvents[type].data];
  const [row] = await sql<{ last_sequence: number }>(database, writeText, values);
  return row!.last_sequence;
}

const deliveriesText = `INSERT INTO webhook_deliveries (endpoint_id, application_id, event_id, event_type,
    sequence, state, due_at, delivered_at, attempts, attempts_begun, last_attempt_at, last_status, last_error)
  SELECT $2, $1, event_id, type, sequence, state, CASE state WHEN 'pending' THEN now() END,
    CASE state WHEN 'delivered' THEN now() END, 2, 2, now() - interval '90 seconds',
    CASE state WHEN 'delivered' THEN 200 ELSE 500 END, CASE WHEN state <> 'delivered' THEN 'status' END
  FROM events JOIN unnest($3::text[]) WITH ORDINALITY wanted (state, ordinal)
    ON sequence = $4 - cardinality($3::text[]) + ordinal
  WHERE application_id = $1`;

/** Writes events whose deliveries were attempted twice and are in these states: `pending`, `delivered`, `exhausted`. */
export async function writeDeliveries(
  database: Executor,
  { applicationId, endpointId }: Pick<OwnEndpoint, 'applicationId' | 'endpointId'>,
  states: readonly ('pending' | 'delivered' | 'exhausted')[],
): Promise<void> {
  const last = await writeEvents(database, applicationId, states.length);
  await sql(database, deliveriesText, [applicationId, endpointId, states, last]);
}

/** Moves the due times of an endpoint's deliveries into the past. */
export const passTime = (database: Executor, endpointId: string, seconds: number) =>
  sql(
    database,
    `UPDATE webhook_deliveries SET due_at = due_at - make_interval(secs => $2) WHERE endpoint_id = $1`,
    [endpointId, seconds],
  );
