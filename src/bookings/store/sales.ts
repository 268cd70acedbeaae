/** What partners sold: confirmations, and what later changed their prices. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { SaleLine } from '../rules/statement.ts';
import { quoteOfBooking } from './booking-row.ts';

// A confirmation is as its booking was then; the reservation may have changed since.
const statement: Statement = {
  name: 'list-sales',
  text: `SELECT reference, kind, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS on, currency, amount,
      property AS "atProperty"
    FROM (
      SELECT r.reference, 'sold' AS kind, 1 AS version, r.confirmed_at AS at, c.charges ->> 'currency' AS currency,
        (c.charges ->> 'total')::bigint AS amount,
        (c.charges ->> 'total')::bigint - collectable_total(c.charges) AS property
      FROM reservations r
      CROSS JOIN LATERAL (
        SELECT coalesce(b.charges, q.charges) AS charges FROM (
          SELECT * FROM bookings WHERE application_id = r.application_id AND kind = r.kind
            AND booking_id = r.booking_id OFFSET 0) b
        ${quoteOfBooking} OFFSET 0) c
      WHERE r.application_id = $1 AND r.confirmed_at >= $2::timestamptz AND r.confirmed_at < $3::timestamptz
      UNION ALL
      SELECT reference, kind, version, at, currency, amount_minor, property_minor
      FROM reservation_price_changes
      WHERE application_id = $1 AND at >= $2::timestamptz AND at < $3::timestamptz
    ) sales ORDER BY at, reference, version LIMIT $4`,
};

/** Lists the effects of a month on what an application has sold, oldest first, up to `atMost`. */
export function listSales(
  executor: Executor,
  applicationId: string,
  month: string,
  atMost: number,
): Promise<SaleLine[]> {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const bounds = [number - 1, number].map((at) => new Date(Date.UTC(year, at, 1)).toISOString());
  return executor.query<SaleLine>(statement, [applicationId, ...bounds, atMost]);
}
