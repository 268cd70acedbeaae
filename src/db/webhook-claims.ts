import type { EventType } from '../contract/events.ts';
import type { EpochMs } from '../domain/booking.ts';
import type { Executor, Statement } from './database.ts';
import { openSecrets, secretColumns, type SealedSecretsRow } from './webhook-endpoints.ts';

/** An endpoint that is active, as a worker keeps it in mind. */
export interface ActiveEndpoint {
  endpointId: string;
  applicationId: string;
  /** Its last attempt failed. */
  failing: boolean;
  /** Whether something is due or lies behind its cursor. */
  behind: boolean;
}

const activeStatement: Statement = {
  name: 'list-active-endpoints',
  text: `SELECT e.endpoint_id, e.application_id, e.failing_since IS NOT NULL AS failing,
      c.last_sequence > e.fanned_out_to OR EXISTS (
        SELECT FROM webhook_deliveries d WHERE d.endpoint_id = e.endpoint_id AND d.state = 'pending'
          AND d.leased = ANY ('{false,true}') AND d.due_at <= now()) AS behind
    FROM webhook_endpoints e
    JOIN event_counters c ON c.application_id = e.application_id
    JOIN applications a ON a.application_id = e.application_id
    WHERE e.state = 'active' AND e.deleted_at IS NULL AND a.suspended_at IS NULL`,
};

interface ActiveRow {
  endpoint_id: string;
  application_id: string;
  failing: boolean;
  behind: boolean;
}

/** Every endpoint that may be sent something, of applications in good standing. */
export async function listActiveEndpoints(executor: Executor): Promise<ActiveEndpoint[]> {
  const rows = await executor.query<ActiveRow>(activeStatement);
  return rows.map((row) => ({
    endpointId: row.endpoint_id,
    applicationId: row.application_id,
    failing: row.failing,
    behind: row.behind,
  }));
}

/** An attempt that a worker has taken up. Its lease ends by itself. */
export interface WebhookClaim {
  deliveryId: string;
  endpointId: string;
  applicationId: string;
  fence: number;
  url: string;
  /** The present one first. */
  secrets: readonly string[];
  /** Whether the last attempt at this endpoint failed. */
  failing: boolean;
  /** That have failed in this round, before this one. */
  failedAttempts: number;
  /** When the attempt begins. */
  present: EpochMs;
  event: {
    eventId: string;
    type: EventType;
    sequence: number | null;
    data: Record<string, unknown>;
    createdAt: EpochMs;
  };
}

/** An endpoint that was looked at. */
export interface LookedAt {
  endpointId: string;
  /** There may be more than there was room for. */
  more: boolean;
  /** There was room, and the way to the end of the events is longer than one look. */
  lookAgain: boolean;
}

type ClaimRow = SealedSecretsRow & {
  application_id: string;
  url: string;
  failing: boolean;
  more: boolean;
  look_again: boolean;
  present: EpochMs;
  delivery_id: string | null;
  fence: number;
  attempts: number;
  event_id: string;
  event_type: EventType;
  sequence: number | null;
  data: Record<string, unknown>;
  happened_at: EpochMs;
};

/** How much of an endpoint is under way at once, and for how long a claim holds. */
export interface ClaimRules {
  inFlight: number;
  inFlightFailing: number;
  leaseSeconds: number;
  /** Events of the feed's window are sent. */
  windowDays: number;
}

const cursorStride = 1_000;

