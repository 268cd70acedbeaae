import { randomUUID } from 'node:crypto';
import type { Executor } from '../../platform/postgres/database.ts';
import { limits } from '../../contract/limits.ts';
import { type Loop, startLoop, type LoopTask } from '../../platform/loop.ts';
import { late, withinTime } from '../../platform/sleeper.ts';
import { beatReader, joinFeed, readNews, removeReader } from '../store/feed-readers.ts';

/** What a process that answers partners from memory reads when something was numbered. */
export interface ReaderContext {
  executor: Executor;
  log: LoopTask['log'];
  /** Reads what has changed. */
  follow(): Promise<unknown>;
  /** Reads an application anew at its next use. */
  forgetApplication(applicationId: string): void;
  /** A monotonic clock. */
  elapsedMs?: () => number;
}

/** Whether a process has what the feed of changes has published. */
export interface FeedReader {
  /** False: follow before an answer from memory. */
  isCurrent(): boolean;
  start(): Loop;
}

const everyMs = 150;
const beatMs = 1_000;
/** After this time without a beat, a reader no longer trusts its memory; after a longer one, others remove it. */
export const trustedMs = 5_000;
/** As long as a search may answer from memory. A reader that follows for longer holds up nobody any more. */
export const longestFollowMs = limits.searchAgeSeconds * 1_000;

/**
 * Follows what is numbered, and says so: partners are told afterwards. Which process is alive is decided by monotonic
 * clocks, each by its own, so a wrong clock tells nobody too early.
 */
class ChangeFollower implements FeedReader {
  readonly #context: ReaderContext;
  readonly #readerId = randomUUID();
  readonly #elapsedMs: () => number;
  #run = 0;
  #hasJoined = false;
  /** When the last successful beat was sent. */
  #beatAt = -Infinity;

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#elapsedMs = context.elapsedMs ?? (() => performance.now());
  }

  isCurrent(): boolean {
    return this.#hasJoined && this.#elapsedMs() - this.#beatAt <= trustedMs;
  }

  start(): Loop {
    const loop = startLoop({
      name: 'follow the feed of changes',
      everyMs,
      log: this.#context.log,
      work: () => this.#work(),
    });
    return {
      ...loop,
      stop: async () => {
        await loop.stop();
        this.#hasJoined = false;
        await removeReader(this.#context.executor, this.#readerId, null).catch(() => undefined);
      },
    };
  }

  async #work(): Promise<void> {
    const { executor, follow, forgetApplication } = this.#context;
    const { run, applications } = await readNews(executor, this.#run);
    const isNew = run !== this.#run || !this.isCurrent();
    if (!isNew && this.#elapsedMs() - this.#beatAt < beatMs) return;
    if (isNew) {
      for (const applicationId of applications) forgetApplication(applicationId);
      await this.#waitFor(follow());
    }
    await this.#beat(run);
    this.#run = run;
  }

  /** Beats with what it has while it follows a large change: nobody is told of it yet, and calls need not wait. */
  async #waitFor(following: Promise<unknown>): Promise<void> {
    const began = this.#elapsedMs();
    while ((await withinTime(beatMs, following, () => undefined)) === late) {
      const isLong = this.#elapsedMs() - began > longestFollowMs;
      if (this.isCurrent() && !isLong) await this.#beat(this.#run);
    }
  }

  async #beat(run: number): Promise<void> {
    const { executor } = this.#context;
    const sentAt = this.#elapsedMs();
    // Who was silent for long may have been removed, and more may be told than it has read.
    this.#hasJoined = this.isCurrent()
      ? await beatReader(executor, this.#readerId, run)
      : await joinFeed(executor, this.#readerId, run);
    if (this.#hasJoined) this.#beatAt = sentAt;
  }
}

/** Creates the reader of a process. */
export const createFeedReader = (context: ReaderContext): FeedReader => new ChangeFollower(context);

/** The reader of a process that answers nobody, or that has all changes by itself. */
export const noFeedReader: FeedReader = {
  isCurrent: () => true,
  start: () => ({ wake: () => undefined, stop: () => Promise.resolve() }),
};
