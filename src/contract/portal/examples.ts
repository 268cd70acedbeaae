import { eventTexts, eventTypes, type EventType } from '../events.ts';
import { exampleEvents, feedCursor, ids } from '../partner/examples/booking.ts';
import type {
  PortalBodyOf,
  PortalOperationId,
  portalOperations,
  PortalParamsOf,
  PortalQueryOf,
  PortalReplyOf,
} from './operations.ts';

type Row<Id extends PortalOperationId> = (typeof portalOperations)[Id];
type Taken<Id extends PortalOperationId, Key extends string, Value> =
  Row<Id> extends Record<Key, unknown> ? { readonly [K in Key]: Value } : unknown;

type RequestExample<Id extends PortalOperationId> = Taken<Id, 'params', PortalParamsOf<Id>> &
  Taken<Id, 'query', PortalQueryOf<Id>> &
  Taken<Id, 'body', PortalBodyOf<Id>>;

type PortalExamples = {
  readonly [Id in PortalOperationId]: {
    readonly request: RequestExample<Id>;
    /** The body of the successful response; null: no body. */
    readonly reply: PortalReplyOf<Id>['body'];
  };
};

const endpointId = '01a406b0-2c11-7d3a-8a55-1f0b6c7d8e9f';
const deliveryId = '01a406cc-1500-7b1c-9d2e-3f4a5b6c7d8e';
const url = 'https://partner.invalid/latchkey/events';
const secret = 'whsec_bGF0Y2hrZXktZXhhbXBsZS1zZWNyZXQtMzJieXRlcyE=';
const attemptedAt = '2027-03-02T15:11:43.201Z';
const event = exampleEvents['reservation.confirmed'];
const at = { params: { endpointId } };

const session = {
  application: {
    applicationId: '01a3f0c2-7b44-7e61-b0a9-5d2c8f1e6a37',
    name: 'Harbour Stays',
    settlement: 'partner',
  },
  person: { name: 'Ada Byron', email: 'ada@harbour-stays.example' },
  environment: 'simulation',
  isCopy: false,
  expiresAt: '2027-03-03T02:40:00.000Z',
  baseUrl: 'https://sandbox.latchkey.invalid',
} as const;

const endpoint: PortalReplyOf<'portal.endpoint.get'>['body'] = {
  endpointId,
  url,
  description: 'Bookings',
  eventTypes: null,
  state: 'active',
  stateReason: null,
  stateSince: '2027-03-02T14:41:12.009Z',
  failingSince: null,
  missed: 0,
  retrying: 0,
  exhausted: 0,
  previousSecretUntil: null,
  createdAt: '2027-03-02T14:41:12.009Z',
  updatedAt: '2027-03-02T14:41:12.009Z',
};

const pausedAt = '2027-03-02T16:00:00.000Z';
const paused = {
  ...endpoint,
  state: 'paused',
  stateReason: 'by_hand',
  stateSince: pausedAt,
  updatedAt: pausedAt,
} as const;

const delivery: PortalReplyOf<'portal.delivery.replay'>['body'] = {
  deliveryId,
  endpointId,
  eventId: event.id,
  type: event.type,
  sequence: event.sequence,
  test: false,
  state: 'delivered',
  attempts: 1,
  nextAttemptAt: null,
  lastAttemptAt: attemptedAt,
  lastStatus: 204,
  lastError: null,
  createdAt: event.timestamp,
  deliveredAt: '2027-03-02T15:11:43.260Z',
};

const due = {
  ...delivery,
  state: 'pending',
  attempts: 0,
  nextAttemptAt: '2027-03-02T16:20:00.000Z',
  deliveredAt: null,
} as const;

const tested = {
  ...due,
  eventId: 'evt_01a40703c1007f9283a1b2c3d4e5f607',
  sequence: null,
  test: true,
  lastAttemptAt: null,
  lastStatus: null,
} as const;

const loggedCall = {
  requestId: '8d1f6c52-0b9e-4a37-9c58-e3d2b1a09f46',
  at: '2027-03-02T15:11:41.900Z',
  method: 'POST',
  path: `/v1/checkouts/${ids.checkout}/submit`,
  operation: 'reservation.checkout.submit',
  status: 202,
  code: null,
  reason: null,
  durationMs: 7,
  fault: null,
  listingId: '01a3f0c9-5a10-7c2e-9b41-0d6f8e2a7c35',
  home: 'Casa da Maré',
  checkIn: '2027-06-12',
  checkOut: '2027-06-19',
} as const;