// Whoever holds the endpoint's row counts what is in flight. The count is as old as the statement, the
// row as new as its lock: if somebody else has claimed between the two, `claims` differs, and the endpoint
// is left to the next look. What waits is not taken from whoever has it locked: nobody waits here.
// The claim need not survive a crash of PostgreSQL: what is lost with it is sent once more.
const claimStatement: Statement = {
  name: 'claim-webhooks',
  text: `WITH held AS (
      SELECT ${secretColumns}, e.application_id, e.url, e.event_types, e.failing_since,
        e.fanned_out_to, e.claims
      FROM webhook_endpoints e JOIN applications a ON a.application_id = e.application_id
      WHERE e.endpoint_id = ANY ($1::uuid[]) AND e.state = 'active' AND e.deleted_at IS NULL
        AND a.suspended_at IS NULL
      FOR NO KEY UPDATE OF e SKIP LOCKED
    ), counted AS (
      SELECT held.*, c.last_sequence, greatest(0, least(asked.at_most,
        CASE WHEN held.failing_since IS NULL THEN $3::integer ELSE $4::integer END - (
          SELECT count(*)::integer FROM webhook_deliveries d WHERE d.endpoint_id = held.endpoint_id
            AND d.state = 'pending' AND d.leased AND d.due_at > now()))) AS room
      FROM held
      JOIN unnest($1::uuid[], $2::integer[]) AS asked (endpoint_id, at_most)
        ON asked.endpoint_id = held.endpoint_id
      JOIN webhook_endpoints seen ON seen.endpoint_id = held.endpoint_id AND seen.claims = held.claims
      JOIN event_counters c ON c.application_id = held.application_id
    ), lost AS (
      SELECT d.* FROM counted CROSS JOIN LATERAL (
        SELECT w.delivery_id, w.endpoint_id, w.attempts_begun, w.last_attempt_at, w.due_at
        FROM webhook_deliveries w
        WHERE w.endpoint_id = counted.endpoint_id AND w.state = 'pending' AND w.leased
          AND w.due_at <= now() AND (w.test_event IS NOT NULL
            OR EXISTS (SELECT FROM events ev WHERE ev.event_id = w.event_id))
        ORDER BY w.due_at, w.sequence LIMIT counted.room FOR UPDATE SKIP LOCKED) d
    ), ripe AS (
      SELECT d.* FROM counted CROSS JOIN LATERAL (
        SELECT w.delivery_id, w.endpoint_id FROM webhook_deliveries w
        WHERE w.endpoint_id = counted.endpoint_id AND w.state = 'pending' AND NOT w.leased
          AND w.due_at <= now() AND (w.test_event IS NOT NULL
            OR EXISTS (SELECT FROM events ev WHERE ev.event_id = w.event_id))
        ORDER BY w.due_at, w.sequence LIMIT counted.room - (
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
      FROM (SELECT delivery_id FROM lost UNION ALL SELECT delivery_id FROM ripe) due
      WHERE d.delivery_id = due.delivery_id
      RETURNING d.*
    ), filled AS (
      SELECT counted.*, counted.room - (SELECT count(*) FROM again
        WHERE again.endpoint_id = counted.endpoint_id) AS left_over
      FROM counted
    ), fresh AS (
      SELECT filled.endpoint_id, filled.application_id, ev.*
      FROM filled CROSS JOIN LATERAL (
        SELECT sequence, event_id, type, data, created_at FROM events
        WHERE application_id = filled.application_id AND sequence > filled.fanned_out_to
          AND sequence <= filled.fanned_out_to + ${cursorStride}
          AND created_at > now() - make_interval(days => $6)
          AND (filled.event_types IS NULL OR type = ANY (filled.event_types))
        ORDER BY sequence LIMIT filled.left_over) ev
    ), begun AS (
      INSERT INTO webhook_deliveries (endpoint_id, application_id, event_id, event_type, sequence,
        due_at, leased, fence, attempts_begun, last_attempt_at)
      SELECT endpoint_id, application_id, event_id, type, sequence,
        now() + make_interval(secs => $5), true, 1, 1, now()
      FROM fresh ORDER BY sequence
      ON CONFLICT (endpoint_id, event_id) DO NOTHING
      RETURNING delivery_id, endpoint_id, event_id
    ), reached AS (
      SELECT filled.*, CASE
          WHEN taken.events = filled.left_over THEN coalesce(taken.upto, filled.fanned_out_to)
          ELSE greatest(filled.fanned_out_to,
            least(filled.last_sequence, filled.fanned_out_to + ${cursorStride})) END AS cursor,
        filled.room > 0 AND (filled.left_over < filled.room OR taken.events > 0) AS took
      FROM filled CROSS JOIN LATERAL (
        SELECT count(*) AS events, max(sequence) AS upto FROM fresh
        WHERE fresh.endpoint_id = filled.endpoint_id) taken
    ), moved AS (
      UPDATE webhook_endpoints e SET fanned_out_to = reached.cursor, claims = e.claims + 1
      FROM reached WHERE e.endpoint_id = reached.endpoint_id
        AND (reached.took OR reached.cursor <> reached.fanned_out_to)
    ), taken AS (
      SELECT again.endpoint_id, again.delivery_id, again.fence, again.attempts, again.event_id,
        again.event_type, again.sequence, coalesce(again.test_event, ev.data) AS data,
        CASE WHEN again.test_event IS NULL THEN ev.created_at ELSE again.created_at END AS happened_at,
        false AS is_new
      FROM again LEFT JOIN events ev ON ev.event_id = again.event_id
      UNION ALL
      SELECT begun.endpoint_id, begun.delivery_id, 1, 0, fresh.event_id, fresh.type, fresh.sequence,
        fresh.data, fresh.created_at, true
      FROM begun JOIN fresh ON fresh.endpoint_id = begun.endpoint_id AND fresh.event_id = begun.event_id
    )
    SELECT r.endpoint_id, r.application_id, r.url, r.secret_sealed, r.previous_sealed,
      r.previous_until, r.failing_since IS NOT NULL AS failing, now() AS present,
      set_config('synchronous_commit', 'off', true),
      number.taken >= r.room AS more,
      number.taken < r.room AND r.cursor < r.last_sequence AS look_again,
      t.delivery_id, t.fence, t.attempts, t.event_id, t.event_type, t.sequence, t.data, t.happened_at
    FROM reached r
    CROSS JOIN LATERAL (
      SELECT count(*) AS taken FROM taken WHERE taken.endpoint_id = r.endpoint_id) number
    LEFT JOIN taken t ON t.endpoint_id = r.endpoint_id
    ORDER BY t.is_new, t.sequence`,
};

