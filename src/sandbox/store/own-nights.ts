import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** Nights of a home, half-open. */
export interface OwnNights {
  listingId: string;
  from: string;
  to: string;
}

const readStatement: Statement = {
  name: 'sandbox-read-nights',
  text: `SELECT listing_id AS "listingId", lower(nights) AS "from", upper(nights) AS "to"
    FROM sandbox_nights WHERE application_id = $1 AND nights && daterange($2, $3)`,
};

/** Reads the nights that are taken for an application alone, within a range. */
export const readOwnNights = (
  executor: Executor,
  applicationId: string,
  from: string,
  to: string,
): Promise<OwnNights[]> => executor.query<OwnNights>(readStatement, [applicationId, from, to]);
