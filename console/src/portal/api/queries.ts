/** The queries of the page, with their cache keys and refetch intervals. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { CallFailure } from '../../base/api/call.ts';
import { type BookingName, portal } from './portal.ts';
import type { DeliveryFilter, EventFilter, RequestFilter } from './types.ts';

const pageSize = 25;
// Twelve reads per minute and list: far below the 600 calls per minute of an application.
const listInterval = 5_000;
/** For a pending delivery, whose result the user is waiting for. */
const watchedInterval = 1_500;

/** The session; null: there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    try {
      return await portal.readSession(signal);
    } catch (thrown) {
      if (thrown instanceof CallFailure && thrown.status === 401) return null;
      throw thrown;
    }
  },
  // Soon, where nothing is shown because the service could not be reached.
  refetchInterval: ({ state }) => (state.status === 'error' ? listInterval : 60_000),
});

export const ownSessionsQuery = queryOptions({
  queryKey: ['own sessions'],
  queryFn: ({ signal }) => portal.listOwnSessions(signal),
  refetchInterval: listInterval,
});

export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: () => portal.listEventTypes(),
  staleTime: Infinity,
});

export const endpointsQuery = queryOptions({
  queryKey: ['endpoints'],
  queryFn: ({ signal }) => portal.listEndpoints(signal),
  refetchInterval: listInterval,
});

export const endpointQuery = (endpointId: string) =>
  queryOptions({
    queryKey: ['endpoint', endpointId],
    queryFn: ({ signal }) => portal.readEndpoint(endpointId, signal),
    refetchInterval: listInterval,
  });

/** Read only when the user wants to see the secrets, and not cached. */
export const secretQuery = (endpointId: string, enabled: boolean) =>
  queryOptions({
    queryKey: ['secret', endpointId],
    queryFn: ({ signal }) => portal.readSecret(endpointId, signal),
    enabled,
    gcTime: 0,
  });

export const failedQuery = (endpointId: string, since: string) =>
  queryOptions({
    queryKey: ['failed', endpointId, since],
    queryFn: ({ signal }) => portal.countFailed(endpointId, since, signal),
    placeholderData: keepPreviousData,
    refetchInterval: listInterval,
  });

export const deliveriesQuery = (filter: DeliveryFilter, limit = pageSize) =>
  queryOptions({
    queryKey: ['deliveries', filter, limit],
    queryFn: ({ signal }) => portal.listDeliveries(filter, limit, signal),
    placeholderData: keepPreviousData,
    refetchInterval: listInterval,
  });

export const deliveryQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: ['delivery', deliveryId],
    queryFn: ({ signal }) => portal.readDelivery(deliveryId, signal),
    refetchInterval: ({ state }) =>
      state.data?.state === 'pending' ? watchedInterval : listInterval,
  });

export const eventsQuery = (filter: EventFilter) =>
  queryOptions({
    queryKey: ['events', filter],
    queryFn: ({ signal }) => portal.listEvents(filter, pageSize, signal),
    placeholderData: keepPreviousData,
    refetchInterval: listInterval,
  });

export const eventQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['event', eventId],
    queryFn: ({ signal }) => portal.readEvent(eventId, signal),
    staleTime: Infinity,
  });

export const bookingsQuery = (name: string) =>
  queryOptions({
    queryKey: ['bookings', name],
    queryFn: ({ signal }) => portal.findBookings(name, signal),
    refetchInterval: listInterval,
  });

export const bookingQuery = ({ kind, bookingId }: BookingName) =>
  queryOptions({
    queryKey: ['booking', kind, bookingId],
    queryFn: ({ signal }) => portal.readBooking({ kind, bookingId }, signal),
    refetchInterval: listInterval,
  });

export const faultsQuery = queryOptions({
  queryKey: ['faults'],
  queryFn: ({ signal }) => portal.readFaults(signal),
  refetchInterval: listInterval,
});

export const nextOutcomeQuery = queryOptions({
  queryKey: ['next-outcome'],
  queryFn: () => portal.orderOutcome({}),
  refetchInterval: listInterval,
});

export const runsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: ['runs', cursor],
    queryFn: ({ signal }) => portal.listRuns(cursor, signal),
    placeholderData: keepPreviousData,
    refetchInterval: listInterval,
  });

/** While it is open, its program is at work. */
export const runQuery = (runId: string) =>
  queryOptions({
    queryKey: ['run', runId],
    queryFn: ({ signal }) => portal.readRun(runId, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'open' ? watchedInterval : listInterval),
  });

export const statementQuery = (month: string) =>
  queryOptions({
    queryKey: ['statement', month],
    queryFn: ({ signal }) => portal.readStatement(month, signal),
    placeholderData: keepPreviousData,
  });

export const quotasQuery = queryOptions({
  queryKey: ['quotas'],
  queryFn: ({ signal }) => portal.readQuotas(signal),
  refetchInterval: listInterval,
});

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => portal.listKeys(signal),
  refetchInterval: listInterval,
});

export const requestQuery = (requestId: string) =>
  queryOptions({
    queryKey: ['request', requestId],
    queryFn: ({ signal }) => portal.readRequest(requestId, signal),
    staleTime: Infinity,
  });

export const requestsQuery = (filter: RequestFilter) =>
  queryOptions({
    queryKey: ['requests', filter],
    queryFn: ({ signal }) => portal.listRequests(filter, pageSize, signal),
    placeholderData: keepPreviousData,
    refetchInterval: listInterval,
  });
