import Type from 'typebox';
import type { ReplyOfRow, Row, StaticOf } from '../rows.ts';
import { UuidInput } from '../partner/schemas/primitives.ts';
import type { commonPortalErrors, PortalErrorCode } from './errors.ts';
import * as shape from './schemas.ts';

type CommonPortalError = (typeof commonPortalErrors)[number];

/** One row of the portal's operation table. */
export interface PortalRow extends Row {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: `/portal/v1/${string}`;
  /** Codes beside those that every call can answer, and 403 for those that change something. */
  errors: readonly Exclude<PortalErrorCode, CommonPortalError | 'forbidden'>[];
}

const endpointPath = Type.Object({ endpointId: UuidInput('The endpoint.') });
const deliveryPath = Type.Object({ deliveryId: UuidInput('The delivery.') });

/** THE operation table of the portal. */
export const portalOperations = {
  'portal.session.begin': {
    method: 'POST',
    path: '/portal/v1/session',
    tag: 'Session',
    summary: 'Begin a session with a link',
    description:
      'The link is used up. The answer sets the cookie `latchkey_portal`, which every other call presents.',
    public: true,
    body: shape.BeginSession,
    reply: { 201: shape.Session },
    errors: [],
  },
  'portal.session.get': {
    method: 'GET',
    path: '/portal/v1/session',
    tag: 'Session',
    summary: 'Read the session',
    reply: { 200: shape.Session },
    errors: [],
  },
  'portal.session.end': {
    method: 'DELETE',
    path: '/portal/v1/session',
    tag: 'Session',
    summary: 'End the session',
    description: 'The cookie is removed, and is worth nothing from now on.',
    reply: { 204: null },
    errors: [],
  },
  'portal.eventType.list': {
    method: 'GET',
    path: '/portal/v1/event-types',
    tag: 'Events',
    summary: 'List the types of events',
    reply: { 200: shape.EventTypeList },
    errors: [],
  },
  'portal.endpoint.list': {
    method: 'GET',
    path: '/portal/v1/endpoints',
    tag: 'Endpoints',
    summary: 'List the endpoints',
    reply: { 200: shape.EndpointList },
    errors: [],
  },
  'portal.endpoint.add': {
    method: 'POST',
    path: '/portal/v1/endpoints',
    tag: 'Endpoints',
    summary: 'Add an endpoint',
    description: 'It gets every event from now on, and none from before.',
    body: shape.AddEndpoint,
    reply: { 201: shape.AddedEndpoint },
    errors: ['policy_restricted'],
  },
  'portal.endpoint.get': {
    method: 'GET',
    path: '/portal/v1/endpoints/{endpointId}',
    tag: 'Endpoints',
    summary: 'Read an endpoint',
    params: endpointPath,
    reply: { 200: shape.Endpoint },
    errors: ['not_found'],
  },
  'portal.endpoint.change': {
    method: 'PATCH',
    path: '/portal/v1/endpoints/{endpointId}',
    tag: 'Endpoints',
    summary: 'Change an endpoint',
    description: 'What is under way goes to the new URL from its next attempt on.',
    params: endpointPath,
    body: shape.ChangeEndpoint,
    reply: { 200: shape.Endpoint },
    errors: ['not_found'],
  },
  'portal.endpoint.delete': {
    method: 'DELETE',
    path: '/portal/v1/endpoints/{endpointId}',
    tag: 'Endpoints',
    summary: 'Delete an endpoint',
    description: 'With its deliveries, for good.',
    params: endpointPath,
    reply: { 204: null },
    errors: ['not_found'],
  },
  'portal.endpoint.pause': {
    method: 'POST',
    path: '/portal/v1/endpoints/{endpointId}/pause',
    tag: 'Endpoints',
    summary: 'Pause an endpoint',
    description: 'Nothing is attempted until it is resumed. One that is paused already stays so.',
    params: endpointPath,
    body: shape.EmptyBody,
    reply: { 200: shape.Endpoint },
    errors: ['not_found'],
  },
  'portal.endpoint.resume': {
    method: 'POST',
    path: '/portal/v1/endpoints/{endpointId}/resume',
    tag: 'Endpoints',
    summary: 'Resume an endpoint',
    description: 'After a pause, by hand or for failing, or after it was disabled by a 410.',
    params: endpointPath,
    body: shape.ResumeEndpoint,
    reply: { 200: shape.Endpoint },
    errors: ['not_found'],
  },
  'portal.endpoint.getSecret': {
    method: 'GET',
    path: '/portal/v1/endpoints/{endpointId}/secret',
    tag: 'Endpoints',
    summary: 'Reveal the secret',
    params: endpointPath,
    reply: { 200: shape.Secrets },
    errors: ['not_found'],
  },
  'portal.endpoint.rotateSecret': {
    method: 'POST',
    path: '/portal/v1/endpoints/{endpointId}/rotate-secret',
    tag: 'Endpoints',
    summary: 'Rotate the secret',
    description:
      'A new one signs from now on; the one before signs beside it for 24 hours. One that was rotated out before ends at once.',
    params: endpointPath,
    body: shape.EmptyBody,
    reply: { 200: shape.Secrets },
    errors: ['not_found'],
  },
  'portal.endpoint.test': {
    method: 'POST',
    path: '/portal/v1/endpoints/{endpointId}/test',
    tag: 'Endpoints',
    summary: 'Send a test event',
    description:
      'Made up, without `sequence`, and never in the feed. It is sent whatever types the endpoint has chosen.',
    params: endpointPath,
    body: shape.SendTest,
    reply: { 202: shape.Delivery },
    errors: ['not_found', 'invalid_state'],
  },
  'portal.endpoint.replay': {
    method: 'POST',
    path: '/portal/v1/endpoints/{endpointId}/replay',
    tag: 'Endpoints',
    summary: 'Send again what failed or was missed',
    description:
      'Each event keeps its `webhook-id`. An endpoint that is paused gets them when it is resumed.',
    params: endpointPath,
    body: shape.ReplayMany,
    reply: { 200: shape.Replayed },
    errors: ['not_found'],
  },
  'portal.delivery.list': {
    method: 'GET',
    path: '/portal/v1/deliveries',
    tag: 'Deliveries',
    summary: 'List deliveries',
    description: 'Newest first, 30 days back.',
    query: shape.DeliveryQuery,
    reply: { 200: shape.DeliveryPage },
    errors: [],
  },
  'portal.delivery.get': {
    method: 'GET',
    path: '/portal/v1/deliveries/{deliveryId}',
    tag: 'Deliveries',
    summary: 'Read a delivery with its attempts',
    params: deliveryPath,
    reply: { 200: shape.DeliveryInFull },
    errors: ['not_found'],
  },
  'portal.delivery.replay': {
    method: 'POST',
    path: '/portal/v1/deliveries/{deliveryId}/replay',
    tag: 'Deliveries',
    summary: 'Send a delivery again',
    description: 'A new round of attempts begins now, with the same `webhook-id`.',
    params: deliveryPath,
    body: shape.EmptyBody,
    reply: { 202: shape.Delivery },
    errors: ['not_found'],
  },
  'portal.event.list': {
    method: 'GET',
    path: '/portal/v1/events',
    tag: 'Events',
    summary: 'Read the feed backwards',
    description: 'Newest first, for people. Programs follow `GET /v1/events`.',
    query: shape.FeedQuery,
    reply: { 200: shape.NewestEvents },
    errors: [],
  },
  'portal.request.list': {
    method: 'GET',
    path: '/portal/v1/requests',
    tag: 'Requests',
    summary: 'Read the request log',
    description:
      'Calls that came with a good token, newest first, 30 days back, from the moment on at which the operator issued the first link. A call shows within about a second.',
    query: shape.RequestQuery,
    reply: { 200: shape.RequestPage },
    errors: [],
  },
} as const satisfies Record<string, PortalRow>;

export type PortalOperationId = keyof typeof portalOperations;
type RowOf<Id extends PortalOperationId> = (typeof portalOperations)[Id];

/** Every operation of the portal, in the order of the table. */
export const portalOperationIds = Object.keys(portalOperations) as PortalOperationId[];

/** The row of an operation, seen as any row. */
export const portalRowOf = (id: PortalOperationId): PortalRow => portalOperations[id];

/** Whether an operation changes something: it then has to come from our own page, or from a script. */
export const changesSomething = ({ method }: Pick<Row, 'method'>): boolean => method !== 'GET';

export type PortalParamsOf<Id extends PortalOperationId> = StaticOf<RowOf<Id>, 'params'>;
export type PortalQueryOf<Id extends PortalOperationId> = StaticOf<RowOf<Id>, 'query'>;
export type PortalBodyOf<Id extends PortalOperationId> = StaticOf<RowOf<Id>, 'body'>;

/** Status and body of an answer that is not an error. */
export type PortalReplyOf<Id extends PortalOperationId> = ReplyOfRow<RowOf<Id>>;
