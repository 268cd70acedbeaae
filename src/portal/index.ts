import type { Operation } from '../api/operation.ts';
import type { PortalOperationId } from '../contract/portal/operations.ts';
import { getDelivery, listDeliveries, replayDelivery } from './deliveries.ts';
import * as endpoint from './endpoints.ts';
import { listEvents, listEventTypes } from './events.ts';
import { listRequests } from './requests.ts';
import { beginSession, endSession, readSession } from './session.ts';

export type { EndpointActor, EndpointContext, PortalActor, PortalContext } from './context.ts';
export { isFromAnotherSite, sessionSecretOf } from './cookie.ts';
export * as endpointActs from './endpoint-acts.ts';
export type { EndpointInput, ReplayInput } from './endpoint-acts.ts';
export { loggedPath } from './logged-path.ts';
export { startRequestRecorder, type RequestRecorder } from './request-recorder.ts';
export { findActor } from './session.ts';
export { deliveryView, endpointView } from './views.ts';

/** The operation of each row of the portal; one that is missing does not compile. */
export const portalOperations: { readonly [Id in PortalOperationId]: Operation<Id> } = {
  'portal.session.begin': beginSession,
  'portal.session.end': endSession,
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
