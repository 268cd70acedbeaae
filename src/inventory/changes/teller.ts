import type { Executor } from '../../platform/postgres/database.ts';
import { type Loop, type LoopTask, startLoop } from '../../platform/loop.ts';
import { advanceFeed } from '../store/number-changes.ts';
import { type FeedState, readFeedState, removeReader } from '../store/feed-readers.ts';

/** What the numbering of changes needs. */
export interface TellerContext {
  executor: Executor;
  log: LoopTask['log'];
  /** A monotonic clock. */
  elapsedMs?: () => number;
}

const everyMs = 100;
/** Longer than readers trust their memory without a beat. */
const silentMs = 6_500;

/**
 * Numbers committed changes, and tells partners when every reader has them. Any number of processes may do it: the guarded
 * statement of one of them wins. Spec: COPY-2, COPY-3.
 */
export class Teller {
  readonly #context: TellerContext;
  readonly #elapsedMs: () => number;
  /** When this process has first seen the last beat of a reader that is behind. */
  readonly #seen = new Map<string, { beats: number; at: number }>();
  #server = '';

  constructor(context: TellerContext) {
    this.#context = context;
    this.#elapsedMs = context.elapsedMs ?? (() => performance.now());
  }

  /** Goes one step on, if it can. */
  async work(): Promise<void> {
    const state = await readFeedState(this.#context.executor);
    if (state.server !== this.#server) this.#seen.clear();
    this.#server = state.server;
    if (state.toldRun === state.run && !state.hasPending) return;
    if (await this.#waitsFor(state)) return;
    await advanceFeed(this.#context.executor, state);
  }

  /** Whether a reader is behind. One that is silent for long is removed, and the next step goes on without it. */
  async #waitsFor({ behind }: FeedState): Promise<boolean> {
    const ids = new Set(behind.map(([readerId]) => readerId));
    for (const readerId of this.#seen.keys()) if (!ids.has(readerId)) this.#seen.delete(readerId);
    const now = this.#elapsedMs();
    for (const [readerId, beats] of behind) {
      const seen = this.#seen.get(readerId);
      if (seen?.beats !== beats) this.#seen.set(readerId, { beats, at: now });
      else if (now - seen.at > silentMs)
        await removeReader(this.#context.executor, readerId, beats);
    }
    return behind.length > 0;
  }
}

/** Starts the numbering of changes. */
export function startTeller(context: TellerContext): Loop {
  const teller = new Teller(context);
  return startLoop({
    name: 'number changes for partners',
    everyMs,
    log: context.log,
    work: () => teller.work(),
  });
}
