import type { TSchema } from 'typebox';
import * as Type from '../type.ts';
import { completeRows, type StatedRow } from '../complete-rows.ts';
import type { CommonErrorCode, ErrorCode } from '../errors.ts';
import type { Tier } from '../limits.ts';
import type { ReplyOfRow, Row, StaticOf } from '../rows.ts';
import type { Scope } from '../scopes.ts';
import { ChangeQuery, InventoryChangePage } from './schemas/change.ts';
import * as change from './schemas/change-request.ts';
import * as checkout from './schemas/checkout.ts';
import { EventPage, EventQuery } from './schemas/event.ts';
import { Listing, ListingPage } from './schemas/listing.ts';
import { paged } from './schemas/primitives.ts';
import { CreateQuote, Quote } from './schemas/quote.ts';
import * as reservation from './schemas/reservation.ts';
import {
  Calendar,
  CalendarList,
  CalendarQuery,
  ListCalendars,
  SearchListings,
  SearchPage,
} from './schemas/search.ts';
import { CapturedSignal, CaptureSignal } from './schemas/signal.ts';
import { Site } from './schemas/site.ts';

/** One row of the operation table. */
export interface OperationRow extends Row {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: `/v1/${string}`;
  public?: never;
  /** The one scope that the token needs. */
  scope: Scope;
  tier: Tier;
  reply: Readonly<Partial<Record<200 | 201 | 202, TSchema>>>;
  /** Codes in addition to those that every operation can return. */
  errors: readonly Exclude<ErrorCode, CommonErrorCode>[];
}

/** What can be in a path, by name. */
const pathMembers = {
  changeRequestId: Type.UuidInput('The request.'),
  checkoutId: Type.UuidInput('The checkout.'),
  listingId: Type.UuidInput('The home.'),
  reference: Type.GivenText(100, 'Opaque.'),
  reservationRequestId: Type.UuidInput('The request.'),
};

/** The codes of every command on a checkout. */
const commandErrors = [
  'not_found',
  'precondition_failed',
  'invalid_state',
  'quote_expired',
  'unresolved',
] as const;

/** A read of the catalog, whose response can be kept. */
const catalogRead = {
  scope: 'distribution.listing.read',
  tier: 'read',
  provenance: true,
  etag: 'revalidate',
  asOf: true,
} as const;

/** A read of a checkout. */
const checkoutRead = {
  scope: 'reservation.checkout.read',
  tier: 'read',
  session: 'required',
} as const;

/** A command on a checkout. */
const checkoutCommand = {
  scope: 'reservation.checkout.write',
  tier: 'write',
  session: 'required',
  versioned: true,
} as const;

