import type { Static } from 'typebox';
import * as booking from './examples/booking.ts';
import * as home from './examples/stay.ts';
import type { BodyOf, OperationId, operations, ParamsOf, QueryOf, ReplyOf } from './operations.ts';
import type { TokenAnswer, TokenRequest } from './schemas/error.ts';
import { scopes } from '../scopes.ts';

type Row<Id extends OperationId> = (typeof operations)[Id];
type Taken<Id extends OperationId, Key extends string, Value> =
  Row<Id> extends Record<Key, unknown> ? { readonly [K in Key]: Value } : unknown;

/** An example request. */
type RequestExample<Id extends OperationId> = Taken<Id, 'params', ParamsOf<Id>> &
  Taken<Id, 'query', QueryOf<Id>> &
  Taken<Id, 'body', BodyOf<Id>> & { readonly headers?: Readonly<Record<string, string>> };

/** An example response for each successful status. */
type ReplyExamples<Id extends OperationId> = {
  readonly [Status in ReplyOf<Id>['status']]: Extract<ReplyOf<Id>, { status: Status }>['body'];
};

export type OperationExamples = {
  readonly [Id in OperationId]: {
    readonly request: RequestExample<Id>;
    readonly replies: ReplyExamples<Id>;
  };
};

const { ids, changeRequests, checkouts, requests } = booking;
const provenance = { 'X-Booking-Consumer': 'web' };
const calendar = {
  listingId: home.listing.listingId,
  timeZone: home.listing.timeZone,
  startDate: home.stay.checkIn,
  endDate: home.stay.checkOut,
  currency: home.charges.currency,
  days: home.days,
  digest: home.calendarDigest,
  meta: booking.meta,
};

const session = { 'Session-Capability': booking.sessionCapability };
const params = { checkoutId: ids.checkout };

const createdCheckout = {
  ...checkouts.created,
  sessionCapability: booking.sessionCapability,
  sessionExpiresAt: '2027-03-03T15:06:31.402Z',
};

const captured = { signalId: ids.signal, accepted: true } as const;

