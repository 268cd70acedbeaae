import { maxUuid } from '../../platform/uuid.ts';
import type { ErrorCode, InvalidField } from '../../contract/errors.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { LoggedStay } from '../stay.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { noRows, oneRow } from '../../platform/postgres/statement-functions.ts';

/** A logged call of an application, without query, body or guest details. */
export interface LoggedRequest extends LoggedStay {
  applicationId: string;
  at: EpochMs;
  requestId: string;
  method: string;
  path: string;
  operation: string | null;
  /** 0: the sandbox has ended the connection. */
  status: number;
  code: ErrorCode | null;
  reason: string | null;
  /** What the sandbox did to it; null: nothing. */
  fault: string | null;
  invalidFields: readonly InvalidField[];
  /** The checkout, request, quote or reservation that it is about. */
  about: string | null;
  durationMs: number;
}

/** The end position of a page of the log. */
export interface LogPosition {
  at: EpochMs;
  requestId: string;
}

/** A logged call with the name of its home; null: it is about none, or it no longer exists. */
export interface ShownRequest extends LoggedRequest {
  home: string | null;
}

/** Writes calls into the log in one statement. */
export const insertRequests = noRows<[requests: readonly LoggedRequest[]]>({
  name: 'insert-requests',
  text: `INSERT INTO request_log (application_id, at, request_id, method, path, operation, status,
      code, duration_ms, reason, invalid_fields, about, fault, listing_id, check_in, check_out)
    SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::uuid[], $4::text[], $5::text[],
      $6::text[], $7::integer[], $8::text[], $9::integer[], $10::text[], $11::json[], $12::text[],
      $13::text[], $14::uuid[], $15::date[], $16::date[])
    ON CONFLICT DO NOTHING`,
  values: (requests) => [
    requests.map(({ applicationId }) => applicationId),
    requests.map(({ at }) => instant(at)),
    ...columnsOf(
      requests,
      'requestId',
      'method',
      'path',
      'operation',
      'status',
      'code',
      'durationMs',
      'reason',
    ),
    requests.map(({ invalidFields }) =>
      invalidFields.length === 0 ? null : JSON.stringify(invalidFields),
    ),
    ...columnsOf(requests, 'about', 'fault', 'listingId', 'checkIn', 'checkOut'),
  ],
});

/** The query of a page of the log. */
export interface LogQuery {
  method: string | undefined;
  /** Both bounds are inclusive. */
  status: { from: number; to: number };
  code: string | undefined;
  operation: string | undefined;
  /** IDs and references of what the calls are about; empty: any. */
  about: readonly string[];
  before: LogPosition | null;
  /** Only calls from this instant on, and before the other one. */
  from?: EpochMs | undefined;
  until?: EpochMs | undefined;
  atMost: number;
  /** The maximum number of scanned calls, so that a rare filter does not scan a whole month at once. */
  scanAtMost: number;
}

/** A page of the log. */
export interface LogPage {
  requests: ShownRequest[];
  /** The oldest scanned call, if older ones may exist. Null: all were scanned. */
  lookedUntil: LogPosition | null;
}

/** The columns of a call and of its home `l`. */
const columns = `application_id AS "applicationId", at, request_id AS "requestId", method, path, operation, status, code,
      reason, coalesce(invalid_fields, '[]') AS "invalidFields", about, fault, duration_ms AS "durationMs",
      listing_id AS "listingId", check_in AS "checkIn", check_out AS "checkOut", l.name AS home`;

const newestFirst = 'ORDER BY at DESC, request_id DESC';

/** Calls before a position, newest first. */
const looked = `SELECT * FROM request_log WHERE application_id = $1 AND (at, request_id) < ($2, $3)
      ${newestFirst}`;

// Reads no more than a page needs of each subject. `OFFSET 0` keeps the planner from an index of all calls of the
// application.
const lookedAbout = (subjects: string, atMost: string): string => `SELECT l.*
      FROM (SELECT DISTINCT subject FROM unnest(${subjects}::text[]) subject) wanted
      CROSS JOIN LATERAL (
        SELECT * FROM (
          SELECT * FROM request_log WHERE about = wanted.subject AND (at, request_id) < ($2, $3)
          ${newestFirst} OFFSET 0) named
        WHERE application_id = $1 ${newestFirst} LIMIT ${atMost}) l
      ${newestFirst}`;

// Ends early: the filter reads rows of the inner statement until the page is full.
const listText = (calls: string): string => `SELECT ${columns}
    FROM (SELECT * FROM (${calls} LIMIT $9) looked
      WHERE ($4::text IS NULL OR method = $4) AND status BETWEEN $5 AND $6
        AND ($7::text IS NULL OR code = $7) AND ($8::text IS NULL OR operation = $8)
        AND ($11::timestamptz IS NULL OR at >= $11)
      ${newestFirst} LIMIT $10) page
    LEFT JOIN LATERAL (SELECT name FROM listings WHERE listing_id = page.listing_id OFFSET 0) l ON true
    ${newestFirst}`;

const lookedUntilText = (calls: string): string =>
  `SELECT at, request_id AS "requestId" FROM (${calls} OFFSET $4 LIMIT 1) last`;

const listStatements = {
  any: {
    list: { name: 'list-requests-logged', text: listText(looked) },
    lookedUntil: { name: 'find-request-looked-at', text: lookedUntilText(looked) },
  },
  about: {
    list: {
      name: 'list-requests-logged',
      variant: 'about',
      text: listText(lookedAbout('$12', '$9')),
    },
    lookedUntil: {
      name: 'find-request-looked-at',
      variant: 'about',
      text: lookedUntilText(lookedAbout('$5', '$4 + 1')),
    },
  },
} as const satisfies Record<string, Record<string, Statement>>;

const afterAll = ['infinity', maxUuid] as const;

const firstUuid = '00000000-0000-0000-0000-000000000000';

/** What the calls of a page are before: the last of the page before, or the end of the time that was asked for. */
function startOf({ before, until }: LogQuery): readonly [at: string, requestId: string] {
  if (before) return [instant(before.at), before.requestId];
  return until === undefined ? afterAll : [instant(until), firstUuid];
}

/** Lists calls of an application that match the filters, newest first. */
export async function listLoggedRequests(
  executor: Executor,
  applicationId: string,
  question: LogQuery,
): Promise<LogPage> {
  const from = startOf(question);
  const { list, lookedUntil } = listStatements[question.about.length === 0 ? 'any' : 'about'];
  const named = question.about.length === 0 ? [] : [question.about];
  const requests = await executor.query<ShownRequest>(list, [
    applicationId,
    ...from,
    question.method,
    question.status.from,
    question.status.to,
    question.code,
    question.operation,
    question.scanAtMost,
    question.atMost,
    instant(question.from ?? null),
    ...named,
  ]);
  if (requests.length === question.atMost) return { requests, lookedUntil: null };
  const [last] = await executor.query<LogPosition>(lookedUntil, [
    applicationId,
    ...from,
    question.scanAtMost - 1,
    ...named,
  ]);
  if (!last || last.at < (question.from ?? 0)) return { requests, lookedUntil: null };
  return { requests, lookedUntil: last };
}

/** Reads a logged call of an application by its request ID. */
export const findLoggedRequest = oneRow<[applicationId: string, requestId: string], ShownRequest>({
  name: 'find-request-logged',
  text: `SELECT ${columns}
    FROM (SELECT * FROM request_log WHERE request_id = $2 OFFSET 0) found
    LEFT JOIN LATERAL (SELECT name FROM listings WHERE listing_id = found.listing_id OFFSET 0) l ON true
    WHERE application_id = $1`,
});
