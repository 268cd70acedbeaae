// Generated from the operation table by `npm run generate`.
/** The input and the reply of each operation. */
export interface Operations {
  'distribution.site.get': {
    params: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    reply: Site;
  };
  'distribution.listing.list': {
    params: Record<never, never>;
    query: {
      /** Maximum number of items; 20 if absent. */
      limit?: number;
      /** `nextCursor` of the previous page. Absent: the first page. */
      cursor?: Cursor;
      /** Only homes of this collection. */
      collectionId?: string;
    };
    body: undefined;
    reply: ListingPage;
  };
  'distribution.listing.get': {
    params: {
      /** The home. */
      listingId: string;
    };
    query: Record<never, never>;
    body: undefined;
    reply: Listing;
  };
  'distribution.listing.search': {
    params: Record<never, never>;
    query: Record<never, never>;
    body: SearchListings;
    reply: SearchPage;
  };
  'inventory.calendar.get': {
    params: {
      /** The home. */
      listingId: string;
    };
    query: {
      /** First date. */
      startDate: string;
      /** Last date, included. The range has at most 93 days. */
      endDate: string;
    };
    body: undefined;
    reply: Calendar;
  };
  'inventory.calendar.list': {
    params: Record<never, never>;
    query: Record<never, never>;
    body: ListCalendars;
    reply: CalendarList;
  };
  'inventory.change.list': {
    params: Record<never, never>;
    query: {
      /** Maximum number of items; 100 if absent. */
      limit?: number;
      /** `nextCursor` of the previous page. Absent: the first page. */
      cursor?: Cursor;
      /** An empty page whose `nextCursor` is the end of the feed. Not together with `cursor`. */
      from?: 'latest';
    };
    body: undefined;
    reply: InventoryChangePage;
  };
  'reservation.quote.create': {
    params: Record<never, never>;
    query: Record<never, never>;
    body: CreateQuote;
    reply: Quote;
  };
  'reservation.checkout.create': {
    params: Record<never, never>;
    query: Record<never, never>;
    body: CreateCheckout;
    reply: CreatedCheckout;
  };
  'reservation.checkout.get': {
    params: {
      /** The checkout. */
      checkoutId: string;
    };
    query: Record<never, never>;
    body: undefined;
    reply: Checkout;
  };
  'reservation.checkout.saveGuest': {
    params: {
      /** The checkout. */
      checkoutId: string;
    };
    query: Record<never, never>;
    body: SaveGuest;
    reply: Checkout;
  };
  'reservation.checkout.applyPromo': {
    params: {
      /** The checkout. */
      checkoutId: string;
    };
    query: Record<never, never>;
    body: ApplyPromo;
    reply: Checkout;
  };
  'reservation.checkout.removePromo': {
    params: {
      /** The checkout. */
      checkoutId: string;
    };
    query: Record<never, never>;
    body: undefined;
    reply: Checkout;
  };
  'reservation.checkout.setupPayment': {
    params: {
      /** The checkout. */
      checkoutId: string;
    };
    query: Record<never, never>;
    body: SetupPayment | undefined;
    reply: Checkout;
  };
  'reservation.checkout.verifyPayment': {
    params: {
      /** The checkout. */
      checkoutId: string;
    };
    query: Record<never, never>;
    body: VerifyPayment;
    reply: Checkout;
  };
  'reservation.checkout.submit': {
    params: {
      /** The checkout. */
      checkoutId: string;
    };
    query: Record<never, never>;
    body: SubmitCheckout;
    reply: CheckoutStatus;
  };
  'reservation.checkout.getStatus': {
    params: {
      /** The checkout. */
      checkoutId: string;
    };
    query: Record<never, never>;
    body: undefined;
    reply: CheckoutStatus;
  };
  'reservation.checkout.getConfirmation': {
    params: {
      /** The checkout. */
      checkoutId: string;
    };
    query: Record<never, never>;
    body: undefined;
    reply: Confirmation;
  };
  'reservation.reservation.get': {
    params: {
      /** Opaque. */
      reference: string;
    };
    query: Record<never, never>;
    body: undefined;
    reply: Reservation;
  };
  'reservation.reservation.list': {
    params: Record<never, never>;
    query: {
      /** Maximum number of items; 20 if absent. */
      limit?: number;
      /** `nextCursor` of the previous page. Absent: the first page. */
      cursor?: Cursor;
      /** Only reservations with this reference of yours. */
      partnerReference?: string;
      /** Only reservations in this state. */
      state?: KnownReservationState;
      /** Only arrivals on or after this date. */
      checkInFrom?: string;
      /** Only arrivals on or before this date. */
      checkInTo?: string;
      /** Only those that changed at or after this instant. */
      updatedSince?: string;
    };
    body: undefined;
    reply: ReservationPage;
  };
  'reservation.reservationRequest.create': {
    params: Record<never, never>;
    query: Record<never, never>;
    body: CreateReservationRequest;
    reply: ReservationRequest;
  };
  'reservation.reservationRequest.get': {
    params: {
      /** The request. */
      reservationRequestId: string;
    };
    query: Record<never, never>;
    body: undefined;
    reply: ReservationRequest;
  };
  'reservation.reservationRequest.list': {
    params: Record<never, never>;
    query: {
      /** Maximum number of items; 20 if absent. */
      limit?: number;
      /** `nextCursor` of the previous page. Absent: the first page. */
      cursor?: Cursor;
      /** Only the request with this reference. */
      partnerReference?: string;
    };
    body: undefined;
    reply: ReservationRequestPage;
  };
  'reservation.change.request': {
    params: {
      /** Opaque. */
      reference: string;
    };
    query: Record<never, never>;
    body: CreateChangeRequest;
    reply: ChangeRequest;
  };
  'reservation.change.get': {
    params: {
      /** Opaque. */
      reference: string;
      /** The request. */
      changeRequestId: string;
    };
    query: Record<never, never>;
    body: undefined;
    reply: ChangeRequest;
  };
  'reservation.change.list': {
    params: Record<never, never>;
    query: {
      /** Maximum number of items; 20 if absent. */
      limit?: number;
      /** `nextCursor` of the previous page. Absent: the first page. */
      cursor?: Cursor;
      /** Only requests for this reservation. */
      reference?: string;
      /** Only requests in this state. */
      state?: KnownChangeRequestState;
    };
    body: undefined;
    reply: ChangeRequestPage;
  };
  'reservation.change.withdraw': {
    params: {
      /** Opaque. */
      reference: string;
      /** The request. */
      changeRequestId: string;
    };
    query: Record<never, never>;
    body: undefined;
    reply: ChangeRequest;
  };
  'reservation.event.list': {
    params: Record<never, never>;
    query: {
      /** Maximum number of items; 20 if absent. */
      limit?: number;
      /** `nextCursor` of the previous page. Absent: the first page. */
      cursor?: Cursor;
      /** Only events of this type. */
      type?: EventType;
      /** Where to begin without a cursor. `latest`: an empty page whose `nextCursor` is the end of the feed. An instant: the first event at or after it; `resync_required` if such an event may have been dropped. Not together with `cursor`. */
      from?: string;
    };
    body: undefined;
    reply: EventPage;
  };
  'cdp.signal.capture': {
    params: Record<never, never>;
    query: Record<never, never>;
    body: CaptureSignal;
    reply: CapturedSignal;
  };
}

