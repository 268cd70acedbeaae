import type { Log } from './log.ts';
import { startLoop } from './loop.ts';

/** What one look for due work has found. */
interface Found<Claim> {
  claims: readonly Claim[];
  /** The number of rows that were claimed, if some of them cannot be processed. */
  claimed?: number;
}

/** How due rows are claimed and processed. */
export interface ClaimingTask<Claim> {
  /** The name of the background task that looks for due rows. */
  name: string;
  everyMs: number;
  /** The maximum number of claims in progress. */
  inFlightAtMost: number;
  /** The maximum number of rows of one look. Absent: all free slots. */
  claimAtMost?: number;
  /** Claims due rows for a limited time. */
  claim(atMost: number): Promise<Found<Claim>>;
  /** Processes a claim. It handles its own errors. */
  process(claim: Claim): Promise<void>;
  log: Pick<Log, 'warn'>;
}

/** Claims due rows and processes them at the same time, up to a maximum number. */
export interface Claiming<Claim> {
  /** Looks for due rows now. */
  wake(): void;
  /** Processes what was claimed elsewhere for this process. */
  start(claim: Claim): void;
  /** The number of claims in progress. */
  inFlight(): number;
  /** Claims nothing more, and waits for the claims in progress. */
  stop(): Promise<void>;
}

/** Starts to claim due rows. A look that fills all its slots is followed by another one at once. */
export function startClaiming<Claim>(task: ClaimingTask<Claim>): Claiming<Claim> {
  const { name, everyMs, inFlightAtMost, claimAtMost = inFlightAtMost, log } = task;
  const running = new Set<Promise<void>>();

  function start(claim: Claim): void {
    const started = task.process(claim).finally(() => running.delete(started));
    running.add(started);
  }

  async function look(): Promise<number | void> {
    const slots = Math.min(claimAtMost, inFlightAtMost - running.size);
    if (slots <= 0) {
      await Promise.race(running);
      return 0;
    }
    const { claims, claimed = claims.length } = await task.claim(slots);
    for (const claim of claims) start(claim);
    if (claimed === slots) return 0;
  }

  const loop = startLoop({ name, everyMs, work: look, log });
  return {
    wake: loop.wake,
    start,
    inFlight: () => running.size,
    async stop() {
      await loop.stop();
      await Promise.all(running);
    },
  };
}
