import { effectsOf } from '../../access/index.ts';
import type { EventType } from '../../contract/events.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows } from '../../platform/postgres/statement-functions.ts';
import { isYoungerThan } from '../../platform/postgres/wrong-times.ts';
import { openSecrets, secretColumns, type SealedSecretsRow } from './endpoint-secrets.ts';

/** An active endpoint, as a worker remembers it. */
export interface ActiveEndpoint {
  endpointId: string;
  applicationId: string;
  /** Whether its last attempt failed. */
  failing: boolean;
  /** Whether a delivery is due or an event follows its cursor. */
  behind: boolean;
}

/** Lists the active endpoints of applications that are not suspended. */
export const listActiveEndpoints = manyRows<[], ActiveEndpoint>({
  name: 'list-active-endpoints',
  text: `SELECT e.endpoint_id AS "endpointId", e.application_id AS "applicationId",
      e.failing_since IS NOT NULL AS failing,
      c.last_sequence > e.fanned_out_to OR EXISTS (
        SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.endpoint_id AND d.state = 'pending'
          AND d.leased = ANY ('{false,true}') AND d.due_at <= now()) AS behind
    FROM webhook_endpoints e
    JOIN event_counters c ON c.application_id = e.application_id
    JOIN applications a ON a.application_id = e.application_id
    WHERE e.state = 'active' AND e.deleted_at IS NULL AND a.suspended_at IS NULL`,
});

/** A claimed delivery. Its lease expires by itself. */
export interface WebhookClaim {
  deliveryId: string;
  endpointId: string;
  applicationId: string;
  fence: number;
  url: string;
  /** The signing secrets, the current one first. Empty: see `secretError`. */
  secrets: readonly string[];
  /** Why the secret cannot be opened, so that nothing can be sent. Null: it can. */
  secretError: unknown;
  /** Whether the last attempt at this endpoint failed. */
  failing: boolean;
  /** Failed attempts of this round before this one. */
  failedAttempts: number;
  /** The start time of the attempt. */
  now: EpochMs;
  event: {
    eventId: string;
    type: EventType;
    sequence: number | null;
    data: Record<string, unknown>;
    createdAt: EpochMs;
  };
}

/** An endpoint for which a claim was made. */
export interface ExaminedEndpoint {
  endpointId: string;
  /** Whether more may be due than there were slots. */
  more: boolean;
  /** Whether slots are free and the cursor has not reached the end of the events. */
  claimAgain: boolean;
}

/** The rows of the examined endpoints come first, then their claimed deliveries. */
type EndpointRow = SealedSecretsRow & {
  delivery_id: null;
  application_id: string;
  url: string;
  failing: boolean;
  slots: number;
  /** Whether the cursor has not reached the end of the events. */
  short: boolean;
  now: EpochMs;
};

interface DeliveryRow {
  endpoint_id: string;
  delivery_id: string;
  fence: number;
  attempts: number;
  event_id: string;
  event_type: EventType;
  sequence: number | null;
  data: Record<string, unknown>;
  happened_at: EpochMs;
}

/** The maximum attempts in flight per endpoint, and the lease of a claim. */
export interface ClaimRules {
  inFlight: number;
  inFlightFailing: number;
  leaseSeconds: number;
  /** Only events of the feed's window are sent. */
  windowDays: number;
}

const cursorStride = 1_000;