/** A stay nearby that this party could book now. It is no quote. */
export type Alternative = {
  /** Arrival. */
  checkIn: string;
  /** Departure. */
  checkOut: string;
  /** The total that a quote would have now. */
  total: number;
  /** ISO 4217. */
  currency: string;
};

/** Apply a promotion code; it replaces an earlier one. */
export type ApplyPromo = {
  /** The version that you last read. Or send it as `If-Match`; if you send both, they must be equal. */
  expectedVersion?: number;
  /** The code as the guest entered it: case does not matter, nor do spaces around it. */
  code: string;
};

/** Beds of one type in a room. */
export type Bed = {
  type: string;
  quantity: number;
};

/** Availability and minimum stays, one entry per date. */
export type Calendar = {
  /** The home. */
  listingId: string;
  timeZone: string | null;
  /** First date. */
  startDate: string;
  /** Last date, included. */
  endDate: string;
  /** ISO 4217, of the prices. */
  currency: string;
  /** Every date of the range, in order. */
  days: readonly (CalendarDay)[];
  /** base64url of the SHA-256 of the RFC 8785 JSON of `{ currency, days }` as returned: compute it over your copy to compare the two. */
  digest: string;
  meta: Meta;
};

/** One date of a calendar. */
export type CalendarDay = {
  /** The night that begins on this date. */
  date: string;
  /** Whether that night is available. */
  available: boolean;
  /** Minimum nights of a stay that arrives on this date. */
  minNights: number;
  /** Whether a stay may arrive on this date. */
  checkInAllowed: boolean;
  /** Whether a stay may depart on this date. */
  checkOutAllowed: boolean;
  price: number | null;
  /** Maximum nights of a stay that arrives on this date. */
  maxNights: number;
};

/** The calendars of several homes, as of one time. */
export type CalendarList = {
  /** In the order of the request. */
  items: readonly (Calendar)[];
  /** The homes that do not exist for this application, in the order of the request. */
  missing: readonly (string)[];
  meta: Meta;
};

/** What a cancellation before an instant refunds. */
export type CancellationStep = {
  /** A cancellation before this instant … */
  before: string;
  /** … refunds this part of the amount collected by then. */
  refundAmount: number;
};

/** A part of the service that the operator grants to an application. New values may appear within a wire version. */
export type Capability = 'catalog' | 'search' | 'quotes' | 'checkout' | 'signals' | 'changes' | (string & {});

/** An action of a guest, with the ID that its name needs. */
export type CaptureSignal = {
  /** Your ID for the signal. Or send `Idempotency-Key`. */
  signalId?: string;
  name: 'search_submitted' | 'search_viewed' | 'listing_viewed' | 'quote_viewed' | 'reserve_clicked' | 'checkout_started' | 'details_completed' | 'payment_submitted' | 'confirmation_viewed';
  routeFamily: 'home' | 'search' | 'listing' | 'checkout' | 'confirmation';
  /** When it happened: within the last 24 hours and at most 5 minutes in the future. */
  occurredAt?: string;
  /** Only the origin, without path and query. */
  referrerOrigin?: string;
  deviceClass?: 'desktop' | 'mobile' | 'tablet' | 'unknown';
  /** Links the signals of one visit. */
  correlationId?: string;
  consent?: Consent;
  /** For `search_viewed`: the value from the response of the search. */
  searchObservationId?: string;
  /** For `listing_viewed`. */
  listingId?: string;
  /** For `quote_viewed` and `reserve_clicked`. */
  quoteId?: string;
  /** For the signals of a checkout, together with its `Session-Capability`. */
  checkoutId?: string;
};

/** The signal was received. This confirms nothing else. */
export type CapturedSignal = {
  /** The ID that the client chose. */
  signalId: string;
  accepted: true;
};

/** What it would cost or refund, at the time of the request. In minor units. */
export type ChangePreview = {
  /** ISO 4217. */
  currency: string;
  total: number | null;
  difference: number | null;
  refund: number | null;
};

/** A request to cancel or change a reservation. */
export type ChangeRequest = {
  /** The ID that the client chose. */
  changeRequestId: string;
  /** The reservation. */
  reference: string;
  kind: ChangeRequestKind;
  checkIn: string | null;
  checkOut: string | null;
  party: Party | null;
  note: string | null;
  state: ChangeRequestState;
  preview: ChangePreview;
  reason: string | null;
  /** When it was created. */
  createdAt: string;
  decidedAt: string | null;
};

/** Identifiers and state; never guest details or prices. */
export type ChangeRequestDecidedData = {
  /** The reference of the reservation. */
  reference: string;
  /** The request. */
  changeRequestId: string;
  /** `accepted`, `declined` or `withdrawn`. */
  state: ChangeRequestState;
};

/** A request to cancel or change a reservation was decided. */
export type ChangeRequestDecidedEvent = {
  /** Identifies the event, in the feed and as `webhook-id`. A UUIDv7 without hyphens, so IDs sort by time. */
  id: string;
  type: 'change_request.decided';
  /** The version of this envelope. */
  schemaVersion: number;
  /** When it happened. */
  timestamp: string;
  /** Number of the event within the application: 1, 2, 3 without gaps, in commit order, the same in the feed and in webhooks. A gap means that an event has not arrived yet. */
  sequence: number;
  data: ChangeRequestDecidedData;
};

/** A request for a change was decided: the body of a webhook. A test event from the portal has no `sequence`. */
export type ChangeRequestDecidedWebhook = {
  /** Identifies the event, in the feed and as `webhook-id`. A UUIDv7 without hyphens, so IDs sort by time. */
  id: string;
  type: 'change_request.decided';
  /** The version of this envelope. */
  schemaVersion: number;
  /** When it happened. */
  timestamp: string;
  data: ChangeRequestDecidedData;
  /** Number of the event within the application: 1, 2, 3 without gaps, in commit order, the same in the feed and in webhooks. A gap means that an event has not arrived yet. */
  sequence?: number;
};

/** What is asked for. New values may appear within a wire version. */
export type ChangeRequestKind = 'cancel' | 'change' | (string & {});

/** Requests for changes, newest first. */
export type ChangeRequestPage = {
  items: readonly (ChangeRequest)[];
  nextCursor: Cursor | null;
};

/** The state of a request for a change. Only `open` is not final. New values may appear within a wire version. If you do not know a value, read the resource again later; it never means success. */
export type ChangeRequestState = 'open' | 'accepted' | 'declined' | 'withdrawn' | (string & {});

/** What a line of the charges is for. New values may appear within a wire version: show the line with its label. */
export type ChargeKind = 'accommodation' | 'discount' | 'promotion' | 'cleaning' | 'fee' | 'tax' | (string & {});

/** A line of the charges. */
export type ChargeLine = {
  kind: ChargeKind;
  label: string;
  /** Negative for discounts and promotions. */
  amount: number;
  /** Only of a percentage: positive, also of discounts. At most four decimals. */
  percent?: number;
  /** What `percent` is of. Only of a percentage without a cap or steps. */
  base?: number;
};

