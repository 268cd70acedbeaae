/** What partners ask to cancel or change. A trigger writes the event of a decision. */
import type { ChangeRequestState } from '../../contract/states.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import { maxUuid } from '../../platform/uuid.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows, oneRow, theValue } from '../../platform/postgres/statement-functions.ts';
import type { SealedColumn } from '../../platform/postgres/sealed-columns.ts';
import type { ChangeRequest } from '../rules/change-request.ts';
import { namesOf } from './booking-row.ts';

/** A request as it is read: its note is sealed. */
type Row = Omit<ChangeRequest, 'note'> & { sealed: Buffer | null };

const columns = `c.application_id AS "applicationId", c.change_request_id AS "changeRequestId", c.reference, c.kind,
  c.check_in AS "checkIn", c.check_out AS "checkOut", c.party, c.note_sealed AS sealed, c.preview, c.state, c.reason,
  c.created_at AS "createdAt", c.decided_at AS "decidedAt"`;

type RequestName = Pick<ChangeRequest, 'applicationId' | 'changeRequestId'>;

const noteContext = ({ applicationId, changeRequestId }: RequestName): string =>
  `change request ${applicationId} ${changeRequestId}`;

const requestOf = ({ sealed, ...request }: Row, { vault }: Executor): ChangeRequest => ({
  ...request,
  note: sealed && vault.open('guest', sealed, noteContext(request)),
});

/** A request, with the digest of the input that it was made from. */
export interface FoundChangeRequest {
  request: ChangeRequest;
  inputDigest: Buffer;
}

/** Reads a request of an application. */
export const findChangeRequest = oneRow<
  [name: RequestName],
  Row & Pick<FoundChangeRequest, 'inputDigest'>,
  FoundChangeRequest
>({
  name: 'find-change-request',
  text: `SELECT ${columns}, c.input_digest AS "inputDigest" FROM change_requests c
    WHERE c.change_request_id = $2 AND c.application_id = $1`,
  values: ({ applicationId, changeRequestId }) => [applicationId, changeRequestId],
  result: ({ inputDigest, ...row }, executor) => ({
    request: requestOf(row, executor),
    inputDigest,
  }),
});

/** Reads the request for a reservation that is not decided. */
export const findOpenRequest = oneRow<[reference: string], Row, ChangeRequest>({
  name: 'find-open-change-request',
  text: `SELECT ${columns} FROM change_requests c WHERE c.reference = $1 AND c.state = 'open'`,
  result: requestOf,
});

/** Counts the requests for a reservation up to `atMost`. */
export const countRequests = theValue<[reference: string, atMost: number], number>({
  name: 'count-change-requests',
  text: `SELECT count(*)::integer AS count FROM (
      SELECT FROM change_requests WHERE reference = $1 LIMIT $2) found`,
});

/** A request that is about to be written, and the version of the reservation that it was decided for. */
export interface NewChangeRequest extends Omit<
  ChangeRequest,
  'state' | 'reason' | 'createdAt' | 'decidedAt'
> {
  state: 'open' | 'accepted';
  version: number;
}

// The lock orders it against a change of the reservation, which declines what is open.
const insertStatement: Statement = {
  name: 'insert-change-request',
  text: `WITH held AS (
      SELECT reference FROM reservations
      WHERE reference = $3 AND application_id = $1 AND version = $12 AND state = 'confirmed' FOR SHARE
    )
    INSERT INTO change_requests AS c (application_id, change_request_id, input_digest, reference, kind, check_in,
      check_out, party, note_sealed, preview, state, decided_at)
    SELECT $1, $2, $4, reference, $5, $6, $7, $8, $9, $10, $11, CASE WHEN $11 <> 'open' THEN now() END FROM held
    ON CONFLICT DO NOTHING
    RETURNING ${columns}`,
};

/** Writes a request. Undefined: the reservation has changed, or it or another request is there already. */
export async function insertChangeRequest(
  executor: Executor,
  made: NewChangeRequest,
  inputDigest: Buffer,
): Promise<ChangeRequest | undefined> {
  const { note, party } = made;
  const [row] = await executor.query<Row>(insertStatement, [
    made.applicationId,
    made.changeRequestId,
    made.reference,
    inputDigest,
    made.kind,
    made.checkIn,
    made.checkOut,
    party && JSON.stringify(party),
    note === null ? null : executor.vault.seal('guest', note, noteContext(made)),
    JSON.stringify(made.preview),
    made.state,
    made.version,
  ]);
  return row && requestOf(row, executor);
}

/** Decides an open request, which sends its event. Undefined: somebody else has decided it. */
export const writeDecision = oneRow<
  [name: RequestName, state: Exclude<ChangeRequestState, 'open'>, reason: string | null],
  Row,
  ChangeRequest
>({
  name: 'decide-change-request',
  text: `UPDATE change_requests c SET state = $3, reason = $4, decided_at = now()
    WHERE c.change_request_id = $2 AND c.application_id = $1 AND c.state = 'open'
    RETURNING ${columns}`,
  values: ({ applicationId, changeRequestId }, state, reason) => [
    applicationId,
    changeRequestId,
    state,
    reason,
  ],
  result: requestOf,
});

/** Finds the open request for a reservation that has waited this long. */
export const findDueRequest = oneRow<
  [changeRequest: Pick<ChangeRequest, 'applicationId' | 'reference'>, afterSeconds: number],
  RequestName
>({
  name: 'find-due-change-request',
  text: `SELECT c.application_id AS "applicationId", c.change_request_id AS "changeRequestId"
    FROM change_requests c WHERE c.reference = $2 AND c.application_id = $1 AND c.state = 'open'
      AND c.created_at <= now() - make_interval(secs => $3)`,
  values: ({ applicationId, reference }, afterSeconds) => [applicationId, reference, afterSeconds],
});

