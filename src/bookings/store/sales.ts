/** What partners sold: confirmations, and what later changed their prices. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { theValue } from '../../platform/postgres/statement-functions.ts';
import type { SaleLine } from '../rules/statement.ts';
import { quoteOfBooking } from './booking-row.ts';

const inMonth = (at: string): string => `${at} >= $2::timestamptz AND ${at} < $3::timestamptz`;

// A confirmation is as its booking was then; the reservation may have changed since. Each part ends at the limit by
// itself, so that a slice reads what it returns, and not the month. In the order of the application's own index: with `=`,
// the planner may go through the reservations of all.
const statement: Statement = {
  name: 'list-sales',
  text: `SELECT reference, kind, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS on, currency, amount,
      property AS "atProperty", version, at::text AS position
    FROM (
      (SELECT r.reference, 'sold' AS kind, 1 AS version, r.confirmed_at AS at, c.charges ->> 'currency' AS currency,
        (c.charges ->> 'total')::bigint AS amount,
        (c.charges ->> 'total')::bigint - collectable_total(c.charges) AS property
      FROM (
        SELECT reference, application_id, kind, booking_id, confirmed_at FROM reservations
        WHERE application_id = ANY (ARRAY[$1::uuid]) AND ${inMonth('confirmed_at')}
          AND (confirmed_at, reference, 1) > ($4::timestamptz, $5, $6::integer)
        ORDER BY application_id DESC, confirmed_at, reference LIMIT $8) r
      CROSS JOIN LATERAL (
        SELECT coalesce(b.charges, q.charges) AS charges FROM (
          SELECT * FROM bookings WHERE application_id = r.application_id AND kind = r.kind
            AND booking_id = r.booking_id OFFSET 0) b
        ${quoteOfBooking} OFFSET 0) c)
      UNION ALL
      (SELECT reference, kind, version, at, currency, amount_minor, property_minor
      FROM reservation_price_changes
      WHERE application_id = $1 AND ${inMonth('at')}
        AND (at, reference, version, currency) > ($4::timestamptz, $5, $6::integer, $7)
      ORDER BY at, reference, version, currency LIMIT $8)
    ) sales ORDER BY at, reference, version, currency LIMIT $8`,
};

/** An application's month (UTC). */
export interface SalesOfMonth {
  applicationId: string;
  month: string;
}

const valuesOf = ({ applicationId, month }: SalesOfMonth): string[] => {
  const [year, number] = month.split('-').map(Number) as [number, number];
  const bounds = [number - 1, number].map((at) => new Date(Date.UTC(year, at, 1)).toISOString());
  return [applicationId, ...bounds];
};

/** Counts the effects of a month on what an application has sold; above `atMost`, only that they are more. */
export const countSales = theValue<[sales: SalesOfMonth, atMost: number], number>({
  name: 'count-sales',
  text: `SELECT count(*)::integer AS lines FROM (
      (SELECT FROM reservations WHERE application_id = ANY (ARRAY[$1::uuid]) AND ${inMonth('confirmed_at')}
      ORDER BY application_id DESC, confirmed_at, reference LIMIT $4)
      UNION ALL
      (SELECT FROM reservation_price_changes WHERE application_id = $1 AND ${inMonth('at')} LIMIT $4)
    ) sales`,
  values: (sales, atMost) => [...valuesOf(sales), atMost + 1],
});

type SaleRow = SaleLine & { position: string; version: number };

/** Lists the effects of a month on what an application has sold, oldest first, in slices. */
export async function* slicesOfSales(
  executor: Executor,
  sales: SalesOfMonth,
  atOnce: number,
): AsyncGenerator<SaleLine[]> {
  let after: Pick<SaleRow, 'position' | 'reference' | 'version' | 'currency'> | undefined = {
    position: '-infinity',
    reference: '',
    version: 0,
    currency: '',
  };
  while (after) {
    const { position, reference, version, currency } = after;
    const values = [...valuesOf(sales), position, reference, version, currency, atOnce];
    const rows: SaleRow[] = await executor.query(statement, values);
    yield rows.map(({ position: _position, version: _version, ...line }) => line);
    after = rows.length === atOnce ? rows.at(-1) : undefined;
  }
}
