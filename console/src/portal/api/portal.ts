/** The operations of the portal API that the page calls, one function each. */
import { basePath } from '../../base-path.ts';
import { callerOf, queryOf } from '../../base/api/call.ts';
import type { Statement } from '../../base/statements/statement.tsx';
import type {
  AddedEndpoint,
  Booking,
  BookingInFull,
  BookingList,
  Delivery,
  DeliveryDetail,
  DeliveryFilter,
  DeliveryOrder,
  DeliveryPage,
  Ending,
  Endpoint,
  EndpointInput,
  EndpointList,
  EventFilter,
  EventPage,
  EventType,
  EventTypeList,
  FailedDeliveries,
  FaultRules,
  Faults,
  FeedEvent,
  IssuedKey,
  Key,
  KeyList,
  LoggedRequestInFull,
  MissedChoice,
  NewRun,
  NextOutcome,
  OrderedDeliveries,
  OwnLink,
  OwnSessionList,
  OutcomeOrder,
  Quotas,
  Replayed,
  ReplayInput,
  RequestFilter,
  RequestPage,
  Run,
  RunPage,
  RunScenario,
  SaidOutcome,
  Secrets,
  Session,
  SimulatedChange,
  SimulatedReservation,
  StaffAct,
} from './types.ts';

/** Which booking. */
export type BookingName = Pick<Booking, 'kind' | 'bookingId'>;

const call = callerOf('/portal/v1');

const endpointPath = (endpointId: string): string => `/endpoints/${encodeURIComponent(endpointId)}`;
const keyPath = (keyId: string): string => `/keys/${encodeURIComponent(keyId)}`;
const runsPath = '/sandbox/conformance-runs';
const runPath = (runId: string): string => `${runsPath}/${encodeURIComponent(runId)}`;
const deliveryPath = (deliveryId: string): string =>
  `/deliveries/${encodeURIComponent(deliveryId)}`;

export const portal = {
  openSession: (link: string) => call<Session>('POST', '/session', { body: { link } }),
  readSession: (signal?: AbortSignal) =>
    call<Session>('GET', '/session', { ...(signal && { signal }) }),
  endSession: () => call<void>('DELETE', '/session'),
  listOwnSessions: (signal: AbortSignal) => call<OwnSessionList>('GET', '/sessions', { signal }),
  endOwnSession: (sessionId: string) =>
    call<void>('DELETE', `/sessions/${encodeURIComponent(sessionId)}`),
  issueOwnLink: () => call<OwnLink>('POST', '/own-link', { body: {} }),

  listEventTypes: () => call<EventTypeList>('GET', '/event-types'),

  listEndpoints: (signal: AbortSignal) => call<EndpointList>('GET', '/endpoints', { signal }),
  addEndpoint: (body: EndpointInput) => call<AddedEndpoint>('POST', '/endpoints', { body }),
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
  countFailed: (endpointId: string, since: string, signal: AbortSignal) =>
    call<FailedDeliveries>('GET', `${endpointPath(endpointId)}/failed${queryOf({ since })}`, {
      signal,
    }),
  replayMany: (endpointId: string, body: ReplayInput) =>
    call<Replayed>('POST', `${endpointPath(endpointId)}/replay`, { body }),

  listDeliveries: (filter: DeliveryFilter, limit: number, signal: AbortSignal) =>
    call<DeliveryPage>('GET', `/deliveries${queryOf({ ...filter, limit })}`, { signal }),
  readDelivery: (deliveryId: string, signal: AbortSignal) =>
    call<DeliveryDetail>('GET', deliveryPath(deliveryId), { signal }),
  replayDelivery: (deliveryId: string) =>
    call<Delivery>('POST', `${deliveryPath(deliveryId)}/replay`, { body: {} }),

  listEvents: (filter: EventFilter, limit: number, signal: AbortSignal) =>
    call<EventPage>('GET', `/events${queryOf({ ...filter, limit })}`, { signal }),
  readEvent: (eventId: string, signal: AbortSignal) =>
    call<FeedEvent>('GET', `/events/${encodeURIComponent(eventId)}`, { signal }),

  findBookings: (name: string, signal: AbortSignal) =>
    call<BookingList>('GET', `/bookings${queryOf({ name })}`, { signal }),
  readBooking: ({ kind, bookingId }: BookingName, signal: AbortSignal) =>
    call<BookingInFull>('GET', `/bookings/${kind}/${encodeURIComponent(bookingId)}`, { signal }),
  simulate: (reference: string, change: SimulatedChange) =>
    call<SimulatedReservation>('POST', `/reservations/${encodeURIComponent(reference)}/simulate`, {
      body: { change },
    }),

  readFaults: (signal: AbortSignal) => call<Faults>('GET', '/sandbox/faults', { signal }),
  setFaults: (body: FaultRules) => call<Faults>('PUT', '/sandbox/faults', { body }),
  removeFaults: () => call<void>('DELETE', '/sandbox/faults'),
  expire: (body: Ending) => call<void>('POST', '/sandbox/expire', { body }),
  actAsStaff: (reference: string, body: StaffAct) =>
    call<object>('POST', `/sandbox/reservations/${encodeURIComponent(reference)}/act`, { body }),
  /** With an empty order: what is set. */
  orderOutcome: (body: OutcomeOrder) =>
    call<NextOutcome>('POST', '/sandbox/next-outcome', { body }),
  deliver: (eventId: string, body: DeliveryOrder) =>
    call<OrderedDeliveries>('POST', `/sandbox/events/${encodeURIComponent(eventId)}/deliver`, {
      body,
    }),

  listRuns: (cursor: string | undefined, signal: AbortSignal) =>
    call<RunPage>('GET', `${runsPath}${queryOf({ cursor })}`, { signal }),
  readRun: (runId: string, signal: AbortSignal) => call<Run>('GET', runPath(runId), { signal }),
  startRun: (body: NewRun) => call<Run>('POST', runsPath, { body }),
  endRun: (runId: string) => call<Run>('POST', `${runPath(runId)}/finish`),
  abandonRun: (runId: string) => call<void>('DELETE', runPath(runId)),
  startScenario: (runId: string, scenario: string) =>
    call<RunScenario>('POST', `${runPath(runId)}/scenarios/${scenario}/start`),
  sayOutcome: (runId: string, scenario: string, outcome: SaidOutcome) =>
    call<RunScenario>('POST', `${runPath(runId)}/scenarios/${scenario}/finish`, {
      body: { outcome },
    }),
  /** A link to it downloads it. */
  reportAddress: (runId: string) => `${basePath}/portal/v1${runPath(runId)}/report`,

  readStatement: (month: string, signal: AbortSignal) =>
    call<Statement>('GET', `/statement${queryOf({ month })}`, { signal }),
  readQuotas: (signal: AbortSignal) => call<Quotas>('GET', '/quotas', { signal }),
  listKeys: (signal: AbortSignal) => call<KeyList>('GET', '/keys', { signal }),
  issueKey: () => call<IssuedKey>('POST', '/keys', { body: {} }),
  revokeKey: (keyId: string, lastToo: boolean) =>
    call<Key>('POST', `${keyPath(keyId)}/revoke`, { body: { lastToo } }),

  readRequest: (requestId: string, signal: AbortSignal) =>
    call<LoggedRequestInFull>('GET', `/requests/${encodeURIComponent(requestId)}`, { signal }),
  listRequests: (filter: RequestFilter, limit: number, signal: AbortSignal) =>
    call<RequestPage>('GET', `/requests${queryOf({ ...filter, limit })}`, { signal }),
} as const;