const booking: PortalReplyOf<'portal.booking.find'>['body']['items'][number] = {
  kind: 'checkout',
  bookingId: ids.checkout,
  quoteId: ids.quote,
  state: 'confirmed',
  version: 5,
  failure: null,
  partnerReference: null,
  promotionCode: null,
  reference: event.data.reference,
  reservationState: 'confirmed',
  listing: {
    listingId: '01a3f0c9-5a10-7c2e-9b41-0d6f8e2a7c35',
    slug: 'harbour-loft',
    name: 'Harbour Loft',
  },
  checkIn: '2027-06-12',
  checkOut: '2027-06-16',
  party: { adults: 2, children: 0, infants: 0, pets: 0 },
  currency: 'EUR',
  total: 81_600,
  createdAt: '2027-03-02T15:10:02.118Z',
  submittedAt: '2027-03-02T15:11:41.905Z',
  resolvedAt: event.timestamp,
};

const usedKey = {
  keyId: '8fK2mQ4xZ7Lp',
  state: 'active',
  createdAt: '2027-01-05T09:30:00.000Z',
  expiresAt: '2028-01-05T09:30:00.000Z',
  revokedAt: null,
  lastUsedAt: '2027-03-02T15:05:00.000Z',
} as const;

/** The table of examples of the portal: request and response of each operation. */
export const portalExamples: PortalExamples = {
  'portal.session.begin': {
    request: { body: { link: 'Zk3X1m8qvT0rB5yJ7wNhLc2sEoGd4UaPi9fQeVxMbKs' } },
    reply: session,
  },
  'portal.session.get': { request: {}, reply: session },
  'portal.session.end': { request: {}, reply: null },
  'portal.ownSession.list': {
    request: {},
    reply: {
      items: [
        {
          sessionId: '5b0d8f7e-3c1a-4e62-9a57-0f4e6d2b8c13',
          userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/148.0',
          createdAt: '2027-03-02T14:40:00.000Z',
          seenAt: '2027-03-02T14:40:00.000Z',
          expiresAt: '2027-04-01T14:40:00.000Z',
          isThis: true,
        },
      ],
    },
  },
  'portal.ownSession.end': {
    request: { params: { sessionId: '5b0d8f7e-3c1a-4e62-9a57-0f4e6d2b8c13' } },
    reply: null,
  },
  'portal.ownLink.issue': {
    request: { body: {} },
    reply: {
      url: 'https://sandbox.latchkey.invalid/portal#link=…',
      expiresAt: '2027-03-03T14:40:00.000Z',
    },
  },
  'portal.eventType.list': {
    request: {},
    reply: {
      items: (Object.keys(eventTypes) as EventType[]).map((type) => ({
        type,
        ...eventTexts[type],
        example: exampleEvents[type],
      })),
    },
  },
  'portal.endpoint.list': { request: {}, reply: { items: [endpoint] } },
  'portal.endpoint.add': {
    request: { body: { url, description: 'Bookings', eventTypes: null } },
    reply: { ...endpoint, secret },
  },
  'portal.endpoint.get': { request: at, reply: endpoint },
  'portal.endpoint.change': {
    request: { ...at, body: { eventTypes: ['reservation.confirmed', 'reservation.cancelled'] } },
    reply: { ...endpoint, eventTypes: ['reservation.confirmed', 'reservation.cancelled'] },
  },
  'portal.endpoint.delete': { request: at, reply: null },
  'portal.endpoint.pause': { request: { ...at, body: {} }, reply: paused },
  'portal.endpoint.resume': { request: { ...at, body: { missed: 'replay' } }, reply: endpoint },
  'portal.endpoint.getSecret': { request: at, reply: { secret, previous: null } },
  'portal.endpoint.rotateSecret': {
    request: { ...at, body: {} },
    reply: {
      secret: 'whsec_YW5vdGhlciBleGFtcGxlIHNlY3JldCwgMzIgYnl0ZXM=',
      previous: { secret, expiresAt: '2027-03-03T16:20:00.000Z' },
    },
  },
  'portal.endpoint.test': {
    request: { ...at, body: { type: 'reservation.confirmed' } },
    reply: tested,
  },
  'portal.endpoint.replay': {
    request: { ...at, body: { what: 'failed', since: '2027-03-01T00:00:00Z' } },
    reply: { replayed: 12 },
  },
  'portal.endpoint.countFailed': {
    request: { ...at, query: { since: '2027-03-01T00:00:00Z' } },
    reply: { replayable: 12, hasMore: false },
  },
  'portal.delivery.list': {
    request: { query: { endpointId, state: 'delivered', limit: 1 } },
    reply: { items: [delivery], nextCursor: feedCursor },
  },
  'portal.delivery.get': {
    request: { params: { deliveryId } },
    reply: {
      ...delivery,
      attemptsMade: [
        {
          number: 1,
          startedAt: attemptedAt,
          durationMs: 59,
          status: 204,
          error: null,
          response: '',
        },
      ],
      event,
      lastRequest: {
        headers: {
          'webhook-id': event.id,
          'webhook-timestamp': '1804000303',
          'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        },
        body: JSON.stringify(event),
      },
    },
  },
  'portal.delivery.replay': { request: { params: { deliveryId }, body: {} }, reply: due },
  'portal.event.list': {
    request: { query: { type: 'reservation.confirmed', limit: 1 } },
    reply: { items: [event], nextCursor: null },
  },
  'portal.event.get': { request: { params: { eventId: event.id } }, reply: event },
  'portal.booking.find': {
    request: { query: { name: event.data.reference } },
    reply: { items: [booking] },
  },
  'portal.booking.get': {
    request: { params: { kind: 'checkout', bookingId: ids.checkout } },
    reply: {
      ...booking,
      timeline: [
        { at: booking.createdAt, what: 'checkout.created' },
        { at: '2027-03-02T15:11:41.905Z', what: 'checkout.submitted' },
        { at: event.timestamp, what: 'checkout.resolved' },
      ],
    },
  },
  'portal.reservation.simulate': {
    request: { params: { reference: event.data.reference }, body: { change: 'moved_one_day' } },
    reply: {
      reference: event.data.reference,
      state: 'confirmed',
      checkIn: '2027-06-13',
      checkOut: '2027-06-17',
    },
  },
  'portal.statement.get': {
    request: { query: { month: '2027-03' } },
    reply: {
      applicationId: '01a3f0c2-7b44-7e61-b0a9-5d2c8f1e6a37',
      application: 'Harbour Stays',
      settlement: 'partner',
      month: '2027-03',
      commissionPercent: 12.5,
      currencies: [
        {
          currency: 'EUR',
          sold: 61480,
          changed: -4000,
          cancelled: 0,
          atProperty: 2400,
          commission: 6885,
          owed: 48195,
          lines: [
            { reference: 'LK-3924-90KZ', kind: 'sold', on: '2027-03-02', amount: 61480 },
            { reference: 'LK-3924-90KZ', kind: 'changed', on: '2027-03-09', amount: -4000 },
          ],
        },
      ],
    },
  },
  'portal.quota.get': {
    request: {},
    reply: {
      tiers: [{ tier: 'read', limit: 360, perMinute: 360, available: 342, fullInSeconds: 3 }],
      exact: true,
      reservationsPerDay: { limit: 50, used: 7 },
    },
  },
  'portal.key.list': { request: {}, reply: { items: [usedKey], mayChange: true } },
  'portal.key.issue': {
    request: { body: { expiresInDays: 90 } },
    reply: {
      keyId: '3tR9wB6nY1Vc',
      applicationKey: 'lk_sandbox_3tR9wB6nY1Vc_…',
      expiresAt: '2027-05-31T16:20:00.000Z',
    },
  },
  'portal.key.revoke': {
    request: { params: { keyId: usedKey.keyId }, body: {} },
    reply: { ...usedKey, state: 'revoked', revokedAt: '2027-03-02T16:20:00.000Z' },
  },
  'portal.request.get': {
    request: { params: { requestId: loggedCall.requestId } },
    reply: {
      ...loggedCall,
      status: 400,
      code: 'invalid_input',
      message: 'The request is not valid.',
      invalidFields: [{ path: '/termsVersion', message: 'is required' }],
      about: ids.checkout,
    },
  },
  'portal.request.list': {
    request: { query: { status: '2xx', limit: 1 } },
    reply: { items: [loggedCall], nextCursor: null },
  },
};
