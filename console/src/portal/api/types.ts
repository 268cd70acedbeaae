/** The request and response types of the portal API, derived from its operation table. */
import type { SandboxBodyOf, SandboxReplyOf } from '#contract/sandbox/operations.ts';
import type {
  PortalBodyOf,
  PortalOperationId,
  PortalQueryOf,
  PortalReplyOf,
} from '#contract/portal/operations.ts';

type BodyOf<Id extends PortalOperationId> = PortalReplyOf<Id>['body'];
type ItemOf<List extends { items: readonly unknown[] }> = List['items'][number];

export type {
  AddedEndpoint,
  Delivery,
  Endpoint,
  EndpointInput,
  EventType,
  MissedChoice,
} from '../../base/webhooks/types.ts';
export type { LoggedRequestInFull } from '../../base/requests/types.ts';

export type Session = BodyOf<'portal.session.get'>;
export type OwnSessionList = BodyOf<'portal.ownSession.list'>;
export type OwnSession = ItemOf<OwnSessionList>;
export type OwnLink = BodyOf<'portal.ownLink.issue'>;
export type EventTypeList = BodyOf<'portal.eventType.list'>;
export type EventTypeInfo = ItemOf<EventTypeList>;

export type EndpointList = BodyOf<'portal.endpoint.list'>;
export type Secrets = BodyOf<'portal.endpoint.getSecret'>;
export type ReplayInput = PortalBodyOf<'portal.endpoint.replay'>;
export type Replayed = BodyOf<'portal.endpoint.replay'>;

export type DeliveryPage = BodyOf<'portal.delivery.list'>;
export type DeliveryDetail = BodyOf<'portal.delivery.get'>;
export type SignedRequest = NonNullable<DeliveryDetail['lastRequest']>;

export type EventPage = BodyOf<'portal.event.list'>;
export type FeedEvent = ItemOf<EventPage>;

export type FailedDeliveries = BodyOf<'portal.endpoint.countFailed'>;

export type BookingList = BodyOf<'portal.booking.find'>;
export type Booking = ItemOf<BookingList>;
export type BookingInFull = BodyOf<'portal.booking.get'>;
export type SimulatedChange = PortalBodyOf<'portal.reservation.simulate'>['change'];
export type SimulatedReservation = BodyOf<'portal.reservation.simulate'>;

export type Quotas = BodyOf<'portal.quota.get'>;
export type KeyList = BodyOf<'portal.key.list'>;
export type Key = ItemOf<KeyList>;
export type IssuedKey = BodyOf<'portal.key.issue'>;

export type RequestPage = BodyOf<'portal.request.list'>;

/** The filters of a list as strings; the service validates them. */
type FilterOf<Id extends PortalOperationId> = {
  [Name in Exclude<keyof PortalQueryOf<Id>, 'limit'>]?: string | undefined;
};
export type DeliveryFilter = FilterOf<'portal.delivery.list'>;
export type EventFilter = FilterOf<'portal.event.list'>;
export type RequestFilter = FilterOf<'portal.request.list'>;

export type Faults = SandboxReplyOf<'sandbox.faults.get'>['body'];
export type PlayedRule = Faults['rules'][number];
export type FaultRules = SandboxBodyOf<'sandbox.faults.put'>;
export type FaultRule = FaultRules['rules'][number];
export type Ending = SandboxBodyOf<'sandbox.expire'>;
export type StaffAct = SandboxBodyOf<'sandbox.reservation.act'>;
export type NextOutcome = SandboxReplyOf<'sandbox.outcome.order'>['body'];
export type OutcomeOrder = SandboxBodyOf<'sandbox.outcome.order'>;
export type DeliveryOrder = SandboxBodyOf<'sandbox.event.deliver'>;
export type OrderedDeliveries = SandboxReplyOf<'sandbox.event.deliver'>['body'];

export type RunPage = SandboxReplyOf<'sandbox.run.list'>['body'];
export type Run = SandboxReplyOf<'sandbox.run.get'>['body'];
export type NewRun = SandboxBodyOf<'sandbox.run.start'>;
export type RunScenario = Run['scenarios'][number];
export type SaidOutcome = SandboxBodyOf<'sandbox.scenario.finish'>['outcome'];
