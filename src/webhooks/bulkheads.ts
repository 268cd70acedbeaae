/** An attempt in flight. */
export interface BulkheadAttempt {
  endpointId: string;
}

/** The maximum number of attempts in each bulkhead. */
export interface BulkheadLimits {
  quick: number;
  trial: number;
  slow: number;
  /** The maximum of the trial and slow bulkheads together; at this number no trial starts. */
  waiting: number;
  /** The maximum duration of a quick attempt. */
  quickMs: number;
}

/**
 * The attempts in flight of this process, in three bulkheads, so that endpoints that do not respond never use the
 * slots of those that do. An endpoint whose last attempt succeeded quickly is in the quick bulkhead. A new endpoint
 * gets one attempt in the trial bulkhead. A failing or slow endpoint is in the slow bulkhead, and an attempt that
 * takes long moves there with its endpoint.
 */
export interface Bulkheads {
  /** The number of further attempts that may start at an endpoint. */
  freeSlots(endpointId: string): number;
  /** Marks an endpoint as failing. */
  failing(endpointId: string): void;
  begin(attempt: BulkheadAttempt): void;
  /** @param reached whether the endpoint accepted it */
  end(attempt: BulkheadAttempt, reached: boolean): void;
  /** Moves attempts that have become slow. */
  sort(): void;
  /** Forgets all other endpoints. */
  keep(endpointIds: ReadonlySet<string>): void;
}

/** Attempts and their start times, in the order of their starts. */
type Bulkhead = Map<BulkheadAttempt, number>;

/** @param now a monotonic counter of milliseconds */
export function createBulkheads(limits: BulkheadLimits, now: () => number): Bulkheads {
  const quick: Bulkhead = new Map();
  const trial: Bulkhead = new Map();
  const slow: Bulkhead = new Map();
  const known = new Map<string, 'quick' | 'slow'>();

  function bulkheadOf(endpointId: string): Bulkhead {
    const kind = known.get(endpointId);
    if (kind === undefined) return trial;
    return kind === 'quick' ? quick : slow;
  }

  function trialSlots(endpointId: string): number {
    const isTried = trial.keys().some((attempt) => attempt.endpointId === endpointId);
    const isFull = trial.size >= limits.trial || trial.size + slow.size >= limits.waiting;
    return isTried || isFull ? 0 : 1;
  }

  function sort(): void {
    for (const bulkhead of [quick, trial]) {
      for (const [attempt, begun] of bulkhead) {
        if (now() - begun < limits.quickMs) break;
        bulkhead.delete(attempt);
        slow.set(attempt, begun);
        known.set(attempt.endpointId, 'slow');
      }
    }
  }

  function take(attempt: BulkheadAttempt): number {
    for (const bulkhead of [quick, trial, slow]) {
      const begun = bulkhead.get(attempt);
      if (bulkhead.delete(attempt)) return begun!;
    }
    return now();
  }

  return {
    sort,
    freeSlots(endpointId) {
      const bulkhead = bulkheadOf(endpointId);
      if (bulkhead === trial) return trialSlots(endpointId);
      return Math.max(0, bulkhead === quick ? limits.quick - quick.size : limits.slow - slow.size);
    },
    failing: (endpointId) => void known.set(endpointId, 'slow'),
    begin: (attempt) => void bulkheadOf(attempt.endpointId).set(attempt, now()),
    end(attempt, reached) {
      // Removed after any result: an attempt that stays holds its slot until the process ends.
      const tookMs = now() - take(attempt);
      known.set(attempt.endpointId, reached && tookMs < limits.quickMs ? 'quick' : 'slow');
    },
    keep(endpointIds) {
      for (const id of known.keys()) if (!endpointIds.has(id)) known.delete(id);
    },
  };
}
