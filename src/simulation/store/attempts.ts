import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** The decision of the simulated supplier on an attempt. */
export interface SimulatedAttempt {
  outcome: string;
  /** When the decision becomes known; null: never. */
  knownAt: EpochMs | null;
  now: EpochMs;
}

interface AttemptRow {
  outcome: string;
  known_at: EpochMs | null;
  now: EpochMs;
}

const attemptOf = (row: AttemptRow): SimulatedAttempt => ({
  outcome: row.outcome,
  knownAt: row.known_at,
  now: row.now,
});

const findStatement: Statement = {
  name: 'find-simulated-attempt',
  text: 'SELECT outcome, known_at, now() AS now FROM simulated_attempts WHERE attempt_id = $1',
};

/** Reads an attempt. */
export async function findSimulatedAttempt(
  executor: Executor,
  attemptId: string,
): Promise<SimulatedAttempt | undefined> {
  const [row] = await executor.query<AttemptRow>(findStatement, [attemptId]);
  return row && attemptOf(row);
}

// A repeated call returns the first decision.
const decideStatement: Statement = {
  name: 'decide-simulated-attempt',
  text: `INSERT INTO simulated_attempts (attempt_id, outcome, known_at)
    VALUES ($1, $2, now() + make_interval(secs => $3))
    ON CONFLICT (attempt_id) DO UPDATE SET attempt_id = excluded.attempt_id
    RETURNING outcome, known_at, now() AS now`,
};

/** Stores the decision of an attempt once; `knownInSeconds` null: it never becomes known. */
export async function decideSimulatedAttempt(
  executor: Executor,
  attemptId: string,
  outcome: string,
  knownInSeconds: number | null,
): Promise<SimulatedAttempt> {
  const [row] = await executor.query<AttemptRow>(decideStatement, [
    attemptId,
    outcome,
    knownInSeconds,
  ]);
  return attemptOf(row!);
}
