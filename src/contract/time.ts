/** Milliseconds since 1970 by the database's clock. */
export type EpochMs = number;
