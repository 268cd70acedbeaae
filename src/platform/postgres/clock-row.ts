/** What the processes say of the database's clock: one row, which is the same for all of them. */
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from './database.ts';
import { noRows, theRow } from './statement-functions.ts';

/** The row, and the clock that it is about. */
export interface ClockRow {
  /** What the clock of the server shows, whatever the session means by `now()`. */
  now: EpochMs;
  /** Since when the clock is not believed, by the line; null: it is believed. */
  heldSince: EpochMs | null;
  lineLessWallMs: number | null;
  nearSince: EpochMs | null;
  accepted: number;
  /** What the clock showed when it was last accepted; null: never, or by an earlier version. */
  acceptedAt: EpochMs | null;
}

/** Reads the clock of the server. */
export const readClockRow = theRow<[], ClockRow>({
  name: 'now',
  text: `SELECT pg_catalog.clock_timestamp() AS now, held_since AS "heldSince",
      line_less_wall_ms AS "lineLessWallMs", near_since AS "nearSince", accepted, accepted_at AS "acceptedAt" FROM clock`,
});

/** What a process writes about a clock that it does not believe. */
export interface HeldClock {
  line: EpochMs;
  lineLessWallMs: number;
  /** What the clock shows. */
  shown: EpochMs;
}

/** Writes that the clock is not believed. */
export const holdClock = noRows<[accepted: number, heldClock: HeldClock]>({
  name: 'hold-clock',
  text: `UPDATE clock SET held_since = coalesce(held_since, to_timestamp($2 / 1000.0)), line_less_wall_ms = $3,
      near_since = NULL, shown_from = least(shown_from, to_timestamp($4 / 1000.0)),
      shown_until = greatest(shown_until, to_timestamp($4 / 1000.0))
    WHERE accepted = $1`,
  values: (accepted, { line, lineLessWallMs, shown }) => [accepted, line, lineLessWallMs, shown],
});

/** Writes since when the clock is near the line again. */
export const noteNearClock = noRows<[accepted: number, line: EpochMs]>({
  name: 'note-near-clock',
  text: `UPDATE clock SET near_since = to_timestamp($2 / 1000.0)
    WHERE accepted = $1 AND held_since IS NOT NULL AND near_since IS NULL`,
});

const lookAgainStatement: Statement = {
  name: 'look-again',
  text: `SELECT look_again(wrong.shown_from, wrong.shown_until, $1) AS more FROM clock c CROSS JOIN LATERAL (
      SELECT c.shown_from, c.shown_until
      UNION ALL
      SELECT shown_from, shown_until FROM wrong_times WHERE noticed_at > c.held_since - interval '1 minute'
    ) wrong
    WHERE c.held_since IS NOT NULL`,
};

// Of each table at once: well below the statement timeout.
const lookedAtOnce = 1_000;

/** Makes due now what was put off with a clock that was wrong, or by sessions that meant another time when it was right again. */
export async function lookAgain(executor: Executor, atOnce = lookedAtOnce): Promise<void> {
  const batch = () => executor.query<{ more: boolean }>(lookAgainStatement, [atOnce]);
  while ((await batch()).some(({ more }) => more));
}

const acceptStatement: Statement = {
  name: 'accept-clock',
  text: `UPDATE clock SET held_since = NULL, line_less_wall_ms = NULL, near_since = NULL, shown_from = NULL,
      shown_until = NULL, accepted = accepted + 1, accepted_at = pg_catalog.clock_timestamp()
    WHERE accepted = $1 AND held_since IS NOT NULL RETURNING accepted`,
};

/**
 * Writes that the clock is believed again. False: it was, or somebody was faster. Use it in a transaction, after
 * `lookAgain`: then little is left to do for it.
 */
export async function acceptClock(executor: Executor, accepted: number): Promise<boolean> {
  await lookAgain(executor);
  return (await executor.query(acceptStatement, [accepted])).length > 0;
}
