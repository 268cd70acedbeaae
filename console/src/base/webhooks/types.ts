/** The types of webhooks, which portal and console share. */
import type { EventType } from '#contract/events.ts';
import type { PortalBodyOf, PortalReplyOf } from '#contract/portal/operations.ts';

export type { EventType };

export type Endpoint = PortalReplyOf<'portal.endpoint.get'>['body'];
export type AddedEndpoint = PortalReplyOf<'portal.endpoint.add'>['body'];
/** The input of an endpoint. `eventTypes` null: all types, including future ones. */
export type EndpointInput = Required<PortalBodyOf<'portal.endpoint.change'>>;
/** What to do with the missed events of a resumed endpoint. */
export type MissedChoice = PortalBodyOf<'portal.endpoint.resume'>['missed'];

type DeliveryDetail = PortalReplyOf<'portal.delivery.get'>['body'];
export type Delivery = PortalReplyOf<'portal.delivery.list'>['body']['items'][number];
export type Attempt = DeliveryDetail['attemptsMade'][number];
export type AttemptError = NonNullable<Attempt['error']>;
