import { manyRows } from '../../platform/postgres/statement-functions.ts';

/** Nights of a home, half-open. */
export interface OwnNights {
  listingId: string;
  from: string;
  to: string;
}

/** Reads the nights that are taken for an application alone, within a range. */
export const readOwnNights = manyRows<[applicationId: string, from: string, to: string], OwnNights>(
  {
    name: 'sandbox-read-nights',
    text: `SELECT listing_id AS "listingId", lower(nights) AS "from", upper(nights) AS "to"
    FROM sandbox_nights WHERE application_id = $1 AND nights && daterange($2, $3)`,
  },
);
