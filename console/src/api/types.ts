/** The request and response types of the portal API, derived from its operation table. */
import type { EventType } from '../../../src/contract/events.ts';
import type {
  PortalBodyOf,
  PortalOperationId,
  PortalQueryOf,
  PortalReplyOf,
} from '../../../src/contract/portal/operations.ts';

type AnswerOf<Id extends PortalOperationId> = PortalReplyOf<Id>['body'];
type ItemOf<List extends { items: readonly unknown[] }> = List['items'][number];

export type { EventType };

export type Session = AnswerOf<'portal.session.get'>;
export type EventTypeList = AnswerOf<'portal.eventType.list'>;
export type EventTypeInfo = ItemOf<EventTypeList>;

export type EndpointList = AnswerOf<'portal.endpoint.list'>;
export type Endpoint = AnswerOf<'portal.endpoint.get'>;
export type AddedEndpoint = AnswerOf<'portal.endpoint.add'>;
/** The input of an endpoint. `eventTypes` null: all types, including future ones. */
export type EndpointInput = Required<PortalBodyOf<'portal.endpoint.change'>>;
/** What to do with the missed events of a resumed endpoint. */
export type MissedChoice = PortalBodyOf<'portal.endpoint.resume'>['missed'];
export type Secrets = AnswerOf<'portal.endpoint.getSecret'>;
export type ReplayInput = PortalBodyOf<'portal.endpoint.replay'>;
export type Replayed = AnswerOf<'portal.endpoint.replay'>;

export type DeliveryPage = AnswerOf<'portal.delivery.list'>;
export type Delivery = ItemOf<DeliveryPage>;
export type DeliveryDetail = AnswerOf<'portal.delivery.get'>;
export type Attempt = DeliveryDetail['attemptsMade'][number];
export type AttemptError = NonNullable<Attempt['error']>;
export type SignedRequest = NonNullable<DeliveryDetail['lastRequest']>;

export type EventPage = AnswerOf<'portal.event.list'>;
export type FeedEvent = ItemOf<EventPage>;

export type RequestPage = AnswerOf<'portal.request.list'>;
export type LoggedRequest = ItemOf<RequestPage>;

/** The filters of a list as strings; the service validates them. */
type FilterOf<Id extends PortalOperationId> = {
  [Name in Exclude<keyof PortalQueryOf<Id>, 'limit'>]?: string | undefined;
};
export type DeliveryFilter = FilterOf<'portal.delivery.list'>;
export type EventFilter = FilterOf<'portal.event.list'>;
export type RequestFilter = FilterOf<'portal.request.list'>;
