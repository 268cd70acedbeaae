import * as Type from '../type.ts';
import { completeRows, type StatedRow } from '../complete-rows.ts';
import type { ReplyOfRow, Row, StaticOf } from '../rows.ts';
import { EmptyBody } from '../partner/schemas/primitives.ts';
import { Event } from '../partner/schemas/event.ts';
import type { CommonOwnErrorCode, RowReasons } from '../own-errors.ts';
import type { PortalErrorCode, portalReasons } from './errors.ts';
import * as access from './schemas/access.ts';
import * as bookings from './schemas/bookings.ts';
import * as deliveries from './schemas/deliveries.ts';
import * as endpoints from './schemas/endpoints.ts';
import * as events from './schemas/events.ts';
import * as requests from './schemas/requests.ts';
import * as statements from './schemas/statements.ts';
import * as session from './schemas/session.ts';
import { EventId } from './schemas/shared.ts';

/** One row of the portal's operation table. */
export interface PortalRow extends Row {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: `/portal/v1/${string}`;
  /** A session may call every operation. */
  scope?: never;
  /** All operations consume one quota. */
  tier?: never;
  /** Codes in addition to those that every call can return, and to 403 of calls that change something. */
  errors: readonly Exclude<PortalErrorCode, CommonOwnErrorCode | 'forbidden'>[];
  /** Reasons that only this operation gives. */
  reasons?: RowReasons<typeof portalReasons>;
}

/** What can be in a path, by name. */
const pathMembers = {
  bookingId: Type.UuidInput('The checkout or reservation request.'),
  deliveryId: Type.UuidInput('The delivery.'),
  endpointId: Type.UuidInput('The endpoint.'),
  eventId: EventId('The event.'),
  keyId: Type.GivenText(100, 'The key, by its ID.'),
  kind: bookings.BookingKind,
  reference: Type.GivenText(100, 'The reservation.'),
  requestId: Type.UuidInput('The `x-request-id` of the response.'),
  runId: Type.UuidInput('The run.'),
  sessionId: Type.UuidInput('The session.'),
};

