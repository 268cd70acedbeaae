import { instant } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { SeenCall } from '../rules/conformance/seen.ts';

const insertStatement: Statement = {
  name: 'record-seen-call',
  text: `INSERT INTO conformance_calls (attempt_id, request_id, began_at, ended_at, call)
    SELECT $1, $2, $3, $4, $5
    WHERE (SELECT count(*) FROM conformance_calls WHERE attempt_id = $1) < $6
      AND EXISTS (SELECT FROM conformance_scenarios WHERE attempt_id = $1 AND state = 'running')
    ON CONFLICT DO NOTHING RETURNING request_id`,
};

/** Records a call of an attempt, up to a number of them. False: no further one is recorded. */
export async function recordCall(
  executor: Executor,
  attemptId: string,
  { requestId, at, endedAt, ...call }: SeenCall,
  atMost: number,
): Promise<boolean> {
  const values = [
    attemptId,
    requestId,
    instant(at),
    instant(endedAt),
    JSON.stringify(call),
    atMost,
  ];
  return (await executor.query(insertStatement, values)).length === 1;
}

const readStatement: Statement = {
  name: 'read-seen-calls',
  text: `SELECT request_id AS "requestId", began_at AS at, ended_at AS "endedAt", call
    FROM conformance_calls WHERE attempt_id = $1 ORDER BY began_at, ended_at`,
};

type Timed = Pick<SeenCall, 'requestId' | 'at' | 'endedAt'>;

/** Reads the calls of an attempt, in the order in which they arrived. */
export async function readCalls(executor: Executor, attemptId: string): Promise<SeenCall[]> {
  const rows = await executor.query<Timed & { call: Omit<SeenCall, keyof Timed> }>(readStatement, [
    attemptId,
  ]);
  return rows.map(({ call, ...timed }) => ({ ...call, ...timed }));
}

const sweepStatement: Statement = {
  name: 'sweep-seen-calls',
  text: `DELETE FROM conformance_calls WHERE attempt_id = $1`,
};

/** Removes the calls of an attempt that has ended. */
export async function removeCalls(executor: Executor, attemptId: string): Promise<void> {
  await executor.query(sweepStatement, [attemptId]);
}
