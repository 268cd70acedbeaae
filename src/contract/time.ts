/** Milliseconds since 1970 by the database's clock. */
export type EpochMs = number;

/** An instant as text: ISO 8601 in UTC, with milliseconds. Null stays null. */
export const instant = <At extends EpochMs | null>(at: At): At extends null ? null : string =>
  (at === null ? null : new Date(at).toISOString()) as At extends null ? null : string;

export const daySeconds = 86_400;
export const dayMs = 86_400_000;
