/** Days on which something falls due at a property: their instants depend on the rules of time zones. */
import type { EpochMs } from '../../contract/time.ts';
import { manyRows, noRows } from '../../platform/postgres/statement-functions.ts';

/** When an account is looked at again, and the zone of its home. */
export interface DueAccount {
  reference: string;
  dueAt: EpochMs;
  timeZone: string | null;
  /** Where the list continues: the due time in full precision. */
  position: string;
}

/** Lists accounts that are due later, after the one given, the earliest first. */
export const listDueLater = manyRows<
  [after: Pick<DueAccount, 'reference' | 'position'> | null, atMost: number],
  DueAccount
>({
  name: 'list-accounts-due-later',
  // A claim moves the due time by its lease of seconds.
  text: `SELECT a.reference, a.due_at AS "dueAt", l.time_zone AS "timeZone",
      a.due_at::text AS position
    FROM (
      SELECT reference, due_at FROM payment_accounts
      WHERE due_at >= greatest($1::timestamptz, now() + interval '5 minutes') AND (due_at, reference) > ($1::timestamptz, $2)
      ORDER BY due_at, reference LIMIT $3) a
    CROSS JOIN LATERAL (SELECT listing_id FROM reservations WHERE reference = a.reference OFFSET 0) r
    LEFT JOIN LATERAL (SELECT time_zone FROM listings WHERE listing_id = r.listing_id OFFSET 0) l ON true
    ORDER BY a.due_at, a.reference`,
  values: (after, atMost) => [after?.position ?? '-infinity', after?.reference ?? '', atMost],
});

/** Makes accounts due now, so that their next day is computed again. */
export const wakeDueLater = noRows<[references: string[]]>({
  name: 'wake-accounts-due-later',
  text: `UPDATE payment_accounts SET due_at = now()
    WHERE reference = ANY ($1) AND due_at > now() + interval '5 minutes'`,
});
