import type { Executor } from '../../src/platform/postgres/database.ts';
import { sql } from './rows.ts';

/** Makes a reservation more expensive: this much more falls due on a day. */
export const raisePrice = (
  executor: Executor,
  reference: string,
  amount: number,
  dueOn: string,
): Promise<unknown> =>
  sql(
    executor,
    `UPDATE reservations SET version = version + 1, charges = jsonb_set(jsonb_set(charges::jsonb, '{total}',
        to_jsonb((charges->>'total')::bigint + $2)), '{schedule}',
        (charges->'schedule')::jsonb || jsonb_build_array(jsonb_build_object('dueOn', $3::text, 'amount', $2)))::json
      WHERE reference = $1`,
    [reference, amount, dueOn],
  );
