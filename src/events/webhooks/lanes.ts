/**
 * How much is in flight in this process. What is quick has a lane of its own, so that endpoints that are slow
 * or do not answer never take the room of those that do. An attempt that takes longer than is quick moves to
 * the slow lane, and its endpoint with it.
 */
export interface Lanes {
  /** How many attempts more may be begun at an endpoint. */
  room(endpointId: string): number;
  /** An endpoint is known to fail: it is slow, however fast it does so. */
  failing(endpointId: string): void;
  begin(attempt: LaneAttempt): void;
  /** @param reached whether the endpoint took it */
  end(attempt: LaneAttempt, reached: boolean): void;
  /** Moves what has become slow. */
  sort(): void;
  /** Forgets endpoints that are not among these. */
  keep(endpointIds: ReadonlySet<string>): void;
}

/** An attempt in flight. */
export interface LaneAttempt {
  endpointId: string;
}

export interface LaneLimits {
  quick: number;
  slow: number;
  /** Of both, come what may. */
  total: number;
  /** How long an attempt is quick. */
  quickMs: number;
}

/** @param now a counter of milliseconds */
export function createLanes(limits: LaneLimits, now: () => number): Lanes {
  // In the order in which they began.
  const quick = new Map<LaneAttempt, number>();
  const slow = new Map<LaneAttempt, number>();
  const slowEndpoints = new Set<string>();

  function sort(): void {
    for (const [attempt, begun] of quick) {
      if (now() - begun < limits.quickMs) break;
      quick.delete(attempt);
      slow.set(attempt, begun);
      slowEndpoints.add(attempt.endpointId);
    }
  }

  return {
    sort,
    room(endpointId) {
      const inTotal = limits.total - quick.size - slow.size;
      const inLane = slowEndpoints.has(endpointId)
        ? limits.slow - slow.size
        : limits.quick - quick.size;
      return Math.max(0, Math.min(inTotal, inLane));
    },
    failing: (endpointId) => void slowEndpoints.add(endpointId),
    begin(attempt) {
      const lane = slowEndpoints.has(attempt.endpointId) ? slow : quick;
      lane.set(attempt, now());
    },
    end(attempt, reached) {
      const begun = quick.get(attempt) ?? slow.get(attempt) ?? 0;
      quick.delete(attempt);
      slow.delete(attempt);
      if (reached && now() - begun < limits.quickMs) slowEndpoints.delete(attempt.endpointId);
      else slowEndpoints.add(attempt.endpointId);
    },
    keep(endpointIds) {
      for (const id of slowEndpoints) if (!endpointIds.has(id)) slowEndpoints.delete(id);
    },
  };
}