const claimOf = (row: ClaimRow, secrets: readonly string[], deliveryId: string): WebhookClaim => ({
  deliveryId,
  endpointId: row.endpoint_id,
  applicationId: row.application_id,
  fence: row.fence,
  url: row.url,
  secrets,
  failing: row.failing,
  failedAttempts: row.attempts,
  present: row.present,
  event: {
    eventId: row.event_id,
    type: row.event_type,
    sequence: row.sequence,
    data: row.data,
    createdAt: row.happened_at,
  },
});

/** What a look at some endpoints took up. One that another worker holds is in neither list. */
export interface ClaimedWebhooks {
  claims: WebhookClaim[];
  looked: LookedAt[];
}

/**
 * Takes up what is due at these endpoints, and what lies behind their cursors, in the order of events; for
 * each endpoint no more than there is room for, and than the number beside it.
 */
export async function claimWebhooks(
  executor: Executor,
  endpoints: ReadonlyMap<string, number>,
  rules: ClaimRules,
): Promise<ClaimedWebhooks> {
  const rows = await executor.query<ClaimRow>(claimStatement, [
    [...endpoints.keys()],
    [...endpoints.values()],
    rules.inFlight,
    rules.inFlightFailing,
    rules.leaseSeconds,
    rules.windowDays,
  ]);
  const looked = new Map<string, LookedAt>();
  const secrets = new Map<string, readonly string[]>();
  const claims: WebhookClaim[] = [];
  for (const row of rows) {
    const id = row.endpoint_id;
    looked.set(id, { endpointId: id, more: row.more, lookAgain: row.look_again });
    if (row.delivery_id === null) continue;
    if (!secrets.has(id)) secrets.set(id, inForce(executor, row));
    claims.push(claimOf(row, secrets.get(id)!, row.delivery_id));
  }
  return { claims, looked: [...looked.values()] };
}

function inForce(executor: Executor, row: SealedSecretsRow): readonly string[] {
  const { secret, previous } = openSecrets(executor, row);
  return previous === null ? [secret] : [secret, previous.secret];
}