/** The price of the stay, in minor units, taxes included. */
export type Charges = {
  /** ISO 4217. */
  currency: string;
  /** Accommodation after length-of-stay discounts and promotion. */
  accommodation: number;
  /** All fees, cleaning included. */
  fees: number;
  /** The part of `fees` that is cleaning. */
  cleaning: number;
  /** All taxes that are added to the prices. */
  taxes: number;
  /** Taxes that the prices contain, to be shown on an invoice. They are no part of `taxes` and add nothing to `total`. Absent in bookings made before they were told. */
  includedTaxes?: readonly (IncludedTax)[];
  /** `accommodation` + `fees` + `taxes`. */
  total: number;
  /** The amount due on the day of booking; the whole total if the balance is due by then. */
  dueNow: number;
  /** When the total is collected, by date. The amounts add up to `total`. A first payment that is due today equals `dueNow`. What is paid at the property is the last entry. */
  schedule: readonly (ScheduledPayment)[];
  /** The lines add up to `total`. Lines of kind `accommodation`, `discount` and `promotion` add up to the member `accommodation`. Each line is rounded once, half away from zero. */
  lines: readonly (ChargeLine)[];
  /** The nights add up to the line of kind `accommodation`. */
  nights: readonly (NightCharge)[];
};

/** The process that turns a quote into a reservation. */
export type Checkout = {
  /** The ID that the client chose. */
  checkoutId: string;
  /** The quote of this checkout. */
  quoteId: string;
  /** 1 at creation; every change raises it. Send the version that you last read with each command. */
  version: number;
  state: CheckoutState;
  nextActions: NextActions;
  settlement: Settlement;
  /** The home. */
  listingId: string;
  /** Arrival. */
  checkIn: string;
  /** Departure. */
  checkOut: string;
  party: Party;
  charges: Charges;
  terms: Terms;
  promotionCode: string | null;
  partnerReference: string | null;
  guest: Guest | null;
  /** Submit before this instant. The first command after it expires the checkout. */
  quoteExpiresAt: string;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  failure?: Failure;
  uncertain?: Uncertainty;
  paymentSetup?: PaymentSetup;
  /** The reference of the reservation. Absent until the checkout is confirmed. Opaque, for example `LK-7Q4M-2XHV`. */
  reference?: string;
  /** Seconds to wait between reads. Present while an outcome is pending. */
  pollAfterSeconds?: number;
};

/** The outcome of a checkout or request that was submitted. New values may appear within a wire version. If you do not know a value, read the resource again later; it never means success. */
export type CheckoutOutcome = 'confirmed' | 'failed' | 'expired' | (string & {});

/** Identifiers, state, version and time; never guest details or prices. */
export type CheckoutResolvedData = {
  /** The checkout, or the reservation request. */
  checkoutId: string;
  state: CheckoutOutcome;
  /** The version after the change. */
  version: number;
  /** The reference of the reservation; only if confirmed. */
  reference?: string;
  /** When the outcome was known. */
  resolvedAt: string;
};

/** A submitted checkout or request became confirmed, failed or expired. */
export type CheckoutResolvedEvent = {
  /** Identifies the event, in the feed and as `webhook-id`. A UUIDv7 without hyphens, so IDs sort by time. */
  id: string;
  type: 'checkout.resolved';
  /** The version of this envelope. */
  schemaVersion: number;
  /** When it happened. */
  timestamp: string;
  /** Number of the event within the application: 1, 2, 3 without gaps, in commit order, the same in the feed and in webhooks. A gap means that an event has not arrived yet. */
  sequence: number;
  data: CheckoutResolvedData;
};

/** A submitted checkout has its outcome: the body of a webhook. A test event from the portal has no `sequence`. */
export type CheckoutResolvedWebhook = {
  /** Identifies the event, in the feed and as `webhook-id`. A UUIDv7 without hyphens, so IDs sort by time. */
  id: string;
  type: 'checkout.resolved';
  /** The version of this envelope. */
  schemaVersion: number;
  /** When it happened. */
  timestamp: string;
  data: CheckoutResolvedData;
  /** Number of the event within the application: 1, 2, 3 without gaps, in commit order, the same in the feed and in webhooks. A gap means that an event has not arrived yet. */
  sequence?: number;
};

/** The state of a checkout. New values may appear within a wire version. If you do not know a value, read the resource again later; it never means success. */
export type CheckoutState = 'needs_guest' | 'needs_payment' | 'ready' | 'pending' | 'requires_action' | 'confirmed' | 'uncertain' | 'failed' | 'expired' | (string & {});

/** The status of a checkout. */
export type CheckoutStatus = {
  /** The ID that the client chose. */
  checkoutId: string;
  /** 1 at creation; every change raises it. Send the version that you last read with each command. */
  version: number;
  state: CheckoutState;
  nextActions: NextActions;
  failure?: Failure;
  uncertain?: Uncertainty;
  /** The reference of the reservation. Absent until the checkout is confirmed. Opaque, for example `LK-7Q4M-2XHV`. */
  reference?: string;
  /** Seconds to wait between reads. Present while an outcome is pending. */
  pollAfterSeconds?: number;
};

/** A group of homes. */
export type Collection = {
  /** Identifies the collection in `collectionId` of lists and searches. */
  collectionId: string;
  slug: string;
  name: string;
  description: string | null;
};

/** Whether a result is complete. */
export type Completeness = 'complete' | 'partial' | 'unavailable';

/** The reservation at the time of confirmation. Later changes appear on the reservation. */
export type Confirmation = {
  /** Identifies the reservation. Opaque. */
  reference: string;
  stay: ConfirmedStay;
  charges: Charges;
  partnerReference: string | null;
  /** When it was confirmed. */
  confirmedAt: string;
  materialization: Materialization;
};

/** The stay as it was confirmed. */
export type ConfirmedStay = {
  /** The home. */
  listingId: string;
  timeZone: string | null;
  /** Arrival. */
  checkIn: string;
  /** Departure. */
  checkOut: string;
  nights: number;
  party: Party;
};

/** The details of `conflict`. */
export type ConflictDetails = {
  reason: ConflictReason;
  /** With reason `unavailable`: the nights of the stay that are taken. */
  nights?: readonly (string)[];
  /** At most three stays of the home that can be booked for this party, the closest first: least days between the asked and the offered arrival and departure together; of equal ones the earlier. Absent if they could not be found in time; never for a rule of the party. */
  alternatives?: readonly (Alternative)[];
  /** With reason `quote_used`: the checkout that the quote backs. */
  checkoutId?: string;
  /** With reasons `partner_reference` and `quote_used`: the request that has the reference or the quote. */
  reservationRequestId?: string;
  /** With reason `open_request`: the request that is not decided. */
  changeRequestId?: string;
};

/** `conflict`; `details.reason` is the cause. */
export type ConflictError = {
  code: 'conflict';
  /** The problem of this call. For logs, not for guests. */
  message: string;
  /** Equals the `x-request-id` header. */
  requestId: string;
  /** Whether the same call can succeed later. */
  retryable: boolean;
  /** Equals the `Retry-After` header. */
  retryAfterSeconds?: number;
  details: ConflictDetails;
};

/** The cause of `conflict`. New values may appear within a wire version. */
export type ConflictReason = 'different_input' | 'quote_used' | 'partner_reference' | 'terms_version' | 'setup_reference' | 'payment_method' | 'not_active' | 'open_request' | 'too_many_requests' | 'no_effect' | 'unavailable' | (string & {});

/** `not_required`: ordinary first-party measurement. `denied` or absent: nothing optional is recorded. */
export type Consent = 'not_required' | 'denied';