/** The operation table of the portal. */
export const portalOperations = completeRows(pathMembers, {
  'portal.session.begin': {
    call: 'POST /portal/v1/session',
    tag: 'Session',
    summary: 'Begin a session with a link',
    description:
      'A link works once. The response sets the cookie `latchkey_portal`, which every other call needs.',
    public: true,
    body: session.BeginSession,
    reply: { 201: session.Session },
    reasons: { unauthenticated: ['link'] },
  },
  'portal.session.get': {
    call: 'GET /portal/v1/session',
    tag: 'Session',
    summary: 'Read the session',
    reply: { 200: session.Session },
  },
  'portal.session.end': {
    call: 'DELETE /portal/v1/session',
    tag: 'Session',
    summary: 'End the session',
    description: 'The cookie is removed and no longer valid.',
    reply: { 204: null },
  },
  'portal.ownSession.list': {
    call: 'GET /portal/v1/sessions',
    tag: 'Session',
    summary: 'List your sessions',
    reply: { 200: session.OwnSessionList },
  },
  'portal.ownSession.end': {
    call: 'DELETE /portal/v1/sessions/{sessionId}',
    tag: 'Session',
    summary: 'End a session of yours',
    description: 'Its cookie is no longer valid. Only of a person, who has a link in their name.',
    reply: { 204: null },
  },
  'portal.ownLink.issue': {
    call: 'POST /portal/v1/own-link',
    tag: 'Session',
    summary: 'Issue a link for another browser of yours',
    description: 'It works once, within 24 hours, and opens a session in your name.',
    body: EmptyBody,
    reply: { 201: session.OwnLink },
    errors: ['not_found', 'policy_restricted'],
    reasons: { policy_restricted: ['no_person'] },
  },
  'portal.eventType.list': {
    call: 'GET /portal/v1/event-types',
    tag: 'Events',
    summary: 'List the types of events',
    reply: { 200: session.EventTypeList },
  },
  'portal.endpoint.list': {
    call: 'GET /portal/v1/endpoints',
    tag: 'Endpoints',
    summary: 'List the endpoints',
    reply: { 200: endpoints.EndpointList },
  },
  'portal.endpoint.add': {
    call: 'POST /portal/v1/endpoints',
    tag: 'Endpoints',
    summary: 'Add an endpoint',
    description: 'It receives every event from now on, and no earlier ones.',
    body: endpoints.AddEndpoint,
    reply: { 201: endpoints.AddedEndpoint },
    errors: ['policy_restricted'],
    reasons: { policy_restricted: ['too_many_endpoints'] },
  },
  'portal.endpoint.get': {
    call: 'GET /portal/v1/endpoints/{endpointId}',
    tag: 'Endpoints',
    summary: 'Read an endpoint',
    reply: { 200: endpoints.Endpoint },
  },
  'portal.endpoint.change': {
    call: 'PATCH /portal/v1/endpoints/{endpointId}',
    tag: 'Endpoints',
    summary: 'Change an endpoint',
    description: 'Pending deliveries use the new URL from their next attempt on.',
    body: endpoints.ChangeEndpoint,
    reply: { 200: endpoints.Endpoint },
  },
  'portal.endpoint.delete': {
    call: 'DELETE /portal/v1/endpoints/{endpointId}',
    tag: 'Endpoints',
    summary: 'Delete an endpoint',
    description: 'Also deletes its deliveries. This cannot be undone.',
    reply: { 204: null },
  },
  'portal.endpoint.pause': {
    call: 'POST /portal/v1/endpoints/{endpointId}/pause',
    tag: 'Endpoints',
    summary: 'Pause an endpoint',
    description:
      'Nothing is attempted until it is resumed. Pausing a paused endpoint has no effect.',
    body: EmptyBody,
    reply: { 200: endpoints.Endpoint },
  },
  'portal.endpoint.resume': {
    call: 'POST /portal/v1/endpoints/{endpointId}/resume',
    tag: 'Endpoints',
    summary: 'Resume an endpoint',
    description:
      'After a pause (manual, or because every attempt failed), or after a 410 disabled it.',
    body: endpoints.ResumeEndpoint,
    reply: { 200: endpoints.Endpoint },
  },
  'portal.endpoint.getSecret': {
    call: 'GET /portal/v1/endpoints/{endpointId}/secret',
    tag: 'Endpoints',
    summary: 'Reveal the secret',
    reply: { 200: endpoints.Secrets },
  },
  'portal.endpoint.rotateSecret': {
    call: 'POST /portal/v1/endpoints/{endpointId}/rotate-secret',
    tag: 'Endpoints',
    summary: 'Rotate the secret',
    description:
      'The new secret signs from now on. The previous secret also signs for 24 hours. Any older secret stops at once.',
    body: EmptyBody,
    reply: { 200: endpoints.Secrets },
  },
  'portal.endpoint.test': {
    call: 'POST /portal/v1/endpoints/{endpointId}/test',
    tag: 'Endpoints',
    summary: 'Send a test event',
    description:
      'A test event has example data and no `sequence`, and is not in the feed. It is sent regardless of the event types of the endpoint.',
    body: endpoints.SendTest,
    reply: { 202: deliveries.Delivery },
    errors: ['not_found', 'invalid_state'],
    reasons: { invalid_state: ['endpoint_not_active'] },
  },
  'portal.endpoint.countFailed': {
    call: 'GET /portal/v1/endpoints/{endpointId}/failed',
    tag: 'Endpoints',
    summary: 'Count what a replay of failed deliveries would send',
    description:
      'A delivery whose attempt is in progress, or whose event is no longer in the feed, is neither counted nor replayed.',
    query: endpoints.FailedQuery,
    reply: { 200: endpoints.FailedDeliveries },
  },
  'portal.endpoint.replay': {
    call: 'POST /portal/v1/endpoints/{endpointId}/replay',
    tag: 'Endpoints',
    summary: 'Replay failed or missed events',
    description:
      'Each event keeps its `webhook-id`. A paused endpoint receives them when it is resumed.',
    body: endpoints.ReplayMany,
    reply: { 200: endpoints.Replayed },
  },
  'portal.delivery.list': {
    call: 'GET /portal/v1/deliveries',
    tag: 'Deliveries',
    summary: 'List deliveries',
    description: 'Newest first, for the last 30 days.',
    query: deliveries.DeliveryQuery,
    reply: { 200: deliveries.DeliveryPage },
  },
  'portal.delivery.get': {
    call: 'GET /portal/v1/deliveries/{deliveryId}',
    tag: 'Deliveries',
    summary: 'Read a delivery with its attempts',
    reply: { 200: deliveries.DeliveryInFull },
  },
  'portal.delivery.replay': {
    call: 'POST /portal/v1/deliveries/{deliveryId}/replay',
    tag: 'Deliveries',
    summary: 'Replay a delivery',
    description: 'Starts a new series of attempts with the same `webhook-id`.',
    body: EmptyBody,
    reply: { 202: deliveries.Delivery },
  },
  'portal.event.list': {
    call: 'GET /portal/v1/events',
    tag: 'Events',
    summary: 'Read the latest events',
    description:
      'The feed in reverse order, newest first, for people. Programs use `GET /v1/events`.',
    query: events.FeedQuery,
    reply: { 200: events.NewestEvents },
  },
  'portal.event.get': {
    call: 'GET /portal/v1/events/{eventId}',
    tag: 'Events',
    summary: 'Read an event',
    description:
      'Its deliveries are those with its `eventId`; the calls of its booking are those about its `checkoutId` and `reference`.',
    reply: { 200: Event },
  },
  'portal.booking.find': {
    call: 'GET /portal/v1/bookings',
    tag: 'Bookings',
    summary: 'Find bookings by a reference or ID',
    query: bookings.BookingQuery,
    reply: { 200: bookings.BookingList },
  },
  'portal.booking.get': {
    call: 'GET /portal/v1/bookings/{kind}/{bookingId}',
    tag: 'Bookings',
    summary: 'Read a booking with its timeline',
    description: 'Guests are never shown.',
    reply: { 200: bookings.BookingInFull },
  },
  'portal.reservation.simulate': {
    call: 'POST /portal/v1/reservations/{reference}/simulate',
    tag: 'Bookings',
    summary: 'Cancel or change a reservation of the simulation now',
    description:
      'What the reservations team does in `test` and `live`: your program receives the event.',
    body: bookings.SimulatedChange,
    reply: { 200: bookings.SimulatedReservation },
    errors: ['not_found', 'invalid_state', 'policy_restricted'],
    reasons: {
      invalid_state: ['reservation_not_confirmed'],
      policy_restricted: ['simulation_only'],
    },
  },
  'portal.statement.get': {
    call: 'GET /portal/v1/statement',
    tag: 'Statements',
    summary: 'Read what you sold, changed, cancelled and owe in a month',
    description: 'By the month (UTC) of each effect, as the operator sees it.',
    query: statements.StatementQuery,
    reply: { 200: statements.Statement },
    errors: ['policy_restricted'],
    reasons: { policy_restricted: ['statement_too_long'] },
  },
  'portal.quota.get': {
    call: 'GET /portal/v1/quotas',
    tag: 'Access',
    summary: 'Read the use of the quotas',
    reply: { 200: access.Quotas },
  },
  'portal.key.list': {
    call: 'GET /portal/v1/keys',
    tag: 'Access',
    summary: 'List the keys',
    reply: { 200: access.KeyList },
  },
  'portal.key.issue': {
    call: 'POST /portal/v1/keys',
    tag: 'Access',
    summary: 'Issue a key',
    description: 'Only if the operator allows it. Existing keys keep working.',
    body: access.IssueKey,
    reply: { 201: access.IssuedKey },
    errors: ['policy_restricted'],
    reasons: {
      policy_restricted: [
        'keys_by_operator',
        'too_many_keys',
        'too_many_keys_ever',
        'report_required',
      ],
    },
  },
  'portal.key.revoke': {
    call: 'POST /portal/v1/keys/{keyId}/revoke',
    tag: 'Access',
    summary: 'Revoke a key permanently',
    description:
      'Only if the operator allows it. The key gets no more tokens; existing tokens end within seconds.',
    body: access.RevokeKey,
    reply: { 200: access.Key },
    errors: ['not_found', 'policy_restricted'],
    reasons: { policy_restricted: ['keys_by_operator', 'last_key'] },
  },
  'portal.request.get': {
    call: 'GET /portal/v1/requests/{requestId}',
    tag: 'Requests',
    summary: 'Read a call by its request ID',
    description:
      'Includes refused calls, and calls to unknown paths. The log keeps at most 60 calls a minute to unknown paths.',
    reply: { 200: requests.LoggedRequestInFull },
  },
  'portal.request.list': {
    call: 'GET /portal/v1/requests',
    tag: 'Requests',
    summary: 'Read the request log',
    description:
      'Calls with a valid token, newest first, for the last 30 days, beginning when the operator issued the first link. A call appears within about a second.',
    query: requests.RequestQuery,
    reply: { 200: requests.RequestPage },
  },
} as const satisfies Readonly<Record<string, StatedRow<PortalRow>>>);

export type PortalOperationId = keyof typeof portalOperations;
type RowOf<Id extends PortalOperationId> = (typeof portalOperations)[Id];

/** Every operation of the portal, in the order of the table. */
export const portalOperationIds = Object.keys(portalOperations) as PortalOperationId[];

/** The row of an operation, without its literal types. */
export const portalRowOf = (id: PortalOperationId): PortalRow => portalOperations[id];

export type PortalParamsOf<Id extends PortalOperationId> = StaticOf<RowOf<Id>, 'params'>;
export type PortalQueryOf<Id extends PortalOperationId> = StaticOf<RowOf<Id>, 'query'>;
export type PortalBodyOf<Id extends PortalOperationId> = StaticOf<RowOf<Id>, 'body'>;

/** Status and body of a successful response. */
export type PortalReplyOf<Id extends PortalOperationId> = ReplyOfRow<RowOf<Id>>;