/** The table of examples: one booking from end to end, with request and responses of each operation. */
export const examples: OperationExamples = {
  'distribution.site.get': {
    request: { headers: provenance },
    replies: { 200: home.site },
  },
  'distribution.listing.list': {
    request: { query: { limit: 1 }, headers: provenance },
    replies: {
      200: { items: [home.listing], nextCursor: booking.listCursor, meta: booking.meta },
    },
  },
  'distribution.listing.get': {
    request: { params: { listingId: home.listing.listingId }, headers: provenance },
    replies: { 200: home.listing },
  },
  'distribution.listing.search': {
    request: {
      body: {
        checkIn: home.stay.checkIn,
        checkOut: home.stay.checkOut,
        party: { adults: 2, children: 1 },
        limit: 1,
        journeyId: ids.journey,
        consent: 'not_required',
      },
    },
    replies: {
      200: {
        items: [
          {
            listing: home.listing,
            total: home.charges.total,
            currency: home.charges.currency,
          },
        ],
        nextCursor: booking.searchCursor,
        meta: booking.meta,
        searchObservationId: booking.searchObservationId,
      },
    },
  },
  'inventory.calendar.get': {
    request: {
      params: { listingId: home.listing.listingId },
      query: { startDate: home.stay.checkIn, endDate: home.stay.checkOut },
    },
    replies: { 200: calendar },
  },
  'inventory.calendar.list': {
    request: {
      body: {
        listingIds: [home.listing.listingId],
        startDate: home.stay.checkIn,
        endDate: home.stay.checkOut,
      },
    },
    replies: { 200: { items: [calendar], missing: [], meta: booking.meta } },
  },
  'inventory.change.list': {
    request: { query: { limit: 2 } },
    replies: {
      200: {
        items: [
          {
            sequence: 41,
            changedAt: booking.meta.asOf!,
            kind: 'availability',
            listingId: home.listing.listingId,
            from: home.stay.checkIn,
            to: home.stay.checkOut,
          },
        ],
        nextCursor: booking.listCursor,
        hasMore: false,
      },
    },
  },
  'reservation.quote.create': {
    request: {
      body: {
        quoteId: ids.quote,
        listingId: home.listing.listingId,
        checkIn: home.stay.checkIn,
        checkOut: home.stay.checkOut,
        party: { adults: 2, children: 1 },
      },
    },
    replies: { 200: booking.quote, 201: booking.quote },
  },
  'reservation.checkout.create': {
    request: {
      body: {
        checkoutId: ids.checkout,
        quoteId: ids.quote,
        partnerReference: booking.orderReference,
      },
    },
    replies: { 200: createdCheckout, 201: createdCheckout },
  },
  'reservation.checkout.get': {
    request: { params, headers: session },
    replies: { 200: checkouts.setupReady },
  },
  'reservation.checkout.saveGuest': {
    request: { params, headers: session, body: { expectedVersion: 1, guest: booking.guest } },
    replies: { 200: checkouts.withGuest },
  },
  'reservation.checkout.applyPromo': {
    request: {
      params,
      headers: session,
      body: { expectedVersion: 2, code: home.promotionCode },
    },
    replies: { 200: checkouts.promoted },
  },
  'reservation.checkout.removePromo': {
    request: { params, headers: { ...session, 'If-Match': '"3"' } },
    replies: { 200: checkouts.withGuest },
  },
  'reservation.checkout.setupPayment': {
    request: { params, headers: session, body: { expectedVersion: 3 } },
    replies: { 202: checkouts.setupAsked },
  },
  'reservation.checkout.verifyPayment': {
    request: {
      params,
      headers: session,
      body: {
        expectedVersion: 5,
        setupReference: booking.setupReference,
        paymentMethodId: booking.paymentMethodId,
        consentAccepted: true,
      },
    },
    replies: { 200: checkouts.verified, 202: checkouts.goingOn },
  },
  'reservation.checkout.submit': {
    request: {
      params,
      headers: session,
      body: { expectedVersion: 6, termsVersion: home.terms.version, termsAccepted: true },
    },
    replies: {
      202: {
        checkoutId: ids.checkout,
        version: booking.submittedVersion,
        state: 'pending',
        nextActions: ['poll'],
        pollAfterSeconds: 1,
      },
    },
  },
  'reservation.checkout.getStatus': {
    request: { params, headers: session },
    replies: {
      200: {
        checkoutId: ids.checkout,
        version: booking.confirmedVersion,
        state: 'confirmed',
        nextActions: ['view_confirmation'],
        reference: booking.reference,
      },
    },
  },
  'reservation.checkout.getConfirmation': {
    request: { params, headers: session },
    replies: {
      200: {
        reference: booking.reference,
        stay: {
          listingId: home.listing.listingId,
          timeZone: home.listing.timeZone,
          ...home.stay,
          party: home.party,
        },
        charges: home.promotedCharges,
        partnerReference: booking.orderReference,
        confirmedAt: booking.confirmedAt,
        materialization: 'ready',
      },
    },
  },
  'reservation.reservation.get': {
    request: { params: { reference: booking.reference } },
    replies: { 200: booking.reservation },
  },
  'reservation.reservation.list': {
    request: { query: { limit: 20, state: 'confirmed', checkInFrom: booking.reservation.checkIn } },
    replies: { 200: { items: [booking.reservation], nextCursor: null } },
  },
  'reservation.reservationRequest.create': {
    request: {
      body: {
        reservationRequestId: ids.request,
        quoteId: ids.requestQuote,
        termsVersion: home.terms.version,
        termsAccepted: true,
        guest: booking.guest,
        partnerReference: booking.partnerReference,
      },
    },
    replies: { 202: requests.requested },
  },
  'reservation.reservationRequest.get': {
    request: { params: { reservationRequestId: ids.request } },
    replies: { 200: requests.confirmed },
  },
  'reservation.reservationRequest.list': {
    request: { query: { limit: 20, partnerReference: booking.partnerReference } },
    replies: { 200: { items: [requests.confirmed], nextCursor: null } },
  },
  'reservation.change.request': {
    request: {
      params: { reference: booking.reference },
      body: {
        changeRequestId: ids.changeRequest,
        kind: 'cancel',
        note: 'The guest has broken a leg.',
      },
    },
    replies: { 200: changeRequests.asked, 201: changeRequests.asked },
  },
  'reservation.change.get': {
    request: {
      params: { reference: booking.reference, changeRequestId: ids.changeRequest },
    },
    replies: { 200: changeRequests.accepted },
  },
  'reservation.change.list': {
    request: { query: { limit: 20, state: 'accepted' } },
    replies: { 200: { items: [changeRequests.accepted], nextCursor: null } },
  },
  'reservation.change.withdraw': {
    request: {
      params: { reference: booking.reference, changeRequestId: ids.changeRequest },
    },
    replies: { 200: changeRequests.withdrawn },
  },
  'reservation.event.list': {
    request: { query: { limit: 20 } },
    replies: {
      200: {
        items: [
          booking.exampleEvents['checkout.resolved'],
          booking.exampleEvents['reservation.confirmed'],
        ],
        nextCursor: booking.feedCursor,
        hasMore: false,
      },
    },
  },
  'cdp.signal.capture': {
    request: {
      body: {
        signalId: ids.signal,
        name: 'quote_viewed',
        routeFamily: 'listing',
        deviceClass: 'mobile',
        correlationId: ids.correlation,
        consent: 'not_required',
        quoteId: ids.quote,
      },
    },
    replies: { 200: captured, 201: captured },
  },
};

interface TokenExample {
  request: Static<typeof TokenRequest>;
  reply: Static<typeof TokenAnswer>;
}

/** An example call of the token endpoint, with the credentials by HTTP Basic, and its response. */
export const tokenExample: TokenExample = {
  request: { grant_type: 'client_credentials' },
  reply: {
    access_token:
      'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6ImsxIn0.eyJzdWIiOiJhcHBsaWNhdGlvbiJ9.c2lnbmF0dXJl',
    token_type: 'Bearer',
    expires_in: 900,
    scope: scopes.join(' '),
  },
};