/** Ask for a cancellation or change of a reservation. */
export type CreateChangeRequest = {
  /** Your ID for the request (preferably UUIDv7). Or send `Idempotency-Key`. */
  changeRequestId?: string;
  /** What is asked for. */
  kind: KnownChangeRequestKind;
  /** With `change`: the new arrival. */
  checkIn?: string;
  /** With `change`: the new departure. */
  checkOut?: string;
  /** With `change`: the new party, all of it. */
  party?: PartyInput;
  /** For the reservations team: why. */
  note?: string;
};

/** Turn a quote into a checkout. */
export type CreateCheckout = {
  /** Your ID for the checkout (preferably UUIDv7). Or send `Idempotency-Key`. */
  checkoutId?: string;
  /** A quote of yours that has not expired and is not used elsewhere. */
  quoteId: string;
  /** Your own reference, such as an order number. It need not be unique. */
  partnerReference?: string;
};

/** Get the exact price and terms of a stay of 1 to 90 nights. Arrival is between today (at the property) and 730 days later. */
export type CreateQuote = {
  /** Your ID for the quote (preferably UUIDv7). Or send `Idempotency-Key`. */
  quoteId?: string;
  /** The home. */
  listingId: string;
  /** Arrival. */
  checkIn: string;
  /** Departure. */
  checkOut: string;
  party: PartyInput;
  /** The code as the guest entered it: case does not matter, nor do spaces around it. */
  promotionCode?: string;
};

/** Ask for a reservation in one call. */
export type CreateReservationRequest = {
  /** Your ID for the request (preferably UUIDv7). Or send `Idempotency-Key`. */
  reservationRequestId?: string;
  /** The quote. It fixes home, dates, party and price. */
  quoteId: string;
  /** `terms.version` of the quote that the guest accepted. */
  termsVersion: string;
  /** Confirms that the guest accepted these terms. */
  termsAccepted: true;
  guest: GuestInput;
  /** Your own reference, such as an order number; unique among your requests. */
  partnerReference?: string;
};

/** A checkout, with its session capability until the first command. */
export type CreatedCheckout = {
  /** The ID that the client chose. */
  checkoutId: string;
  /** The quote of this checkout. */
  quoteId: string;
  /** 1 at creation; every change raises it. Send the version that you last read with each command. */
  version: number;
  state: CheckoutState;
  nextActions: NextActions;
  settlement: Settlement;
  /** The home. */
  listingId: string;
  /** Arrival. */
  checkIn: string;
  /** Departure. */
  checkOut: string;
  party: Party;
  charges: Charges;
  terms: Terms;
  promotionCode: string | null;
  partnerReference: string | null;
  guest: Guest | null;
  /** Submit before this instant. The first command after it expires the checkout. */
  quoteExpiresAt: string;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
  failure?: Failure;
  uncertain?: Uncertainty;
  paymentSetup?: PaymentSetup;
  /** The reference of the reservation. Absent until the checkout is confirmed. Opaque, for example `LK-7Q4M-2XHV`. */
  reference?: string;
  /** Seconds to wait between reads. Present while an outcome is pending. */
  pollAfterSeconds?: number;
  /** A secret. Send it as `Session-Capability` with every later call on this checkout. A repeat of the create returns it again while `version` is 1; after the first command it is never returned again. */
  sessionCapability?: string;
  /** The earliest instant at which the capability expires: 24 hours after creation. It does not expire while the checkout is `pending`, `requires_action` or `uncertain`, nor within 24 hours after the outcome. Present together with it. */
  sessionExpiresAt?: string;
};

/** The position in a list. Opaque: take it from `nextCursor`, never build one. It is valid only for the same operation, application and filters; `limit` may differ. Any other cursor is `invalid_input`. */
export type Cursor = string;

/** Whether the homes are offered under one brand or as a portfolio. */
export type Discovery = 'brand' | 'portfolio';

/** Like `Cursor`. An empty string counts as absent: it returns the first page. */
export type EmptiableCursor = string;

/** `simulation`: no data and no reservation is real. */
export type Environment = 'simulation' | 'test' | 'live';

/** The body of every error, except at the token endpoint. */
export type ErrorEnvelope = {
  error: ServiceError;
};

/** An event of one of your checkouts or reservations. */
export type Event = CheckoutResolvedEvent | ReservationConfirmedEvent | ReservationCancelledEvent | ReservationChangedEvent | ChangeRequestDecidedEvent;

/** Events, oldest first. */
export type EventPage = {
  items: readonly (Event)[];
  /** The cursor for the next read. Always present, also on an empty page. With `type`, it skips events of other types. */
  nextCursor: Cursor;
  /** Whether more events are available now. With `type`, one read scans a limited number of events, so a page can be empty while this is true. */
  hasMore: boolean;
};

/** The type of an event. */
export type EventType = 'checkout.resolved' | 'reservation.confirmed' | 'reservation.cancelled' | 'reservation.changed' | 'change_request.decided';

/** Why there is no reservation. Treat a failure without a reason as `refused`. */
export type Failure = {
  reason: FailureReason;
  /** With `price_changed`: the total that was quoted. */
  was?: number;
  /** With `price_changed`: the total that a quote would have had. */
  now?: number;
  /** With `policy_changed`: the labels of the policies that changed. */
  changed?: readonly (string)[];
};

/** Why there is no reservation. Everything is checked again when a submission is resolved:
`price_changed` and `policy_changed`: price or terms differ from those of the quote.
`sold_out`: the nights are no longer available.
`authority_revoked`: the application was suspended or lost its grant.
`quote_expired`: the quote or the time to confirm expired.
`refused`: anything else, a declined card included.
New values may appear within a wire version. Treat a value that you do not know as `refused`. */
export type FailureReason = 'sold_out' | 'quote_expired' | 'price_changed' | 'policy_changed' | 'authority_revoked' | 'refused' | (string & {});

/** The details of `forbidden`. */
export type ForbiddenDetails = {
  reason: ForbiddenReason;
  /** With reason `scope`: the scope that is missing. */
  scope?: string;
};

/** `forbidden`; `details.reason` is the cause. */
export type ForbiddenError = {
  code: 'forbidden';
  /** The problem of this call. For logs, not for guests. */
  message: string;
  /** Equals the `x-request-id` header. */
  requestId: string;
  /** Whether the same call can succeed later. */
  retryable: boolean;
  /** Equals the `Retry-After` header. */
  retryAfterSeconds?: number;
  details: ForbiddenDetails;
};

/** The cause of `forbidden`. New values may appear within a wire version. */
export type ForbiddenReason = 'network' | 'scope' | 'session_capability' | 'session_expired' | (string & {});

/** Where the home is, in degrees. */
export type Geo = {
  latitude: number;
  longitude: number;
};

/** The guest of the stay. */
export type Guest = {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
};

/** The guest of the stay. Used to contact the guest about the stay. */
export type GuestInput = {
  /** The first name of the guest. */
  firstName: string;
  /** The last name of the guest. Empty for people with one name. */
  lastName: string;
  /** The email address of the guest. In the simulation, `+<suffix>` before the `@` selects the outcome (see the guide). */
  email: string;
  /** In E.164 form: `+`, country code and number, as in `+351912345678`. */
  phone: string;
};

/** A picture of the home. */
export type Image = {
  url: string;
  alt: string;
};

/** A tax that the prices contain. */
export type IncludedTax = {
  label: string;
  /** The part of the prices that is this tax. */
  amount: number;
  /** Its percentage. At most four decimals. */
  percent: number;
  /** The prices that contain it, without it. */
  base: number;
};