// The lock on the endpoint's row protects the count of attempts in flight. The count is as old as the
// statement's snapshot, but the locked row is current: if another worker has claimed in between, `claims`
// differs and the endpoint is left to the next claim. SKIP LOCKED avoids waiting for other workers.
// The claim uses an asynchronous commit: if a crash of PostgreSQL loses it, the delivery is sent again.
// Spec: WEBHOOK-9.
const claimStatement: Statement = {
  name: 'claim-webhooks',
  text: `WITH held AS (
      SELECT ${secretColumns}, e.application_id, e.url, e.event_types, e.failing_since,
        e.fanned_out_to, e.claims
      FROM webhook_endpoints e JOIN applications a ON a.application_id = e.application_id
      WHERE e.endpoint_id = ANY ($1::uuid[]) AND e.state = 'active' AND e.deleted_at IS NULL
        AND a.suspended_at IS NULL
        AND (${effectsOf('e.application_id')} -> 'holdsDeliveries') IS NULL
      FOR NO KEY UPDATE OF e SKIP LOCKED
    ), counted AS (
      SELECT held.*, c.last_sequence, greatest(0, least(asked.at_most,
        CASE WHEN held.failing_since IS NULL THEN $3::integer ELSE $4::integer END - (
          SELECT count(*)::integer FROM webhook_deliveries d WHERE d.endpoint_id = held.endpoint_id
            AND d.state = 'pending' AND d.leased AND d.due_at > now()))) AS slots
      FROM held
      JOIN unnest($1::uuid[], $2::integer[]) AS asked (endpoint_id, at_most)
        ON asked.endpoint_id = held.endpoint_id
      JOIN webhook_endpoints seen ON seen.endpoint_id = ANY ($1::uuid[])
        AND seen.endpoint_id = held.endpoint_id AND seen.claims = held.claims
      JOIN event_counters c ON c.application_id = held.application_id
    ), lost AS (
      SELECT d.* FROM counted CROSS JOIN LATERAL (
        SELECT w.delivery_id, w.endpoint_id, w.attempts_begun, w.last_attempt_at, w.due_at
        FROM webhook_deliveries w
        WHERE w.endpoint_id = counted.endpoint_id AND w.state = 'pending' AND w.leased
          AND w.due_at <= now() AND (w.test_event IS NOT NULL
            OR EXISTS (SELECT FROM events ev WHERE ev.event_id = w.event_id))
        ORDER BY w.due_at, w.sequence LIMIT counted.slots FOR UPDATE SKIP LOCKED) d
    ), ripe AS (
      SELECT d.* FROM counted CROSS JOIN LATERAL (
        SELECT w.delivery_id, w.endpoint_id FROM webhook_deliveries w
        WHERE w.endpoint_id = counted.endpoint_id AND w.state = 'pending' AND NOT w.leased
          AND w.due_at <= now() AND (w.test_event IS NOT NULL
            OR EXISTS (SELECT FROM events ev WHERE ev.event_id = w.event_id))
        ORDER BY w.due_at, w.sequence LIMIT counted.slots - (
          SELECT count(*) FROM lost WHERE lost.endpoint_id = counted.endpoint_id)
        FOR UPDATE SKIP LOCKED) d
    ), interrupted AS (
      INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, error)
      SELECT delivery_id, attempts_begun, last_attempt_at,
        extract(epoch FROM due_at - last_attempt_at) * 1000, 'interrupted'
      FROM lost ON CONFLICT DO NOTHING
    ), again AS (
      UPDATE webhook_deliveries d SET leased = true, due_at = now() + make_interval(secs => $5),
        fence = d.fence + 1, attempts_begun = d.attempts_begun + 1, last_attempt_at = now()
      WHERE d.delivery_id = ANY (ARRAY(
        SELECT delivery_id FROM lost UNION ALL SELECT delivery_id FROM ripe))
      RETURNING d.*
    ), filled AS (
      SELECT counted.*, counted.slots - (SELECT count(*) FROM again
        WHERE again.endpoint_id = counted.endpoint_id) AS left_over
      FROM counted
    ), fresh AS (
      SELECT filled.endpoint_id, filled.application_id, ev.*
      FROM filled CROSS JOIN LATERAL (
        SELECT sequence, event_id, type, data, created_at FROM events
        WHERE application_id = filled.application_id AND sequence > filled.fanned_out_to
          AND sequence <= filled.fanned_out_to + ${cursorStride}
          AND ${isYoungerThan('created_at', '$6')}
          AND (filled.event_types IS NULL OR type = ANY (filled.event_types))
        ORDER BY sequence LIMIT filled.left_over) ev
    ), begun AS (
      INSERT INTO webhook_deliveries (endpoint_id, application_id, event_id, event_type, sequence,
        due_at, leased, fence, attempts_begun, last_attempt_at)
      SELECT endpoint_id, application_id, event_id, type, sequence,
        now() + make_interval(secs => $5), true, 1, 1, now()
      FROM fresh ORDER BY sequence
      ON CONFLICT (endpoint_id, event_id) DO NOTHING
      RETURNING *
    ), ends AS (
      SELECT endpoint_id, count(*) AS events, max(sequence) AS upto FROM fresh GROUP BY endpoint_id
    ), reached AS (
      SELECT filled.*, CASE
          WHEN coalesce(ends.events, 0) = filled.left_over
            THEN coalesce(ends.upto, filled.fanned_out_to)
          ELSE greatest(filled.fanned_out_to,
            least(filled.last_sequence, filled.fanned_out_to + ${cursorStride})) END AS cursor,
        filled.left_over < filled.slots OR ends.events IS NOT NULL AS took
      FROM filled LEFT JOIN ends ON ends.endpoint_id = filled.endpoint_id
    ), moved AS (
      UPDATE webhook_endpoints e SET fanned_out_to = reached.cursor, claims = e.claims + 1
      FROM reached WHERE e.endpoint_id = ANY ($1::uuid[]) AND e.endpoint_id = reached.endpoint_id
        AND (reached.took OR reached.cursor <> reached.fanned_out_to)
    ), taken AS MATERIALIZED (
      SELECT t.endpoint_id, t.delivery_id, t.fence, t.attempts, t.event_id, t.event_type, t.sequence,
        coalesce(t.test_event, ev.data) AS data, coalesce(ev.created_at, t.created_at) AS happened_at,
        t.is_new
      FROM (SELECT *, false AS is_new FROM again UNION ALL SELECT *, true FROM begun) t
      LEFT JOIN LATERAL (
        SELECT data, created_at FROM events WHERE event_id = t.event_id LIMIT 1) ev ON true
    )
    SELECT r.endpoint_id, r.application_id, r.url, r.secret_sealed, r.previous_sealed, r.previous_until,
      r.failing_since IS NOT NULL AS failing, r.slots, r.cursor < r.last_sequence AS short, now() AS now,
      set_config('synchronous_commit', 'off', true), NULL::uuid AS delivery_id, NULL::bigint AS fence,
      NULL::integer AS attempts, NULL::uuid AS event_id, NULL AS event_type, NULL::bigint AS sequence,
      NULL::json AS data, NULL::timestamptz AS happened_at, NULL::boolean AS is_new
    FROM reached r
    UNION ALL
    SELECT t.endpoint_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, t.delivery_id,
      t.fence, t.attempts, t.event_id, t.event_type, t.sequence, t.data, t.happened_at, t.is_new
    FROM taken t
    ORDER BY is_new NULLS FIRST, sequence`,
};

