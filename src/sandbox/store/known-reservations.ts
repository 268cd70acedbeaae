import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { KnownReservation } from '../rules/conformance/judge.ts';

const readStatement: Statement = {
  name: 'read-known-reservations',
  text: `SELECT reference, state, check_in AS "checkIn", check_out AS "checkOut" FROM reservations
    WHERE reference = ANY ($2::text[]) AND application_id = $1`,
};

/** Reads reservations of an application as they are now, by their references. */
export async function readKnown(
  executor: Executor,
  applicationId: string,
  references: readonly string[],
): Promise<Record<string, KnownReservation>> {
  const rows = await executor.query<KnownReservation & { reference: string }>(readStatement, [
    applicationId,
    references,
  ]);
  return Object.fromEntries(rows.map(({ reference, ...known }) => [reference, known]));
}