/** A field that failed. */
export type InvalidField = {
  /** A JSON Pointer into the body (also for a missing member), or `query/<name>`, `path/<name>`, `header/<name>`. */
  path: string;
  /** The problem with the field. */
  message: string;
};

/** What is wrong with the request. */
export type InvalidInputDetails = {
  /** Every field that failed. */
  fields: readonly (InvalidField)[];
};

/** The request is not valid; `details.fields` lists the problems. */
export type InvalidInputError = {
  code: 'invalid_input';
  /** The problem of this call. For logs, not for guests. */
  message: string;
  /** Equals the `x-request-id` header. */
  requestId: string;
  /** Whether the same call can succeed later. */
  retryable: boolean;
  /** Equals the `Retry-After` header. */
  retryAfterSeconds?: number;
  details: InvalidInputDetails;
};

/** A change in homes, prices, rules or nights. */
export type InventoryChange = {
  /** Number of the entry within the feed: 1, 2, 3 without gaps. No entry appears later with a lower number. */
  sequence: number;
  /** When the change became known to the feed, after it was made. A response whose `asOf` is not earlier includes it. */
  changedAt: string;
  kind: InventoryChangeKind;
  listingId: string | null;
  from: string | null;
  to: string | null;
};

/** What has changed. `added`: The home is new in the catalog: read it and its calendar. `content`: What the listing read shows has changed. `rates`: Prices have changed. `rules`: Rules of stay or party, or the terms, have changed. `availability`: Nights were taken or became free. `removed`: The catalog no longer has the home. New values may appear within a wire version: read the home and its calendar again. */
export type InventoryChangeKind = 'added' | 'content' | 'rates' | 'rules' | 'availability' | 'removed' | (string & {});

/** Changes, oldest first. */
export type InventoryChangePage = {
  items: readonly (InventoryChange)[];
  /** The cursor for the next read. Always present, also on an empty page. */
  nextCursor: Cursor;
  /** Whether there are more changes already. */
  hasMore: boolean;
};

/** The values of `ChangeRequestKind` that exist today. */
export type KnownChangeRequestKind = 'cancel' | 'change';

/** The values of `ChangeRequestState` that exist today. */
export type KnownChangeRequestState = 'open' | 'accepted' | 'declined' | 'withdrawn';

/** The values of `ReservationState` that exist today. */
export type KnownReservationState = 'confirmed' | 'cancelled' | 'pending';

/** Read the calendars of several homes. */
export type ListCalendars = {
  /** Up to 25 homes, each once. */
  listingIds: readonly (string)[];
  /** First date. */
  startDate: string;
  /** Last date, included. The range has at most 93 days. */
  endDate: string;
};

/** A home that can be offered. It does not contain availability. */
export type Listing = {
  /** Identifies the home. */
  listingId: string;
  slug: string;
  name: string;
  description: string | null;
  blurb: string | null;
  collectionId: string | null;
  timeZone: string | null;
  destination: string | null;
  sleeps: number | null;
  bedrooms: number | null;
  bathrooms: number | null;
  checkInFrom: string | null;
  checkOutUntil: string | null;
  images: readonly (Image)[];
  amenities: readonly (string)[];
  policies: readonly (Policy)[];
  spaces: readonly (Space)[];
  geo: Geo | null;
  /** Whether search engines may index its pages. */
  indexable: boolean;
  propertyType: PropertyType | null;
  registrationNumber: string | null;
  partyRules: PartyRules;
  maxNights: number | null;
};

/** A page of homes, in a stable order. */
export type ListingPage = {
  items: readonly (Listing)[];
  nextCursor: Cursor | null;
  meta: Meta;
};

/** `pending` until the reservation is in all records of the operator, usually for less than a minute; then `ready`. The reservation is confirmed in both cases. While `pending`, the reservation shows the stay of the confirmed checkout. New values may appear within a wire version. If you do not know a value, read the confirmation again later; the reservation is confirmed. */
export type Materialization = 'pending' | 'ready' | (string & {});

/** Only homes with this currency whose total is known and not above the amount. */
export type MaxTotal = {
  /** The highest total of the stay, in minor units. */
  amount: number;
  /** ISO 4217. */
  currency: string;
};

/** Freshness and completeness of a result. */
export type Meta = {
  asOf: string | null;
  completeness: Completeness;
  /** The source of the result; `booking-simulation/1` means that it is simulated, `latchkey-inventory/1` that it is the operator’s own inventory. */
  definitionVersion: string;
  sections?: {
  };
};

/** Only homes within this great-circle distance (the mean radius of the earth is 6371.0088 km). Homes without `geo` are never within it. */
export type Near = {
  /** Degrees north. */
  latitude: number;
  /** Degrees east. */
  longitude: number;
  /** The largest distance, in kilometres. */
  radiusKm: number;
};

/** A possible next step. `view_confirmation`: read the confirmation of the checkout, or, for a reservation request, the reservation by its `reference`. `refresh_quote`: create a new quote. New values may appear within a wire version. If you do not know a value, read the resource again later; it never means success. */
export type NextAction = 'save_guest' | 'setup_payment' | 'verify_payment' | 'submit' | 'poll' | 'refresh_quote' | 'view_confirmation' | 'contact_support' | (string & {});

/** The possible next steps. Follow them instead of a fixed order. */
export type NextActions = readonly (NextAction)[];

/** The price of one night. */
export type NightCharge = {
  /** The night that begins on this date. */
  date: string;
  /** Before discounts. */
  amount: number;
};

/** An error with a code that was added after this revision. Treat it by its status. */
export type OtherError = {
  /** A code that does not exist yet: treat the error by its status. */
  code: string;
  /** The problem of this call. For logs, not for guests. */
  message: string;
  /** Equals the `x-request-id` header. */
  requestId: string;
  /** Whether the same call can succeed later. */
  retryable: boolean;
  /** Equals the `Retry-After` header. */
  retryAfterSeconds?: number;
  details?: OtherErrorDetails;
};

/** The details of a code that does not exist yet. */
export type OtherErrorDetails = {
};

/** An event of a type that was added after this revision. Store the cursor and go on. */
export type OtherEvent = {
  /** Identifies the event, in the feed and as `webhook-id`. A UUIDv7 without hyphens, so IDs sort by time. */
  id: string;
  /** The version of this envelope. */
  schemaVersion: number;
  /** When it happened. */
  timestamp: string;
  /** Number of the event within the application: 1, 2, 3 without gaps, in commit order, the same in the feed and in webhooks. A gap means that an event has not arrived yet. */
  sequence: number;
  /** A type that does not exist yet: ignore the event, or read what its data names. */
  type: string;
  data: OtherEventData;
};

/** The data of a type that does not exist yet. */
export type OtherEventData = {
};

/** Where it is paid. `property`: by the guest at the property on the day of arrival; it is never collected before. Absent: in the ordinary way. */
export type PaidAt = 'property' | (string & {});

/** The guests and pets. Adult: 18 or older at check-in. Child: 2 to 17. Infant: under 2. */
export type Party = {
  adults: number;
  children: number;
  infants: number;
  pets: number;
  /** The age of each child at check-in, as sent. Absent: not known. */
  childAges?: readonly (number)[];
};

