/** THE operations of the portal API that the page calls, one function each. */
import { call, queryOf } from './call.ts';
import type {
  Delivery,
  DeliveryDetail,
  Endpoint,
  EventType,
  EventTypeInfo,
  LoggedRequest,
  Page,
  PortalEvent,
  Secrets,
  Session,
} from './types.ts';

/** What a person decides about an endpoint. */
export interface EndpointInput {
  url: string;
  description: string;
  /** Null: every type, those to come included. */
  eventTypes: EventType[] | null;
}

/** What a resumed endpoint gets of the events that it missed. */
export type MissedChoice = 'replay' | 'skip';

export type ReplayInput = { what: 'failed'; since: string } | { what: 'missed' };

/** Narrows a list; `cursor` is where a page begins. */
export interface DeliveryFilter {
  endpointId?: string | undefined;
  state?: string | undefined;
  type?: string | undefined;
  cursor?: string | undefined;
}

export interface EventFilter {
  type?: string | undefined;
  cursor?: string | undefined;
}

export interface RequestFilter {
  method?: string | undefined;
  status?: string | undefined;
  code?: string | undefined;
  operation?: string | undefined;
  cursor?: string | undefined;
}

const endpointPath = (endpointId: string): string => `/endpoints/${encodeURIComponent(endpointId)}`;
const deliveryPath = (deliveryId: string): string =>
  `/deliveries/${encodeURIComponent(deliveryId)}`;

export const portal = {
  openSession: (link: string) => call<Session>('POST', '/session', { body: { link } }),
  readSession: (signal?: AbortSignal) =>
    call<Session>('GET', '/session', { ...(signal && { signal }) }),
  endSession: () => call<void>('DELETE', '/session'),

  listEventTypes: () => call<{ items: EventTypeInfo[] }>('GET', '/event-types'),

  listEndpoints: (signal: AbortSignal) =>
    call<{ items: Endpoint[] }>('GET', '/endpoints', { signal }),
  addEndpoint: (body: EndpointInput) =>
    call<Endpoint & { secret: string }>('POST', '/endpoints', { body }),
  readEndpoint: (endpointId: string, signal: AbortSignal) =>
    call<Endpoint>('GET', endpointPath(endpointId), { signal }),
  changeEndpoint: (endpointId: string, body: EndpointInput) =>
    call<Endpoint>('PATCH', endpointPath(endpointId), { body }),
  deleteEndpoint: (endpointId: string) => call<void>('DELETE', endpointPath(endpointId)),
  pauseEndpoint: (endpointId: string) =>
    call<Endpoint>('POST', `${endpointPath(endpointId)}/pause`, { body: {} }),
  resumeEndpoint: (endpointId: string, missed: MissedChoice) =>
    call<Endpoint>('POST', `${endpointPath(endpointId)}/resume`, { body: { missed } }),
  readSecret: (endpointId: string, signal: AbortSignal) =>
    call<Secrets>('GET', `${endpointPath(endpointId)}/secret`, { signal }),
  rotateSecret: (endpointId: string) =>
    call<Secrets>('POST', `${endpointPath(endpointId)}/rotate-secret`, { body: {} }),
  sendTest: (endpointId: string, type: EventType) =>
    call<Delivery>('POST', `${endpointPath(endpointId)}/test`, { body: { type } }),
  replayMany: (endpointId: string, body: ReplayInput) =>
    call<{ replayed: number }>('POST', `${endpointPath(endpointId)}/replay`, { body }),

  listDeliveries: (filter: DeliveryFilter, limit: number, signal: AbortSignal) =>
    call<Page<Delivery>>('GET', `/deliveries${queryOf({ ...filter, limit })}`, { signal }),
  readDelivery: (deliveryId: string, signal: AbortSignal) =>
    call<DeliveryDetail>('GET', deliveryPath(deliveryId), { signal }),
  replayDelivery: (deliveryId: string) =>
    call<Delivery>('POST', `${deliveryPath(deliveryId)}/replay`, { body: {} }),

  listEvents: (filter: EventFilter, limit: number, signal: AbortSignal) =>
    call<Page<PortalEvent>>('GET', `/events${queryOf({ ...filter, limit })}`, { signal }),
  listRequests: (filter: RequestFilter, limit: number, signal: AbortSignal) =>
    call<Page<LoggedRequest>>('GET', `/requests${queryOf({ ...filter, limit })}`, { signal }),
} as const;