type Common = Pick<
  WebhookClaim,
  'endpointId' | 'applicationId' | 'url' | 'secrets' | 'secretError' | 'failing' | 'now'
>;

const commonOf = (executor: Executor, row: EndpointRow): Common => ({
  endpointId: row.endpoint_id,
  applicationId: row.application_id,
  url: row.url,
  ...secretsOf(executor, row),
  failing: row.failing,
  now: row.now,
});

const claimOf = (row: DeliveryRow, common: Common): WebhookClaim => ({
  ...common,
  deliveryId: row.delivery_id,
  fence: row.fence,
  failedAttempts: row.attempts,
  event: {
    eventId: row.event_id,
    type: row.event_type,
    sequence: row.sequence,
    data: row.data,
    createdAt: row.happened_at,
  },
});

/** The result of a claim. An endpoint that another worker has locked is in neither list. */
export interface ClaimedWebhooks {
  claims: WebhookClaim[];
  examined: ExaminedEndpoint[];
}

/**
 * Claims the due deliveries of these endpoints and the events after their cursors, in the order of events. Each
 * endpoint gets at most its free slots and the given number.
 */
export async function claimWebhooks(
  executor: Executor,
  endpoints: ReadonlyMap<string, number>,
  rules: ClaimRules,
): Promise<ClaimedWebhooks> {
  const rows = await executor.query<EndpointRow | DeliveryRow>(claimStatement, [
    [...endpoints.keys()],
    [...endpoints.values()],
    rules.inFlight,
    rules.inFlightFailing,
    rules.leaseSeconds,
    rules.windowDays,
  ]);
  const examined = new Map<string, EndpointRow>();
  const common = new Map<string, Common>();
  const taken = new Map<string, number>();
  const claims: WebhookClaim[] = [];
  for (const row of rows) {
    const id = row.endpoint_id;
    if (row.delivery_id === null) {
      examined.set(id, row);
      continue;
    }
    if (!common.has(id)) common.set(id, commonOf(executor, examined.get(id)!));
    claims.push(claimOf(row, common.get(id)!));
    taken.set(id, (taken.get(id) ?? 0) + 1);
  }
  return {
    claims,
    examined: [...examined].map(([endpointId, { slots, short }]) => {
      const more = (taken.get(endpointId) ?? 0) >= slots;
      return { endpointId, more, claimAgain: !more && short };
    }),
  };
}

/** Opens the secrets of an endpoint. An error does not affect the other endpoints of the claim. */
function secretsOf(
  executor: Executor,
  row: SealedSecretsRow,
): Pick<WebhookClaim, 'secrets' | 'secretError'> {
  try {
    const { secret, previous } = openSecrets(executor, row);
    return { secrets: previous ? [secret, previous.secret] : [secret], secretError: null };
  } catch (error) {
    return { secrets: [], secretError: error };
  }
}
