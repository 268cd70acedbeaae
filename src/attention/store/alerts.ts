/** What the operator was told of the list, and what is still to be told. */
import type { EpochMs } from '../../contract/time.ts';
import { manyRows, noRows, theValue } from '../../platform/postgres/statement-functions.ts';
import type { AttentionItem } from './waiting.ts';

/** An alert that this process sends until the lease ends. */
export interface AlertClaim {
  itemId: string;
  type: 'opened' | 'closed';
  kind: string;
  subject: string;
  item: object;
  attempts: number;
  now: EpochMs;
}

/** Notes which items are new, and which wait no more. Returns how many there are of both. */
export const followAttention = theValue<[items: readonly AttentionItem[]], number>({
  name: 'follow-attention',
  // An item that closes before anybody was told of it is told as opened first; what is told next follows from the row.
  text: `WITH waiting AS (
      SELECT * FROM json_to_recordset($1) AS one(kind text, subject text, item json)
    ), closed AS (
      UPDATE attention_items a SET closed_at = now(),
        telling = coalesce(a.telling, 'closed'), due_at = coalesce(a.due_at, now())
      WHERE a.closed_at IS NULL
        AND NOT EXISTS (SELECT FROM waiting w WHERE w.kind = a.kind AND w.subject = a.subject)
      RETURNING item_id
    ), opened AS (
      INSERT INTO attention_items (kind, subject, item)
      SELECT kind, subject, item FROM waiting
      ON CONFLICT (kind, subject) WHERE closed_at IS NULL DO NOTHING
      RETURNING item_id
    )
    SELECT (SELECT count(*) FROM closed) + (SELECT count(*) FROM opened) AS changes`,
  values: (items) => [
    JSON.stringify(
      items.map(({ kind, subject, ...item }) => {
        const { guest: _guest, phone: _phone, ...kept } = item;
        return { kind, subject, item: kept };
      }),
    ),
  ],
});

/** Claims due alerts; no other process gets them until the lease ends. */
export const claimAlerts = manyRows<[atMost: number, leaseSeconds: number], AlertClaim>({
  name: 'claim-alerts',
  text: `UPDATE attention_items SET due_at = now() + make_interval(secs => $2), attempts = attempts + 1
    WHERE item_id = ANY (ARRAY(
      SELECT item_id FROM attention_items WHERE due_at <= now()
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING item_id AS "itemId", telling AS type, kind, subject, item, attempts, now() AS now`,
});

/** Writes what became of an alert: it was taken, or in how many seconds it is sent again. */
export const writeAlertResult = noRows<
  [alertClaim: Pick<AlertClaim, 'itemId' | 'type'>, problem: string | null, againInSeconds: number]
>({
  name: 'write-alert-result',
  text: `UPDATE attention_items SET problem = $3, attempts = CASE WHEN $3::text IS NULL THEN 0 ELSE attempts END,
      telling = CASE WHEN $3::text IS NOT NULL THEN telling
        WHEN telling = 'opened' AND closed_at IS NOT NULL THEN 'closed' END,
      due_at = CASE WHEN $3::text IS NOT NULL THEN now() + make_interval(secs => $4)
        WHEN telling = 'opened' AND closed_at IS NOT NULL THEN now() END
    WHERE item_id = $1 AND telling = $2`,
  values: ({ itemId, type }, problem, againInSeconds) => [itemId, type, problem, againInSeconds],
});
