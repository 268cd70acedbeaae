/** The operations on webhooks and the request log of an application, and their queries. */
import { startOfDay } from '../../base/words/dates.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { OperatorOperationId, OperatorReplyOf } from '#contract/operator/operations.ts';
import { call } from './call.ts';
import type { EndpointInput, MissedChoice } from '../../base/webhooks/types.ts';
import type { FilterOf } from './types.ts';

type BodyOf<Id extends OperatorOperationId> = OperatorReplyOf<Id>['body'];

export type DeliveryFilter = FilterOf<'operator.delivery.list'>;
export type DeliveryInFull = BodyOf<'operator.delivery.get'>;
export type RequestFilter = FilterOf<'operator.request.list'>;

const pageSize = 25;
const listInterval = 5_000;

const of = (endpointId: string) => ({ params: { endpointId } });

export const webhooks = {
  add: (applicationId: string, body: EndpointInput) =>
    call('POST', '/applications/{applicationId}/endpoints', { params: { applicationId }, body }),
  pause: (id: string) => call('POST', '/endpoints/{endpointId}/pause', of(id)),
  resume: (id: string, missed: MissedChoice) =>
    call('POST', '/endpoints/{endpointId}/resume', { ...of(id), body: { missed } }),
  rotateSecret: (id: string) => call('POST', '/endpoints/{endpointId}/rotate-secret', of(id)),
  remove: (id: string) => call('DELETE', '/endpoints/{endpointId}', of(id)),
  replayFailed: (id: string, since: string) =>
    call('POST', '/endpoints/{endpointId}/replay-failed', { ...of(id), body: { since } }),
  replayMissed: (id: string) => call('POST', '/endpoints/{endpointId}/replay-missed', of(id)),
  replayDelivery: (deliveryId: string) =>
    call('POST', '/deliveries/{deliveryId}/replay', { params: { deliveryId } }),
} as const;

export const endpointsQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['partners', applicationId, 'endpoints'],
    queryFn: ({ signal }) =>
      call('GET', '/applications/{applicationId}/endpoints', { params: { applicationId }, signal }),
    refetchInterval: listInterval,
  });

export const deliveriesQuery = (applicationId: string, filter: DeliveryFilter) =>
  queryOptions({
    queryKey: ['partners', applicationId, 'deliveries', filter],
    queryFn: ({ signal }) =>
      call('GET', '/applications/{applicationId}/deliveries', {
        params: { applicationId },
        query: { ...filter, limit: pageSize },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: listInterval,
  });

export const deliveryQuery = (applicationId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['partners', applicationId, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      call('GET', '/applications/{applicationId}/deliveries/{deliveryId}', {
        params: { applicationId, deliveryId },
        signal,
      }),
    refetchInterval: listInterval,
  });

/** The days of a filter, as they are here, in instants. */
const timesOf = ({ from, until }: RequestFilter) => ({
  ...(from !== undefined && { from: startOfDay(from) }),
  ...(until !== undefined && { until: startOfDay(until, 1) }),
});

export const requestsQuery = (applicationId: string, filter: RequestFilter) =>
  queryOptions({
    queryKey: ['partners', applicationId, 'requests', filter],
    queryFn: ({ signal }) =>
      call('GET', '/applications/{applicationId}/requests', {
        params: { applicationId },
        query: { ...filter, ...timesOf(filter), limit: pageSize },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: listInterval,
  });

export const requestQuery = (applicationId: string, requestId: string) =>
  queryOptions({
    queryKey: ['partners', applicationId, 'request', requestId],
    queryFn: ({ signal }) =>
      call('GET', '/applications/{applicationId}/requests/{requestId}', {
        params: { applicationId, requestId },
        signal,
      }),
  });
