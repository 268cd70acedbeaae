import * as Type from '../type.ts';
import { Reservation } from '../partner/schemas/reservation.ts';
import { EventId } from '../portal/schemas/shared.ts';
import { LoggedRequestInFull, RequestPage } from '../portal/schemas/requests.ts';
import type { CommonOwnErrorCode, RowReasons } from '../own-errors.ts';
import { completeRows, type StatedRow } from '../complete-rows.ts';
import type { ReplyOfRow, Row, StaticOf } from '../rows.ts';
import type { SandboxErrorCode, sandboxReasons } from './errors.ts';
import * as conformance from './conformance.ts';
import * as schemas from './schemas.ts';

/** One row of the sandbox's operation table. A token of any scope may call it, and it uses no quota. */
export interface SandboxRow extends Row {
  path: `/sandbox/v1/${string}`;
  scope?: never;
  tier?: never;
  errors: readonly Exclude<SandboxErrorCode, CommonOwnErrorCode | 'forbidden'>[];
  /** Reasons that only this operation gives. */
  reasons?: RowReasons<typeof sandboxReasons>;
}

/** What can be in a path, by name. */
const pathMembers = {
  eventId: EventId('The event.'),
  reference: Type.Text('The reference.'),
  requestId: Type.UuidInput('The `x-request-id` of the response.'),
  runId: Type.UuidInput('The run.'),
  scenario: Type.String({ maxLength: 100, description: 'The scenario.' }),
};

