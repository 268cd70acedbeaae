/**
 * Backends that still work for a caller who has left. Their slots stay taken: a commit that waits for a lost standby
 * goes on waiting when its connection is closed, so another connection in its place would only add a backend.
 */
import type pg from 'pg';
import { withinTime, late } from '../sleeper.ts';

/** Opens a connection outside the pool within this time, to ask what the backends do. */
export type OpenWatcher = (withinMs: number) => Promise<pg.ClientBase & { end(): Promise<void> }>;

const everyMs = 1_000;
const askWithinMs = 2_000;

const activeText = `SELECT pid FROM pg_stat_activity WHERE pid = ANY ($1) AND state <> 'idle'`;

/** The backends of a pool that wait although nobody waits for them. */
export class WaitingBackends {
  readonly #open: OpenWatcher;
  readonly #waiting = new Map<number, () => void>();
  #isWatching = false;

  constructor(open: OpenWatcher) {
    this.#open = open;
  }

  /**
   * Waits until the backend has answered or is gone, or the server cannot be asked what it does. `pid`: undefined
   * if the driver does not know it.
   */
  async untilOver(pid: number | undefined, answered: Promise<unknown>): Promise<void> {
    if (pid === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(pid, resolve);
    answered.then(() => resolve()).catch(() => resolve());
    void this.#watch();
    await promise;
    this.#waiting.delete(pid);
  }

  async #watch(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    while (this.#waiting.size > 0) {
      const asked = [...this.#waiting.keys()];
      const active = await this.#activeOf(asked);
      for (const pid of asked) if (!active.has(pid)) this.#waiting.get(pid)?.();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    this.#isWatching = false;
  }

  /** Those that still work. None, if the server does not answer: then no other connection reaches it either. */
  async #activeOf(pids: readonly number[]): Promise<ReadonlySet<number>> {
    try {
      const active = await withinTime(askWithinMs, this.#ask(pids), () => undefined);
      return active === late ? new Set() : active;
    } catch {
      return new Set();
    }
  }

  async #ask(pids: readonly number[]): Promise<ReadonlySet<number>> {
    const watcher = await this.#open(askWithinMs);
    try {
      const { rows } = await watcher.query<{ pid: number }>(activeText, [pids]);
      return new Set(rows.map(({ pid }) => pid));
    } finally {
      await watcher.end().catch(() => undefined);
    }
  }
}
