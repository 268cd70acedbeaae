/** An attempt in flight. */
export interface LaneAttempt {
  endpointId: string;
}

/** How many attempts there may be in each bulkhead. */
export interface LaneLimits {
  quick: number;
  trial: number;
  slow: number;
  /** In the trial bulkhead and the slow one together: no trial is begun above. */
  waiting: number;
  /** How long an attempt is quick. */
  quickMs: number;
}

/**
 * What is in flight in this process, in three bulkheads, so that endpoints that do not answer never take the room
 * of those that do. An endpoint whose last attempt was taken quickly is in the quick bulkhead. One of which nothing
 * is known yet is tried with one attempt. One that fails or is slow is in the slow bulkhead, and an attempt that
 * takes long moves there with its endpoint.
 */
export interface Bulkheads {
  /** How many attempts more may be begun at an endpoint. */
  room(endpointId: string): number;
  /** An endpoint is known to fail. */
  failing(endpointId: string): void;
  begin(attempt: LaneAttempt): void;
  /** @param reached whether the endpoint took it */
  end(attempt: LaneAttempt, reached: boolean): void;
  /** Moves what has become slow. */
  sort(): void;
  /** Forgets endpoints that are not among these. */
  keep(endpointIds: ReadonlySet<string>): void;
}

/** In the order in which they began, and when that was. */
type Bulkhead = Map<LaneAttempt, number>;

/** @param now a counter of milliseconds */
export function createBulkheads(limits: LaneLimits, now: () => number): Bulkheads {
  const quick: Bulkhead = new Map();
  const trial: Bulkhead = new Map();
  const slow: Bulkhead = new Map();
  const known = new Map<string, 'quick' | 'slow'>();

  function laneOf(endpointId: string): Bulkhead {
    const kind = known.get(endpointId);
    if (kind === undefined) return trial;
    return kind === 'quick' ? quick : slow;
  }

  function trialRoom(endpointId: string): number {
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

  function take(attempt: LaneAttempt): number {
    for (const bulkhead of [quick, trial, slow]) {
      const begun = bulkhead.get(attempt);
      if (bulkhead.delete(attempt)) return begun!;
    }
    return now();
  }

  return {
    sort,
    room(endpointId) {
      const bulkhead = laneOf(endpointId);
      if (bulkhead === trial) return trialRoom(endpointId);
      return Math.max(0, bulkhead === quick ? limits.quick - quick.size : limits.slow - slow.size);
    },
    failing: (endpointId) => void known.set(endpointId, 'slow'),
    begin: (attempt) => void laneOf(attempt.endpointId).set(attempt, now()),
    end(attempt, reached) {
      const isQuick = reached && now() - take(attempt) < limits.quickMs;
      known.set(attempt.endpointId, isQuick ? 'quick' : 'slow');
    },
    keep(endpointIds) {
      for (const id of known.keys()) if (!endpointIds.has(id)) known.delete(id);
    },
  };
}
