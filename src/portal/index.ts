import type { PortalOperationId } from '../contract/portal/operations.ts';
import type { PortalSession } from '../db/portal-sessions.ts';
import type { PortalOperation, Visitor } from './call.ts';
import { getDelivery, listDeliveries, replayDelivery } from './deliveries.ts';
import * as endpoint from './endpoints.ts';
import { listEvents, listEventTypes } from './events.ts';
import { listRequests } from './requests.ts';
import { portalActor, readSession } from './session.ts';

export type { PortalSession } from '../db/portal-sessions.ts';
export type { EndpointHouse, PortalCall, PortalHouse, Visitor } from './call.ts';
export * as endpointActs from './endpoint-acts.ts';
export type { EndpointWish, ReplayWish } from './endpoint-acts.ts';
export { loggedPath } from './logged-path.ts';
export { startRequestRecorder, type RequestRecorder } from './request-recorder.ts';
export { beginSession, endSession, findSession } from './session.ts';
export { deliveryView, endpointView } from './views.ts';

/** The operations that are called within a session and leave it as it is. */
export type HandledPortalOperationId = Exclude<
  PortalOperationId,
  'portal.session.begin' | 'portal.session.end'
>;

/** Who acts in a session. */
export const portalVisitor = ({ application: { applicationId } }: PortalSession): Visitor => ({
  applicationId,
  actor: portalActor,
});

/** What is done for each operation of the portal; one that is missing does not compile. */
export const portalHandlers: { readonly [Id in HandledPortalOperationId]: PortalOperation<Id> } = {
  'portal.session.get': readSession,
  'portal.eventType.list': listEventTypes,
  'portal.endpoint.list': endpoint.listEndpoints,
  'portal.endpoint.add': endpoint.addEndpoint,
  'portal.endpoint.get': endpoint.getEndpoint,
  'portal.endpoint.change': endpoint.changeEndpoint,
  'portal.endpoint.delete': endpoint.deleteEndpoint,
  'portal.endpoint.pause': endpoint.pauseEndpoint,
  'portal.endpoint.resume': endpoint.resumeEndpoint,
  'portal.endpoint.getSecret': endpoint.getSecret,
  'portal.endpoint.rotateSecret': endpoint.rotateSecret,
  'portal.endpoint.test': endpoint.sendTest,
  'portal.endpoint.replay': endpoint.replayMany,
  'portal.delivery.list': listDeliveries,
  'portal.delivery.get': getDelivery,
  'portal.delivery.replay': replayDelivery,
  'portal.event.list': listEvents,
  'portal.request.list': listRequests,
};
