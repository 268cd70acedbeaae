import {
  beginSession,
  endOwnSession,
  issueOwnLink,
  listOwnSessions,
  endSession,
  issueOwnKey,
  listOwnKeys,
  readSession,
  revokeOwnKey,
} from '../access/index.ts';
import type { Operation } from '../api/operation.ts';
import {
  type BookingPortalContext,
  findBookings,
  getBooking,
  getQuotas,
  getStatement,
  simulateChange,
} from '../bookings/index.ts';
import type { PortalOperationId } from '../contract/portal/operations.ts';
import {
  addEndpoint,
  changeEndpoint,
  countFailedDeliveries,
  deleteEndpoint,
  getDelivery,
  getEndpoint,
  getSecret,
  listDeliveries,
  listEndpoints,
  pauseEndpoint,
  replayDelivery,
  replayMany,
  resumeEndpoint,
  rotateSecret,
  sendTest,
} from '../webhooks/index.ts';
import { getEventInPortal, listEventsInPortal, listEventTypes } from '../events/index.ts';
import { getRequest, listRequests } from '../request-log/index.ts';

/** The operation of each row of the portal's table. A missing one does not compile. */
export const portalOperations: {
  readonly [Id in PortalOperationId]: Operation<Id, BookingPortalContext>;
} = {
  'portal.ownLink.issue': issueOwnLink,
  'portal.ownSession.end': endOwnSession,
  'portal.ownSession.list': listOwnSessions,
  'portal.session.begin': beginSession,
  'portal.session.end': endSession,
  'portal.session.get': readSession,
  'portal.eventType.list': listEventTypes,
  'portal.endpoint.list': listEndpoints,
  'portal.endpoint.add': addEndpoint,
  'portal.endpoint.get': getEndpoint,
  'portal.endpoint.change': changeEndpoint,
  'portal.endpoint.delete': deleteEndpoint,
  'portal.endpoint.pause': pauseEndpoint,
  'portal.endpoint.resume': resumeEndpoint,
  'portal.endpoint.getSecret': getSecret,
  'portal.endpoint.rotateSecret': rotateSecret,
  'portal.endpoint.test': sendTest,
  'portal.endpoint.replay': replayMany,
  'portal.endpoint.countFailed': countFailedDeliveries,
  'portal.delivery.list': listDeliveries,
  'portal.delivery.get': getDelivery,
  'portal.delivery.replay': replayDelivery,
  'portal.event.list': listEventsInPortal,
  'portal.event.get': getEventInPortal,
  'portal.booking.find': findBookings,
  'portal.booking.get': getBooking,
  'portal.reservation.simulate': simulateChange,
  'portal.statement.get': getStatement,
  'portal.quota.get': getQuotas,
  'portal.key.list': listOwnKeys,
  'portal.key.issue': issueOwnKey,
  'portal.key.revoke': revokeOwnKey,
  'portal.request.get': getRequest,
  'portal.request.list': listRequests,
};
