/** Conditions on a delivery `d`, as the indexes have them. */

/** An attempt has failed since it was created or last replayed, and it is attempted again. */
export const isRetrying = `d.state = 'pending' AND d.attempts > 0`;

/** Its last attempt has failed. */
export const isFailed = `(d.state = 'exhausted' OR (${isRetrying}))`;

/** Its state as partners and staff see it. */
export const stateColumn = `CASE WHEN ${isRetrying} THEN 'retrying' ELSE d.state END`;
