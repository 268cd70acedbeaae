/** An attempt in flight: any object that is the same at its begin and its end. */
export interface BulkheadAttempt {
  /** What it is sent to: an endpoint, or a host. */
  target: string;
}

/** How a target answers. */
export type Pace = 'quick' | 'slow';

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
 * The attempts in flight of this process, in three bulkheads, so that targets that do not respond never use the
 * slots of those that do. A target whose last attempt succeeded quickly is in the quick bulkhead. A new target gets
 * one attempt in the trial bulkhead. A failing or slow target is in the slow bulkhead, and an attempt that takes long
 * moves there with its target.
 */
export interface Bulkheads {
  /** The number of further attempts that may start at a target. */
  freeSlots(target: string): number;
  /**
   * How many further attempts may start at these targets together, for each that may have some: one for each, then
   * more for the first ones.
   *
   * @param wanted how many attempts a target has, at most
   */
  choose(targets: Iterable<string>, wanted: (target: string) => number): Map<string, number>;
  /** Marks a target as failing. */
  failing(target: string): void;
  /** Says how a target is expected to answer that this process does not know yet. */
  expect(target: string, pace: Pace): void;
  paceOf(target: string): Pace | 'unknown';
  begin(attempt: BulkheadAttempt): void;
  /**
   * @param reached whether the target accepted it
   * @param tookMs how long the target took; absent: since the begin
   */
  end(attempt: BulkheadAttempt, reached: boolean, tookMs?: number): void;
  /** Moves attempts that have become slow. */
  sort(): void;
  /** Forgets all other targets. */
  keep(targets: ReadonlySet<string>): void;
}

/** Attempts and their start times, in the order of their starts. */
type Bulkhead = Map<BulkheadAttempt, number>;

// More are not known at the same time: what is forgotten is tried again.
const mostKnown = 50_000;

/**
 * Divides the slots among endpoints that are unknown, fail, or respond. Spec: WEBHOOK-10.
 *
 * @param now a monotonic counter of milliseconds
 */
export function createBulkheads(limits: BulkheadLimits, now: () => number): Bulkheads {
  const quick: Bulkhead = new Map();
  const trial: Bulkhead = new Map();
  const slow: Bulkhead = new Map();
  const known = new Map<string, Pace>();

  const bulkheads = { quick, slow, unknown: trial };
  const paceOf = (target: string): keyof typeof bulkheads => known.get(target) ?? 'unknown';

  /** Knows a target as the latest one. */
  function know(target: string, pace: Pace): void {
    known.delete(target);
    known.set(target, pace);
    const [oldest] = known.keys();
    if (known.size > mostKnown) known.delete(oldest!);
  }

  /** The free slots of each bulkhead. */
  const room = (): Record<keyof typeof bulkheads, number> => ({
    quick: limits.quick - quick.size,
    slow: limits.slow - slow.size,
    unknown: Math.min(limits.trial - trial.size, limits.waiting - trial.size - slow.size),
  });

  const isTried = (target: string): boolean =>
    trial.keys().some((attempt) => attempt.target === target);

  function choose(
    targets: Iterable<string>,
    wanted: (target: string) => number,
  ): Map<string, number> {
    const left = room();
    const chosen = new Map<string, number>();
    for (const target of targets) {
      const pace = paceOf(target);
      if (left[pace] <= 0 || wanted(target) <= 0) continue;
      if (pace === 'unknown' && isTried(target)) continue;
      left[pace] -= 1;
      chosen.set(target, 1);
    }
    for (const target of chosen.keys()) {
      const pace = paceOf(target);
      if (pace === 'unknown') continue;
      const more = Math.min(left[pace], wanted(target) - 1);
      left[pace] -= more;
      chosen.set(target, 1 + more);
    }
    return chosen;
  }

  function sort(): void {
    for (const bulkhead of [quick, trial]) {
      for (const [attempt, begun] of bulkhead) {
        if (now() - begun < limits.quickMs) break;
        bulkhead.delete(attempt);
        slow.set(attempt, begun);
        know(attempt.target, 'slow');
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
    choose,
    paceOf,
    freeSlots: (target) => choose([target], () => Infinity).get(target) ?? 0,
    failing: (target) => know(target, 'slow'),
    expect(target, pace) {
      if (!known.has(target)) know(target, pace);
    },
    begin: (attempt) => void bulkheads[paceOf(attempt.target)].set(attempt, now()),
    end(attempt, reached, tookMs) {
      // Removed after any result: an attempt that stays holds its slot until the process ends.
      const sinceBegin = now() - take(attempt);
      const isQuick = reached && (tookMs ?? sinceBegin) < limits.quickMs;
      know(attempt.target, isQuick ? 'quick' : 'slow');
    },
    keep(targets) {
      for (const target of known.keys()) if (!targets.has(target)) known.delete(target);
    },
  };
}