/** The operation table of the sandbox. Spec: SANDBOX-1. */
export const sandboxOperations = completeRows(pathMembers, {
  'sandbox.faults.put': {
    call: 'PUT /sandbox/v1/faults',
    tag: 'Faults',
    summary: 'Set the rules of faults',
    description:
      'They replace those before, and counts begin anew. A rule acts directly after the grant was checked: calls that end there or before are not counted, repeats and invalid ones are.',
    body: schemas.PutFaults,
    reply: { 200: schemas.Faults },
  },
  'sandbox.faults.get': {
    call: 'GET /sandbox/v1/faults',
    tag: 'Faults',
    summary: 'Read the rules with their hits',
    reply: { 200: schemas.Faults },
  },
  'sandbox.faults.delete': {
    call: 'DELETE /sandbox/v1/faults',
    tag: 'Faults',
    summary: 'Remove the rules',
    reply: { 204: null },
  },
  'sandbox.expire': {
    call: 'POST /sandbox/v1/expire',
    tag: 'Acts',
    summary: 'End tokens, a quote, a session or events now',
    body: schemas.Expire,
    reply: { 204: null },
    errors: ['not_found'],
  },
  'sandbox.reservation.act': {
    call: 'POST /sandbox/v1/reservations/{reference}/act',
    tag: 'Acts',
    summary: 'Cancel or change a reservation, as staff would',
    body: schemas.Act,
    reply: { 200: Reservation },
    reasons: {
      conflict: ['no_effect', 'nights_taken'],
      invalid_state: ['reservation_not_confirmed'],
    },
    errors: ['not_found', 'conflict', 'invalid_state'],
  },
  'sandbox.outcome.order': {
    call: 'POST /sandbox/v1/next-outcome',
    tag: 'Acts',
    summary: 'Order the outcome of the next booking',
    body: schemas.OrderOutcome,
    reply: { 200: schemas.OrderedOutcome },
  },
  'sandbox.event.deliver': {
    call: 'POST /sandbox/v1/events/{eventId}/deliver',
    tag: 'Acts',
    summary: 'Deliver an event once more',
    description: 'To every active endpoint. It is sent once: no failure is tried again.',
    body: schemas.Deliver,
    reply: { 202: schemas.Ordered },
    reasons: { invalid_state: ['no_endpoint'] },
    errors: ['not_found', 'invalid_state'],
  },
  'sandbox.request.list': {
    call: 'GET /sandbox/v1/requests',
    tag: 'Requests',
    summary: 'List the calls of the application',
    query: schemas.RequestQuery,
    reply: { 200: RequestPage },
  },
  'sandbox.request.get': {
    call: 'GET /sandbox/v1/requests/{requestId}',
    tag: 'Requests',
    summary: 'Read a call of the application',
    reply: { 200: LoggedRequestInFull },
  },
  'sandbox.run.start': {
    call: 'POST /sandbox/v1/conformance-runs',
    tag: 'Conformance',
    summary: 'Begin a conformance run',
    description:
      'It drives nothing: start one scenario after the other, let your program do its task, and say the outcome. Your own faults and next outcomes rest while a scenario runs.',
    body: conformance.StartRun,
    reply: { 201: conformance.Run },
    reasons: { conflict: ['run_open'], policy_restricted: ['profile'] },
    errors: ['conflict', 'policy_restricted'],
  },
  'sandbox.run.list': {
    call: 'GET /sandbox/v1/conformance-runs',
    tag: 'Conformance',
    summary: 'List the runs',
    query: conformance.RunQuery,
    reply: { 200: conformance.RunPage },
  },
  'sandbox.run.get': {
    call: 'GET /sandbox/v1/conformance-runs/{runId}',
    tag: 'Conformance',
    summary: 'Read a run',
    reply: { 200: conformance.Run },
  },
  'sandbox.run.delete': {
    call: 'DELETE /sandbox/v1/conformance-runs/{runId}',
    tag: 'Conformance',
    summary: 'Abandon a run that has not ended',
    reply: { 204: null },
    reasons: { invalid_state: ['run_final'] },
    errors: ['not_found', 'invalid_state'],
  },
  'sandbox.run.finish': {
    call: 'POST /sandbox/v1/conformance-runs/{runId}/finish',
    tag: 'Conformance',
    summary: 'End a run',
    description: 'What waits or runs is skipped.',
    reply: { 200: conformance.Run },
    reasons: { invalid_state: ['run_final'] },
    errors: ['not_found', 'invalid_state'],
  },
  'sandbox.run.report': {
    call: 'GET /sandbox/v1/conformance-runs/{runId}/report',
    tag: 'Conformance',
    summary: 'Read the signed report of a run that has ended',
    reply: { 200: conformance.Report },
    replyType: 'application/jose',
    reasons: { invalid_state: ['run_open'] },
    errors: ['not_found', 'invalid_state'],
  },
  'sandbox.scenario.start': {
    call: 'POST /sandbox/v1/conformance-runs/{runId}/scenarios/{scenario}/start',
    tag: 'Conformance',
    summary: 'Start a scenario',
    description: 'A judged one may be started again: its last result counts.',
    reply: { 200: conformance.Scenario },
    reasons: { invalid_state: ['scenario_running', 'run_final', 'skipped'] },
    errors: ['not_found', 'invalid_state'],
  },
  'sandbox.scenario.finish': {
    call: 'POST /sandbox/v1/conformance-runs/{runId}/scenarios/{scenario}/finish',
    tag: 'Conformance',
    summary: 'Say the outcome of a task, and have it judged',
    body: conformance.FinishScenario,
    reply: { 200: conformance.Scenario },
    reasons: { invalid_state: ['scenario_not_running', 'run_final'] },
    errors: ['not_found', 'invalid_state'],
  },
} as const satisfies Readonly<Record<string, StatedRow<SandboxRow>>>);

export type SandboxOperationId = keyof typeof sandboxOperations;

/** All operation IDs of the sandbox, in the order of the table. */
export const sandboxOperationIds = Object.keys(sandboxOperations) as SandboxOperationId[];

/** A row with its table's common type. */
export const sandboxRowOf = (id: SandboxOperationId): SandboxRow => sandboxOperations[id];

/** Status and body of an operation's successful responses. */
export type SandboxReplyOf<Id extends SandboxOperationId> = ReplyOfRow<
  (typeof sandboxOperations)[Id]
>;

/** The body of an operation's request. */
export type SandboxBodyOf<Id extends SandboxOperationId> = StaticOf<
  (typeof sandboxOperations)[Id],
  'body'
>;
