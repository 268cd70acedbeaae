/** What the sessions of a process mean by `now()`, while the server's clock is not believed. */
import type pg from 'pg';

// A smaller change is not worth a round trip for each connection.
const leastChangeMs = 1_000;

/** How far the time that statements use is from the server's clock, and which connections know it. */
export class ClockShift {
  #byMs = 0;
  readonly #meant = new WeakMap<pg.ClientBase, number>();

  /** In milliseconds. */
  get byMs(): number {
    return this.#byMs;
  }

  set(byMs: number): void {
    const rounded = Math.round(byMs);
    if (rounded !== 0 && Math.abs(rounded - this.#byMs) < leastChangeMs) return;
    this.#byMs = rounded;
  }

  isMeantBy(client: pg.ClientBase): boolean {
    return (this.#meant.get(client) ?? 0) === this.#byMs;
  }

  noteMeant(client: pg.ClientBase, byMs: number): void {
    this.#meant.set(client, byMs);
  }
}

/**
 * Makes a session find our functions `now` and `clock_timestamp` before those of PostgreSQL, or (`$1`) not. The search
 * path counts, so prepared statements are parsed again.
 */
export const shiftText = `SELECT set_config('latchkey.clock_shift', $2, false), set_config('search_path',
    CASE WHEN $1 THEN reset_val ELSE concat_ws(', ', nullif(reset_val, ''), 'pg_catalog') END, false)
  FROM pg_settings WHERE name = 'search_path'`;