/** The guests and pets. Adult: 18 or older at check-in. Child: 2 to 17. Infant: under 2. Absent members, except `adults`, are 0. */
export type PartyInput = {
  /** At least one. Adults count against `sleeps`. If `sleeps` is null, the maximum is 50 adults and children. */
  adults: number;
  /** Children count against `sleeps`, like adults. 0 if absent. */
  children?: number;
  /** Infants do not count against `sleeps`. The maximum for any home is 10. 0 if absent. */
  infants?: number;
  /** Only if the home accepts pets. 0 if absent. */
  pets?: number;
  /** The age of each child at check-in: exactly one for each of `children`. Some taxes and fees depend on it. Without it, every child counts where a range of ages holds an age from 2 to 17. */
  childAges?: readonly (number)[];
};

/** Who may stay. A quote checks it. */
export type PartyRules = {
  maxGuests: number | null;
  /** Whether children are welcome. */
  children: boolean;
  /** Whether infants are welcome. */
  infants: boolean;
  /** The most pets. 0: none. */
  maxPets: number;
};

/** The state of the payment setup. Card-paying applications only. Requesting a setup and its result each raise the version. */
export type PaymentSetup = {
  state: PaymentSetupState;
  /** `simulation`: show no card form. Any other value names the provider whose hosted fields collect the card. */
  kind?: string;
  /** For the provider's hosted fields in the browser. */
  publishableKey?: string;
  /** For the provider's hosted fields in the browser. Keep it out of logs. */
  clientSecret?: string;
  /** Identifies this setup. Send it with the payment method. */
  setupReference?: string;
  failure?: PaymentSetupFailure;
};

/** After `unavailable` and `unresolved`, request a setup again. After `not_authorized`, another request does not help. New values may appear within a wire version. If you do not know a value, follow `nextActions`. */
export type PaymentSetupFailure = 'unavailable' | 'unresolved' | 'not_authorized' | (string & {});

/** The state of a payment setup. New values may appear within a wire version. If you do not know a value, read the resource again later; it never means success. */
export type PaymentSetupState = 'pending' | 'ready' | 'failed' | (string & {});

/** An error without specified details. */
export type PlainError = {
  /** Stable. */
  code: 'not_found' | 'invalid_state' | 'quote_expired' | 'precondition_failed' | 'payment_not_required' | 'resync_required' | 'internal' | 'unavailable' | 'not_configured' | 'unresolved';
  /** The problem of this call. For logs, not for guests. */
  message: string;
  /** Equals the `x-request-id` header. */
  requestId: string;
  /** Whether the same call can succeed later. */
  retryable: boolean;
  /** Equals the `Retry-After` header. */
  retryAfterSeconds?: number;
  details?: PlainErrorDetails;
};

/** Not part of the contract. */
export type PlainErrorDetails = {
};

/** A rule or standard, as a text for guests. */
export type Policy = {
  label: string;
  body: string;
};

/** The details of `policy_restricted`. */
export type PolicyRestrictedDetails = {
  reason: PolicyRestrictedReason;
  /** The most or least that is allowed: nights for `min_nights` and `max_nights`, days for `advance_notice` and `booking_horizon`, guests for `too_many_guests` (infants, if there are too many of those), pets for `too_many_pets`. */
  limit?: number;
  /** With reason `advance_notice`: the hour at the property until which the notice counts from the same day, where one is set. */
  until?: string;
  /** With reasons `arrival_day` and `departure_day`: the days of the week that are allowed, as `sat`. */
  allowed?: readonly (string)[];
  /** At most three stays of the home that can be booked for this party, the closest first: least days between the asked and the offered arrival and departure together; of equal ones the earlier. Absent if they could not be found in time; never for a rule of the party. */
  alternatives?: readonly (Alternative)[];
};

/** `policy_restricted`; `details.reason` is the cause. */
export type PolicyRestrictedError = {
  code: 'policy_restricted';
  /** The problem of this call. For logs, not for guests. */
  message: string;
  /** Equals the `x-request-id` header. */
  requestId: string;
  /** Whether the same call can succeed later. */
  retryable: boolean;
  /** Equals the `Retry-After` header. */
  retryAfterSeconds?: number;
  details: PolicyRestrictedDetails;
};

/** The cause of `policy_restricted`. New values may appear within a wire version. */
export type PolicyRestrictedReason = 'too_many_guests' | 'children_not_allowed' | 'infants_not_allowed' | 'pets_not_allowed' | 'too_many_pets' | 'advance_notice' | 'arrival_day' | 'departure_day' | 'min_nights' | 'max_nights' | 'booking_horizon' | 'not_priced' | 'promotion_unknown' | 'promotion_ended' | 'promotion_not_applicable' | (string & {});

/** The address of a home. */
export type PropertyAddress = {
  lines: readonly (string)[];
  postalCode: string | null;
  city: string | null;
  region: string | null;
  /** ISO 3166-1, two letters. */
  country: string;
};

/** What kind of home it is. New values may appear within a wire version: treat them as `other`. */
export type PropertyType = 'house' | 'apartment' | 'cabin' | 'villa' | 'boat' | 'room' | 'other' | (string & {});

/** A kind of calls that have one quota. */
export type QuotaTier = 'read' | 'search' | 'write' | 'signal';

/** Exact price and terms of one stay. It does not hold the nights, and it can be used for only one checkout or reservation request. */
export type Quote = {
  /** The ID that the client chose. */
  quoteId: string;
  /** The home. */
  listingId: string;
  /** Arrival. */
  checkIn: string;
  /** Departure. */
  checkOut: string;
  party: Party;
  charges: Charges;
  terms: Terms;
  promotionCode: string | null;
  /** When the quote expires: 15 minutes after its creation. */
  expiresAt: string;
  /** When it was created. */
  createdAt: string;
};

/** Either the tier whose quota is used up, or the reason. */
export type RateLimitedDetails = {
  tier?: QuotaTier;
  reason?: RateLimitedReason;
};

/** `rate_limited`; `details.tier` is the quota that is used up. */
export type RateLimitedError = {
  code: 'rate_limited';
  /** The problem of this call. For logs, not for guests. */
  message: string;
  /** Equals the `x-request-id` header. */
  requestId: string;
  /** Whether the same call can succeed later. */
  retryable: boolean;
  /** Equals the `Retry-After` header. */
  retryAfterSeconds?: number;
  details?: RateLimitedDetails;
};

/** The cause of `rate_limited`. New values may appear within a wire version. */
export type RateLimitedReason = 'reservations_per_day' | (string & {});

/** The current state of the stay, with changes by the reservations team. */
export type Reservation = {
  /** The reference. */
  reference: string;
  state: ReservationState;
  /** The home. */
  listingId: string;
  /** Arrival. */
  checkIn: string;
  /** Departure. */
  checkOut: string;
  party: Party;
  charges: Charges;
  cancelledAt: string | null;
  /** When it last changed. */
  updatedAt: string;
  materialization: Materialization;
  property: ReservedProperty | null;
  partnerReference: string | null;
  /** The checkout that it was made from. */
  checkoutId?: string;
  /** The request that it was made from. */
  reservationRequestId?: string;
};

/** Identifiers, state, version and time; never guest details or prices. */
export type ReservationCancelledData = {
  /** The reference of the reservation. */
  reference: string;
  /** The checkout, or the reservation request. */
  checkoutId: string;
  /** `cancelled`. */
  state: ReservationState;
  /** When it was cancelled. */
  cancelledAt: string;
};

