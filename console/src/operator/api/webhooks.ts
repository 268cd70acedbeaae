/** The operations on webhooks and the request log of an application, and their queries. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  OperatorOperationId,
  OperatorReplyOf,
} from '../../../../src/contract/operator/operations.ts';
import { callerOf, queryOf } from '../../base/api/call.ts';
import type {
  AddedEndpoint,
  Delivery,
  Endpoint,
  EndpointInput,
  MissedChoice,
} from '../../base/webhooks/types.ts';
import type { LoggedRequestFile } from '../../base/requests/types.ts';
import type { FilterOf } from './types.ts';

type BodyOf<Id extends OperatorOperationId> = OperatorReplyOf<Id>['body'];

type EndpointList = BodyOf<'operator.endpoint.list'>;
type Replayed = BodyOf<'operator.endpoint.replayFailed'>;
type RotatedSecret = BodyOf<'operator.endpoint.rotateSecret'>;
type DeliveriesPage = BodyOf<'operator.delivery.list'>;
export type DeliveryFilter = FilterOf<'operator.delivery.list'>;
export type DeliveryFile = BodyOf<'operator.delivery.get'>;
type RequestsPage = BodyOf<'operator.request.list'>;
export type RequestFilter = FilterOf<'operator.request.list'>;

const call = callerOf('/operator/v1');
const pageSize = 25;
const listInterval = 5_000;

const listOf = (applicationId: string, what: string): string =>
  `/applications/${encodeURIComponent(applicationId)}/${what}`;

const act = <Body>(endpointId: string, verb: string, body: object = {}): Promise<Body> =>
  call<Body>('POST', `/endpoints/${encodeURIComponent(endpointId)}/${verb}`, { body });

export const webhooks = {
  add: (applicationId: string, body: EndpointInput) =>
    call<AddedEndpoint>('POST', listOf(applicationId, 'endpoints'), { body }),
  pause: (id: string) => act<Endpoint>(id, 'pause'),
  resume: (id: string, missed: MissedChoice) => act<Endpoint>(id, 'resume', { missed }),
  rotateSecret: (id: string) => act<RotatedSecret>(id, 'rotate-secret'),
  remove: (id: string) => call<void>('DELETE', `/endpoints/${encodeURIComponent(id)}`),
  replayFailed: (id: string, since: string) => act<Replayed>(id, 'replay-failed', { since }),
  replayMissed: (id: string) => act<Replayed>(id, 'replay-missed'),
  replayDelivery: (id: string) =>
    call<Delivery>('POST', `/deliveries/${encodeURIComponent(id)}/replay`, { body: {} }),
} as const;

export const endpointsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['partners', applicationId, 'endpoints'],
    queryFn: ({ signal }) =>
      call<EndpointList>('GET', listOf(applicationId, 'endpoints'), { signal }),
    refetchInterval: listInterval,
  });

export const deliveriesQuery = (applicationId: string, filter: DeliveryFilter) =>
  queryOptions({
    queryKey: ['partners', applicationId, 'deliveries', filter],
    queryFn: ({ signal }) => {
      const query = queryOf({ ...filter, limit: pageSize });
      return call<DeliveriesPage>('GET', `${listOf(applicationId, 'deliveries')}${query}`, {
        signal,
      });
    },
    placeholderData: keepPreviousData,
    refetchInterval: listInterval,
  });

export const deliveryQuery = (applicationId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['partners', applicationId, 'delivery', deliveryId],
    queryFn: ({ signal }) => {
      const path = `${listOf(applicationId, 'deliveries')}/${encodeURIComponent(deliveryId)}`;
      return call<DeliveryFile>('GET', path, { signal });
    },
    refetchInterval: listInterval,
  });

export const requestsQuery = (applicationId: string, filter: RequestFilter) =>
  queryOptions({
    queryKey: ['partners', applicationId, 'requests', filter],
    queryFn: ({ signal }) => {
      const query = queryOf({ ...filter, limit: pageSize });
      return call<RequestsPage>('GET', `${listOf(applicationId, 'requests')}${query}`, { signal });
    },
    placeholderData: keepPreviousData,
    refetchInterval: listInterval,
  });

export const requestQuery = (applicationId: string, requestId: string) =>
  queryOptions({
    queryKey: ['partners', applicationId, 'request', requestId],
    queryFn: ({ signal }) => {
      const path = `${listOf(applicationId, 'requests')}/${encodeURIComponent(requestId)}`;
      return call<LoggedRequestFile>('GET', path, { signal });
    },
  });