/** Which requests to list; absent members: all. */
export interface ChangeRequestFilter {
  reference?: string | undefined;
  state?: ChangeRequestState | undefined;
}

/** The last request of the page before. */
export interface ChangeRequestPosition {
  createdAt: EpochMs;
  changeRequestId: string;
}

const startOf = (after: ChangeRequestPosition | null): [string, string] =>
  after ? [instant(after.createdAt), after.changeRequestId] : ['infinity', maxUuid];

// A filter that is given has a text of its own. A reservation has few requests. Else: an array, and its column first in the
// order, so that only the index that begins with it has the order. With `=`, the planner may go through the requests of all.
const filtersOf = ({ reference, state }: ChangeRequestFilter) => ({
  variant: `${reference === undefined ? 'all' : 'reference'}-${state === undefined ? 'any' : 'state'}`,
  from:
    reference === undefined
      ? 'change_requests'
      : '(SELECT * FROM change_requests WHERE reference = $5 OFFSET 0)',
  inState:
    state === undefined
      ? ''
      : `c.state = ANY (ARRAY[$${reference === undefined ? 5 : 6}::text]) AND `,
  byState: state === undefined ? '' : 'c.state DESC, ',
});

const valuesOf = ({ reference, state }: ChangeRequestFilter): string[] =>
  [reference, state].filter((value) => value !== undefined);

function ownStatement(filter: ChangeRequestFilter): Statement {
  const { variant, from, inState, byState } = filtersOf(filter);
  return {
    name: 'list-change-requests-of-application',
    variant,
    text: `SELECT ${columns} FROM ${from} c
      WHERE c.application_id = ANY (ARRAY[$1::uuid]) AND ${inState}(c.created_at, c.change_request_id) < ($2, $3)
      ORDER BY c.application_id DESC, ${byState}c.created_at DESC, c.change_request_id DESC LIMIT $4`,
  };
}

/** Lists requests of an application, newest first, after the last one of the page before. */
export async function listOwnRequests(
  executor: Executor,
  applicationId: string,
  filter: ChangeRequestFilter,
  { after, atMost }: { after: ChangeRequestPosition | null; atMost: number },
): Promise<ChangeRequest[]> {
  const given = [applicationId, ...startOf(after), atMost, ...valuesOf(filter)];
  const rows = await executor.query<Row>(ownStatement(filter), given);
  return rows.map((row) => requestOf(row, executor));
}

/** A request as staff see it. */
export interface ListedChangeRequest {
  request: ChangeRequest;
  /** The slug of the home; null: it no longer exists. */
  listing: string | null;
  /** The name of the home. */
  listingName: string | null;
  /** The name of the application. */
  application: string;
  /** What the stay costs now, in minor units. */
  total: number;
}

type ListedRow = Row & Omit<ListedChangeRequest, 'request'>;

const listedColumns = `${columns}, l.slug AS listing, l.name AS "listingName", a.name AS application,
  (r.charges ->> 'total')::bigint AS total`;
const withNames = `CROSS JOIN LATERAL (
      SELECT charges, listing_id FROM reservations WHERE reference = c.reference OFFSET 0) r
    ${namesOf('c.application_id', 'r.listing_id')}`;

const listedOf = (
  { listing, listingName, application, total, ...row }: ListedRow,
  executor: Executor,
): ListedChangeRequest => ({
  request: requestOf(row, executor),
  listing,
  listingName,
  application,
  total,
});

function listStatement(filter: ChangeRequestFilter): Statement {
  const { variant, from, inState, byState } = filtersOf(filter);
  const order = `${byState}c.created_at DESC, c.application_id DESC, c.change_request_id DESC`;
  return {
    name: 'list-change-requests',
    variant,
    text: `SELECT ${listedColumns} FROM (
        SELECT * FROM ${from} c
        WHERE ${inState}(c.created_at, c.application_id, c.change_request_id) < ($1, $2, $3)
        ORDER BY ${order} LIMIT $4) c
    ${withNames}
    ORDER BY ${order}`,
  };
}

/** The last request of the page before, among those of all applications. */
export interface StaffRequestPosition extends ChangeRequestPosition {
  applicationId: string;
}

/** Lists requests of all applications, newest first, after the last one of the page before. */
export async function listChangeRequests(
  executor: Executor,
  filter: ChangeRequestFilter,
  after: StaffRequestPosition | null,
  atMost: number,
): Promise<ListedChangeRequest[]> {
  const [createdAt, changeRequestId] = startOf(after);
  const key = [createdAt, after?.applicationId ?? maxUuid, changeRequestId];
  const given = [...key, atMost, ...valuesOf(filter)];
  const rows = await executor.query<ListedRow>(listStatement(filter), given);
  return rows.map((row) => listedOf(row, executor));
}

/** Reads the requests with an ID, of all applications. */
export const findChangeRequestsById = manyRows<
  [changeRequestId: string],
  ListedRow,
  ListedChangeRequest
>({
  name: 'find-change-requests-by-id',
  text: `SELECT ${listedColumns} FROM change_requests c ${withNames} WHERE c.change_request_id = $1
    ORDER BY c.created_at`,
  result: listedOf,
});

/** What partners have written with their requests. */
export const sealedRequestNotes: readonly SealedColumn[] = [
  {
    table: 'change_requests',
    column: 'note_sealed',
    purpose: 'guest',
    key: { change_request_id: 'uuid', application_id: 'uuid' },
    context: ([changeRequestId, applicationId]) =>
      noteContext({ applicationId: applicationId!, changeRequestId: changeRequestId! }),
  },
];