/** The operator's reservations team cancelled it. */
export type ReservationCancelledEvent = {
  /** Identifies the event, in the feed and as `webhook-id`. A UUIDv7 without hyphens, so IDs sort by time. */
  id: string;
  type: 'reservation.cancelled';
  /** The version of this envelope. */
  schemaVersion: number;
  /** When it happened. */
  timestamp: string;
  /** Number of the event within the application: 1, 2, 3 without gaps, in commit order, the same in the feed and in webhooks. A gap means that an event has not arrived yet. */
  sequence: number;
  data: ReservationCancelledData;
};

/** A reservation was cancelled: the body of a webhook. A test event from the portal has no `sequence`. */
export type ReservationCancelledWebhook = {
  /** Identifies the event, in the feed and as `webhook-id`. A UUIDv7 without hyphens, so IDs sort by time. */
  id: string;
  type: 'reservation.cancelled';
  /** The version of this envelope. */
  schemaVersion: number;
  /** When it happened. */
  timestamp: string;
  data: ReservationCancelledData;
  /** Number of the event within the application: 1, 2, 3 without gaps, in commit order, the same in the feed and in webhooks. A gap means that an event has not arrived yet. */
  sequence?: number;
};

/** What was changed in a reservation. New values may appear within a wire version: read the reservation. */
export type ReservationChange = 'dates' | 'party' | 'price' | 'listing' | (string & {});

/** Identifiers, state, version and time; never guest details or prices. */
export type ReservationChangedData = {
  /** The reference of the reservation. */
  reference: string;
  /** The checkout, or the reservation request. */
  checkoutId: string;
  /** `confirmed`. */
  state: ReservationState;
  changes: readonly (ReservationChange)[];
  /** When it was changed. */
  changedAt: string;
};

/** The operator's reservations team changed it. */
export type ReservationChangedEvent = {
  /** Identifies the event, in the feed and as `webhook-id`. A UUIDv7 without hyphens, so IDs sort by time. */
  id: string;
  type: 'reservation.changed';
  /** The version of this envelope. */
  schemaVersion: number;
  /** When it happened. */
  timestamp: string;
  /** Number of the event within the application: 1, 2, 3 without gaps, in commit order, the same in the feed and in webhooks. A gap means that an event has not arrived yet. */
  sequence: number;
  data: ReservationChangedData;
};

/** A reservation was changed: the body of a webhook. A test event from the portal has no `sequence`. */
export type ReservationChangedWebhook = {
  /** Identifies the event, in the feed and as `webhook-id`. A UUIDv7 without hyphens, so IDs sort by time. */
  id: string;
  type: 'reservation.changed';
  /** The version of this envelope. */
  schemaVersion: number;
  /** When it happened. */
  timestamp: string;
  data: ReservationChangedData;
  /** Number of the event within the application: 1, 2, 3 without gaps, in commit order, the same in the feed and in webhooks. A gap means that an event has not arrived yet. */
  sequence?: number;
};

/** Identifiers, state, version and time; never guest details or prices. */
export type ReservationConfirmedData = {
  /** The reference of the reservation. */
  reference: string;
  /** The checkout, or the reservation request. */
  checkoutId: string;
  /** `confirmed`. */
  state: ReservationState;
  /** When it was confirmed. */
  confirmedAt: string;
};

/** A reservation was made. */
export type ReservationConfirmedEvent = {
  /** Identifies the event, in the feed and as `webhook-id`. A UUIDv7 without hyphens, so IDs sort by time. */
  id: string;
  type: 'reservation.confirmed';
  /** The version of this envelope. */
  schemaVersion: number;
  /** When it happened. */
  timestamp: string;
  /** Number of the event within the application: 1, 2, 3 without gaps, in commit order, the same in the feed and in webhooks. A gap means that an event has not arrived yet. */
  sequence: number;
  data: ReservationConfirmedData;
};

/** A reservation was made: the body of a webhook. A test event from the portal has no `sequence`. */
export type ReservationConfirmedWebhook = {
  /** Identifies the event, in the feed and as `webhook-id`. A UUIDv7 without hyphens, so IDs sort by time. */
  id: string;
  type: 'reservation.confirmed';
  /** The version of this envelope. */
  schemaVersion: number;
  /** When it happened. */
  timestamp: string;
  data: ReservationConfirmedData;
  /** Number of the event within the application: 1, 2, 3 without gaps, in commit order, the same in the feed and in webhooks. A gap means that an event has not arrived yet. */
  sequence?: number;
};

/** Reservations, newest confirmation first. */
export type ReservationPage = {
  items: readonly (Reservation)[];
  nextCursor: Cursor | null;
};

/** A reservation that was requested in one call. */
export type ReservationRequest = {
  /** The ID that the client chose. */
  reservationRequestId: string;
  /** Every change raises it. */
  version: number;
  state: ReservationRequestState;
  /** The quote used. */
  quoteId: string;
  partnerReference: string | null;
  promotionCode: string | null;
  reference: string | null;
  nextActions: NextActions;
  /** Seconds to wait between reads. Present while an outcome is pending. */
  pollAfterSeconds?: number;
  failure?: Failure;
  uncertain?: Uncertainty;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
};

/** Requests, newest first. */
export type ReservationRequestPage = {
  items: readonly (ReservationRequest)[];
  nextCursor: Cursor | null;
};

/** The state of a reservation request. `confirmed` is final, even if the reservation is cancelled later. `unresolved` is not final: keep reading, and do not send another request for this home and these dates. New values may appear within a wire version. If you do not know a value, read the resource again later; it never means success. */
export type ReservationRequestState = 'pending' | 'unresolved' | 'confirmed' | 'failed' | (string & {});

/** The state of the reservation. New values may appear within a wire version. If you do not know a value, read the resource again later; it never means success. */
export type ReservationState = 'confirmed' | 'cancelled' | 'pending' | (string & {});

/** What a guest with a reservation needs to arrive. Null: the catalog no longer sells the home. */
export type ReservedProperty = {
  address: PropertyAddress | null;
  arrivalInstructions: string | null;
  checkInFrom: string | null;
  checkOutUntil: string | null;
};

/** The token to end. Unknown parameters are ignored. */
export type RevocationRequest = {
  /** The access token. */
  token: string;
  /** `access_token`. Not needed: there is no other type. */
  token_type_hint?: string;
  /** Application ID, if not sent by HTTP Basic. */
  client_id?: string;
  /** Application key, if not sent by HTTP Basic. */
  client_secret?: string;
};

/** An object without members. */
export type RevokedToken = {
};

/** Save the guest of the stay. */
export type SaveGuest = {
  /** The version that you last read. Or send it as `If-Match`; if you send both, they must be equal. */
  expectedVersion?: number;
  guest: GuestInput;
};

/** A part of the total, and when it is due. */
export type ScheduledPayment = {
  /** The due date. */
  dueOn: string;
  /** The amount due. */
  amount: number;
  at?: PaidAt;
};