/** The operation table. Spec: ACCESS-8, QUOTA-1. */
export const operations = completeRows(pathMembers, {
  'distribution.site.get': {
    call: 'GET /v1/site',
    tag: 'Catalog',
    summary: 'Read the site',
    description: 'Brand, collections, standards and what this application may offer.',
    ...catalogRead,
    reply: { 200: Site },
  },
  'distribution.listing.list': {
    call: 'GET /v1/listings',
    tag: 'Catalog',
    summary: 'List the homes',
    description: 'Page with `nextCursor` until it is null. The order is stable.',
    ...catalogRead,
    query: Type.RequestObject({
      ...paged,
      collectionId: Type.Optional(Type.UuidInput('Only homes of this collection.')),
    }),
    emptyQueryAllowed: true,
    reply: { 200: ListingPage },
  },
  'distribution.listing.get': {
    call: 'GET /v1/listings/{listingId}',
    tag: 'Catalog',
    summary: 'Read a home',
    ...catalogRead,
    reply: { 200: Listing },
  },
  'distribution.listing.search': {
    call: 'POST /v1/listings/search',
    tag: 'Availability',
    summary: 'Search available homes',
    description:
      'Homes that a quote would accept for these dates and party. Totals are indicative: the quote is binding.',
    scope: 'distribution.listing.search',
    tier: 'search',
    body: SearchListings,
    reply: { 200: SearchPage },
  },
  'inventory.calendar.get': {
    call: 'GET /v1/listings/{listingId}/calendar',
    tag: 'Availability',
    summary: "Read a home's calendar",
    scope: 'inventory.calendar.read',
    tier: 'search',
    query: CalendarQuery,
    reply: { 200: Calendar },
  },
  'inventory.calendar.list': {
    call: 'POST /v1/calendars',
    tag: 'Availability',
    summary: 'Read the calendars of several homes',
    scope: 'inventory.calendar.read',
    tier: 'search',
    body: ListCalendars,
    reply: { 200: CalendarList },
  },
  'inventory.change.list': {
    call: 'GET /v1/inventory-changes',
    tag: 'Availability',
    summary: 'Read the feed of changes',
    description:
      'What has changed in homes, prices, rules and nights, oldest first, for the last 30 days. Store `nextCursor` and continue from it.',
    scope: 'inventory.calendar.read',
    tier: 'read',
    query: ChangeQuery,
    reply: { 200: InventoryChangePage },
    errors: ['resync_required'],
  },
  'reservation.quote.create': {
    call: 'POST /v1/quotes',
    tag: 'Booking',
    summary: 'Create a quote',
    description: 'Exact price and terms for 15 minutes. It does not hold the nights.',
    scope: 'reservation.quote.create',
    tier: 'search',
    creates: 'quoteId',
    body: CreateQuote,
    reply: { 200: Quote, 201: Quote },
    errors: ['not_found', 'conflict', 'policy_restricted', 'unresolved'],
  },
  'reservation.checkout.create': {
    call: 'POST /v1/checkouts',
    tag: 'Booking',
    summary: 'Create a checkout',
    description: 'Store `sessionCapability`: every later call on this checkout needs it.',
    scope: 'reservation.checkout.write',
    tier: 'write',
    settlement: 'configured',
    creates: 'checkoutId',
    etag: 'show',
    body: checkout.CreateCheckout,
    reply: { 200: checkout.CreatedCheckout, 201: checkout.CreatedCheckout },
    errors: [
      'not_found',
      'conflict',
      'quote_expired',
      'policy_restricted',
      'not_configured',
      'unresolved',
    ],
  },
  'reservation.checkout.get': {
    call: 'GET /v1/checkouts/{checkoutId}',
    tag: 'Booking',
    summary: 'Read a checkout',
    ...checkoutRead,
    etag: 'show',
    reply: { 200: checkout.Checkout },
  },
  'reservation.checkout.saveGuest': {
    call: 'PATCH /v1/checkouts/{checkoutId}/guest',
    tag: 'Booking',
    summary: 'Save the guest',
    ...checkoutCommand,
    etag: 'show',
    body: checkout.SaveGuest,
    reply: { 200: checkout.Checkout },
    errors: commandErrors,
  },
  'reservation.checkout.applyPromo': {
    call: 'POST /v1/checkouts/{checkoutId}/promotion',
    tag: 'Booking',
    summary: 'Apply a promotion code',
    ...checkoutCommand,
    etag: 'show',
    body: checkout.ApplyPromo,
    reply: { 200: checkout.Checkout },
    errors: [...commandErrors, 'policy_restricted'],
  },
  'reservation.checkout.removePromo': {
    call: 'DELETE /v1/checkouts/{checkoutId}/promotion',
    tag: 'Booking',
    summary: 'Remove the promotion code',
    ...checkoutCommand,
    etag: 'show',
    reply: { 200: checkout.Checkout },
    errors: commandErrors,
  },
  'reservation.checkout.setupPayment': {
    call: 'POST /v1/checkouts/{checkoutId}/payment-setup',
    tag: 'Payment',
    summary: 'Set up the payment',
    description: 'Then read the checkout until `paymentSetup.state` is `ready` or `failed`.',
    ...checkoutCommand,
    settlement: 'card',
    etag: 'show',
    body: checkout.SetupPayment,
    reply: { 202: checkout.Checkout },
    errors: [...commandErrors, 'payment_not_required'],
  },
  'reservation.checkout.verifyPayment': {
    call: 'POST /v1/checkouts/{checkoutId}/payment-method',
    tag: 'Payment',
    summary: 'Send the verified payment method',
    description:
      '200 if the checkout is ready to submit; 202 if it continues after an authentication step.',
    ...checkoutCommand,
    settlement: 'card',
    etag: 'show',
    body: checkout.VerifyPayment,
    reply: { 200: checkout.Checkout, 202: checkout.Checkout },
    errors: [...commandErrors, 'conflict', 'payment_not_required'],
  },
  'reservation.checkout.submit': {
    call: 'POST /v1/checkouts/{checkoutId}/submit',
    tag: 'Booking',
    summary: 'Submit the checkout',
    description: 'Accepted is not confirmed: read the status until it is.',
    ...checkoutCommand,
    reserves: true,
    body: checkout.SubmitCheckout,
    reply: { 202: checkout.CheckoutStatus },
    errors: [...commandErrors, 'conflict'],
  },
  'reservation.checkout.getStatus': {
    call: 'GET /v1/checkouts/{checkoutId}/status',
    tag: 'Booking',
    summary: 'Read the status',
    description: 'A pure read. Wait `pollAfterSeconds` between reads.',
    ...checkoutRead,
    reply: { 200: checkout.CheckoutStatus },
  },
  'reservation.checkout.getConfirmation': {
    call: 'GET /v1/checkouts/{checkoutId}/confirmation',
    tag: 'Booking',
    summary: 'Read the confirmation',
    ...checkoutRead,
    reply: { 200: checkout.Confirmation },
    errors: ['not_found', 'invalid_state'],
  },
  'reservation.reservation.get': {
    call: 'GET /v1/reservations/{reference}',
    tag: 'Reservations',
    summary: 'Read a reservation',
    description: 'The current state, with changes by the reservations team.',
    scope: 'reservation.reservation.read',
    tier: 'read',
    reply: { 200: reservation.Reservation },
  },
  'reservation.reservation.list': {
    call: 'GET /v1/reservations',
    tag: 'Reservations',
    summary: 'List reservations',
    description: 'Newest confirmation first.',
    scope: 'reservation.reservation.read',
    tier: 'read',
    query: reservation.ReservationQuery,
    reply: { 200: reservation.ReservationPage },
  },
  'reservation.reservationRequest.create': {
    call: 'POST /v1/reservation-requests',
    tag: 'Reservation requests',
    summary: 'Request a reservation in one call',
    description: 'Partner-settled applications only.',
    scope: 'reservation.request.write',
    tier: 'write',
    settlement: 'partner',
    reserves: true,
    creates: 'reservationRequestId',
    body: reservation.CreateReservationRequest,
    reply: { 202: reservation.ReservationRequest },
    errors: [
      'not_found',
      'conflict',
      'quote_expired',
      'policy_restricted',
      'not_configured',
      'unresolved',
    ],
  },
  'reservation.reservationRequest.get': {
    call: 'GET /v1/reservation-requests/{reservationRequestId}',
    tag: 'Reservation requests',
    summary: 'Read a reservation request',
    scope: 'reservation.request.read',
    tier: 'read',
    reply: { 200: reservation.ReservationRequest },
  },
  'reservation.reservationRequest.list': {
    call: 'GET /v1/reservation-requests',
    tag: 'Reservation requests',
    summary: 'List reservation requests',
    description: 'Newest first.',
    scope: 'reservation.request.read',
    tier: 'read',
    query: reservation.ReservationRequestQuery,
    reply: { 200: reservation.ReservationRequestPage },
  },
  'reservation.change.request': {
    call: 'POST /v1/reservations/{reference}/change-requests',
    tag: 'Reservations',
    summary: 'Ask for a cancellation or change',
    description: "The operator's reservations team decides.",
    scope: 'reservation.change.write',
    tier: 'write',
    creates: 'changeRequestId',
    body: change.CreateChangeRequest,
    reply: { 200: change.ChangeRequest, 201: change.ChangeRequest },
    errors: ['not_found', 'conflict', 'policy_restricted', 'unresolved'],
  },
  'reservation.change.get': {
    call: 'GET /v1/reservations/{reference}/change-requests/{changeRequestId}',
    tag: 'Reservations',
    summary: 'Read a request for a change',
    scope: 'reservation.change.read',
    tier: 'read',
    reply: { 200: change.ChangeRequest },
  },
  'reservation.change.list': {
    call: 'GET /v1/change-requests',
    tag: 'Reservations',
    summary: 'List requests for changes',
    description: 'Newest first.',
    scope: 'reservation.change.read',
    tier: 'read',
    query: change.ChangeRequestQuery,
    reply: { 200: change.ChangeRequestPage },
  },
  'reservation.change.withdraw': {
    call: 'DELETE /v1/reservations/{reference}/change-requests/{changeRequestId}',
    tag: 'Reservations',
    summary: 'Withdraw a request for a change',
    scope: 'reservation.change.write',
    tier: 'write',
    reply: { 200: change.ChangeRequest },
    errors: ['not_found', 'invalid_state', 'unresolved'],
  },
  'reservation.event.list': {
    call: 'GET /v1/events',
    tag: 'Events',
    summary: 'Read the event feed',
    description:
      'Oldest first, for the last 30 days. Store `nextCursor` and continue from it. No event is skipped or reordered.',
    scope: 'reservation.event.read',
    tier: 'read',
    query: EventQuery,
    reply: { 200: EventPage },
    errors: ['resync_required'],
  },
  'cdp.signal.capture': {
    call: 'POST /v1/signals',
    tag: 'Signals',
    summary: 'Record what a guest did',
    description: '`accepted` only confirms receipt. Never send guest details.',
    scope: 'cdp.signal.capture',
    tier: 'signal',
    session: 'joined',
    creates: 'signalId',
    body: CaptureSignal,
    reply: { 200: CapturedSignal, 201: CapturedSignal },
    errors: ['not_found', 'conflict', 'invalid_state', 'unresolved'],
  },
} as const satisfies Readonly<Record<string, StatedRow<OperationRow>>>);

export type OperationId = keyof typeof operations;
type RowOf<Id extends OperationId> = (typeof operations)[Id];

/** Every operation ID, in the order of the table. */
export const operationIds = Object.keys(operations) as OperationId[];

/** The row of an operation, without its literal types. */
export const rowOf = (id: OperationId): OperationRow => operations[id];

export type ParamsOf<Id extends OperationId> = StaticOf<RowOf<Id>, 'params'>;
export type QueryOf<Id extends OperationId> = StaticOf<RowOf<Id>, 'query'>;
export type BodyOf<Id extends OperationId> = StaticOf<RowOf<Id>, 'body'>;

/** The codes that an operation can return. */
export type ErrorOf<Id extends OperationId> = RowOf<Id>['errors'][number] | CommonErrorCode;

/** Status and body of a successful response. */
export type ReplyOf<Id extends OperationId> = ReplyOfRow<RowOf<Id>>;
