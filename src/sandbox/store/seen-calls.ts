import { instant } from '../../contract/time.ts';
import { hasRow, manyRows, noRows } from '../../platform/postgres/statement-functions.ts';
import type { SeenCall } from '../rules/conformance/seen.ts';

/** Records a call of an attempt, up to a number of them. False: no further one is recorded. */
export const recordCall = hasRow<[attemptId: string, seenCall: SeenCall, atMost: number]>({
  name: 'record-seen-call',
  text: `INSERT INTO conformance_calls (attempt_id, request_id, began_at, ended_at, call)
    SELECT $1, $2, $3, $4, $5
    WHERE (SELECT count(*) FROM conformance_calls WHERE attempt_id = $1) < $6
      AND EXISTS (SELECT FROM conformance_scenarios WHERE attempt_id = $1 AND state = 'running')
    ON CONFLICT DO NOTHING RETURNING request_id`,
  values: (attemptId, { requestId, at, endedAt, ...call }, atMost) => [
    attemptId,
    requestId,
    instant(at),
    instant(endedAt),
    JSON.stringify(call),
    atMost,
  ],
});

type Timed = Pick<SeenCall, 'requestId' | 'at' | 'endedAt'>;

/** Reads the calls of an attempt, in the order in which they arrived. */
export const readCalls = manyRows<
  [attemptId: string],
  Timed & { call: Omit<SeenCall, keyof Timed> },
  SeenCall
>({
  name: 'read-seen-calls',
  text: `SELECT request_id AS "requestId", began_at AS at, ended_at AS "endedAt", call
    FROM conformance_calls WHERE attempt_id = $1 ORDER BY began_at, ended_at`,
  result: ({ call, ...timed }) => ({ ...call, ...timed }),
});

/** Removes the calls of an attempt that has ended. */
export const removeCalls = noRows<[attemptId: string]>({
  name: 'sweep-seen-calls',
  text: `DELETE FROM conformance_calls WHERE attempt_id = $1`,
});