/** Search homes that are available for these dates and this party. The same rules for dates apply as for a quote. */
export type SearchListings = {
  /** Arrival. */
  checkIn: string;
  /** Departure; that night is not part of the stay. */
  checkOut: string;
  party: PartyInput;
  /** Maximum number of items; 20 if absent. */
  limit?: number;
  cursor?: EmptiableCursor;
  /** Only homes of this collection. An unknown collection gives no results. */
  collectionId?: string;
  /** Links the searches of one guest. Stored only if `consent` is `not_required`. */
  journeyId?: string;
  consent?: Consent;
  /** Each word must be the beginning of a word in `destination` or `name` of the home; case and accents are ignored, and `ä`, `ö`, `ü`, `å`, `ø` are also found as `ae`, `oe`, `ue`, `aa`, `oe`. Contains at least one letter or digit. */
  destination?: string;
  near?: Near;
  /** The home has all of them. Compared with whole names of `amenities`; case and accents are ignored. */
  amenities?: readonly (string)[];
  /** The home has at least as many bedrooms. If it is above 0, homes whose `bedrooms` is null are not results. */
  bedroomsMin?: number;
  maxTotal?: MaxTotal;
  sort?: SearchSort;
  /** The stay may begin up to this many days earlier or later, with the same number of nights. A result is the cheapest available shift: of equal totals the nearest, the earlier before the later. A shift without a total comes after those with one. */
  flexDays?: number;
};

/** A page of available homes. */
export type SearchPage = {
  items: readonly (SearchResult)[];
  nextCursor: Cursor | null;
  meta: Meta;
  searchObservationId: string | null;
};

/** A home that a quote would accept for these dates and party. */
export type SearchResult = {
  listing: Listing;
  total: number | null;
  currency: string | null;
  /** Only with `near`: the distance, rounded to one decimal. Filter and order use the exact one. */
  distanceKm?: number;
  /** Only with `flexDays`: arrival of the chosen shift. */
  checkIn?: string;
  /** Only with `flexDays`: departure of the chosen shift. */
  checkOut?: string;
};

/** `position` (default): the order of the list of homes. `total`: the lowest total first, compared as a number of minor units without regard to the currency, and homes without a total last. `distance`: the nearest first; only with `near`. Ties are in the order of the list. */
export type SearchSort = 'position' | 'total' | 'distance';

/** Freshness and completeness of a section. */
export type SectionMeta = {
  asOf: string | null;
  completeness: Completeness;
};

/** A deposit that the operator takes and returns. It is no part of the total, and never collected through this service. */
export type SecurityDeposit = {
  /** The amount. */
  amount: number;
  /** ISO 4217. */
  currency: string;
  /** The day at the property on which it is due. */
  dueOn: string;
  /** The day at the property until which it is returned. */
  returnedBy: string;
};

/** An error of today; `code` determines `details`. */
export type ServiceError = InvalidInputError | UnauthenticatedError | ForbiddenError | ConflictError | PolicyRestrictedError | RateLimitedError | PlainError;

/** Who collects the money. `card`: the operator, from the guest's card through hosted fields. `partner`: the partner. Fixed for the application. */
export type Settlement = 'card' | 'partner';

/** Start the payment setup. */
export type SetupPayment = {
  /** The version that you last read. Or send it as `If-Match`; if you send both, they must be equal. */
  expectedVersion?: number;
};

/** The catalog of the application. */
export type Site = {
  /** Brand name of the catalog. */
  name: string;
  slug: string;
  environment: Environment;
  discovery: Discovery;
  /** The application's grants that this deployment can serve. Offer only these to guests. */
  capabilities: readonly (Capability)[];
  collections: readonly (Collection)[];
  policies: readonly (Policy)[];
  standards: readonly (Policy)[];
  trader: Trader | null;
};

/** A room of the home, with its beds. */
export type Space = {
  type: string;
  name: string | null;
  isPrivate: boolean | null;
  beds: readonly (Bed)[];
};

/** Ask for the reservation. */
export type SubmitCheckout = {
  /** The version that you last read. Or send it as `If-Match`; if you send both, they must be equal. */
  expectedVersion?: number;
  /** `terms.version` of the quote that the guest accepted. */
  termsVersion: string;
  /** Confirms that the guest accepted these terms. */
  termsAccepted: true;
};

/** The terms that the guest accepts before the reservation. */
export type Terms = {
  /** A digest of the policies and of the rules behind `cancellation`, but not of its instants and amounts. Two quotes with the same terms have the same version. Send it as `termsVersion`. */
  version: string;
  policies: readonly (Policy)[];
  /** The cancellation policy in machine-readable form. The first entry whose instant has not passed gives the refund. It lists only instants after the quote was created. A promotion changes the refunds together with the charges. Empty: no refund. */
  cancellation: readonly (CancellationStep)[];
  securityDeposit: SecurityDeposit | null;
};

/** A bearer token and its scopes. */
export type TokenAnswer = {
  /** Send it as `Authorization: Bearer …`. */
  access_token: string;
  token_type: 'Bearer';
  /** Lifetime in seconds. */
  expires_in: number;
  /** The scopes of the token, separated by spaces. */
  scope: string;
};

/** An error of the token endpoint, in the OAuth form. */
export type TokenError = {
  error: 'invalid_request' | 'unsupported_grant_type' | 'invalid_scope' | 'invalid_target' | 'invalid_client' | 'rate_limited' | 'temporarily_unavailable';
  /** For logs. */
  error_description: string;
};

/** OAuth 2.0 client credentials. Unknown parameters are ignored. */
export type TokenRequest = {
  grant_type: 'client_credentials';
  /** Application ID, if not sent by HTTP Basic. */
  client_id?: string;
  /** Application key, if not sent by HTTP Basic. Its form is `lk_<sandbox|test|live>_<key id>_<secret>_<checksum>`; the checksum lets secret scanners recognise a leaked key. */
  client_secret?: string;
  /** Separated by spaces. Requests fewer scopes than granted, never more. */
  scope?: string;
  /** Must be the base URL. */
  resource?: string;
};

/** Who sells the stays, as the law wants it shown to guests. */
export type Trader = {
  name: string;
  address: string;
  email: string | null;
  phone: string | null;
  registrationNumber: string | null;
};

/** The details of `unauthenticated`. */
export type UnauthenticatedDetails = {
  reason: UnauthenticatedReason;
};

/** `unauthenticated`; `details.reason` is the cause. */
export type UnauthenticatedError = {
  code: 'unauthenticated';
  /** The problem of this call. For logs, not for guests. */
  message: string;
  /** Equals the `x-request-id` header. */
  requestId: string;
  /** Whether the same call can succeed later. */
  retryable: boolean;
  /** Equals the `Retry-After` header. */
  retryAfterSeconds?: number;
  details: UnauthenticatedDetails;
};

/** The cause of `unauthenticated`. New values may appear within a wire version. */
export type UnauthenticatedReason = 'missing' | 'malformed' | 'expired' | 'signature' | 'revoked' | 'suspended' | (string & {});

/** The outcome is not known yet. Wait for it, and do not book again: once it is `failed`, no night is held, money that is found later goes back by itself, and it is safe to book again. */
export type Uncertainty = {
  /** Since when the outcome is not known. */
  since: string;
  decidedBy: string | null;
};

/** Send the payment method that the guest has verified. */
export type VerifyPayment = {
  /** The version that you last read. Or send it as `If-Match`; if you send both, they must be equal. */
  expectedVersion?: number;
  /** From `paymentSetup`. */
  setupReference: string;
  /** The provider's ID of the verified card. In the simulation, `pm_simulated_requires_action` requires an authentication step at submit, `pm_simulated_declined` is declined at submit, and any other value pays. */
  paymentMethodId: string;
  /** Confirms that the guest agreed to the charge of the card. */
  consentAccepted: true;
};
