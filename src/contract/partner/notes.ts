import { limits } from '../limits.ts';
import type { OperationId } from './operations.ts';

const refusalOrder =
  'The rules of party and stay are checked first, in the order of the reasons listed under 422; then the availability of the nights.';

const repeatedCommand =
  'A repeat (same `expectedVersion`, same input) of a command that took effect returns the checkout in its current state, applies nothing twice and uses no quota, also after later commands.';

const expiredQuote =
  'After the quote has expired, the command is refused with `quote_expired` and the checkout becomes `expired`. No event is sent, because nothing was submitted.';

const tooLate = `It can be confirmed for up to ${limits.submissionMinutes} minutes after it last became \`pending\`, and until check-in at the property has passed. If processing starts only later, after an outage, it ends with \`quote_expired\`. A reservation that the supplier made before then counts, even if the service learns of it later.`;

const noCardAsked =
  'Where nothing will ever be due to the operator, a card-paying checkout with a guest is `ready` without a card; where something will be due and no card is verified, it is `needs_payment` again. What is paid at the property does not count. Otherwise the state does not change.';

const partnerSettled = 'For a partner-settled checkout it returns 422 `payment_not_required`.';

/** Additional text for each operation, one item per paragraph. */
export const notes: Readonly<Record<OperationId, readonly string[]>> = {
  'distribution.site.get': [
    'Read it first, and again from time to time: `capabilities` lists what this application may offer here.',
  ],
  'distribution.listing.list': [
    'An empty `limit`, `cursor` or `collectionId` counts as absent. For an unknown collection the page is empty.',
    'Listings do not contain availability. Keep pages of homes with `indexable` false out of search engines.',
  ],
  'distribution.listing.get': [
    'Partners usually keep a copy of the list and need this operation only for single homes.',
  ],
  'distribution.listing.search': [
    'A result is a home that is available for the whole stay and whose rules of party and stay are met. `total` is null if a night of the stay has no price; a quote for such a home is refused as `policy_restricted` with the reason `not_priced`.',
    `Results are live, but may come from a cache of up to about one minute. A read that takes longer than about ${limits.liveReadSeconds} seconds ends in 503. An error never means "nothing available": do not show it as such.`,
    'Every call counts against the quota, also if it is served from the cache.',
    'The members from `destination` to `flexDays` are optional and can be combined; a home must satisfy all of them. A cursor is valid only with the same members, in the same spelling.',
    'With `flexDays`, `maxTotal` and `sort` apply to the dates that are returned. The requested dates must themselves be valid.',
  ],
  'inventory.calendar.get': [
    `At most ${limits.calendarDays} days, first and last included, with one entry per day. \`available\` is about the night that begins on the date, \`minNights\` about a stay that arrives on it, \`checkOutAllowed\` about a stay that departs on it.`,
    'Results may come from a cache of up to about two minutes. Every call counts against the quota.',
  ],
  'inventory.calendar.list': [
    'One call of the quota reads up to 25 homes. `missing` lists the homes that do not exist for this application; that is no error.',
    'To keep a copy, compare `digest` with the one that you compute over your copy, home by home, and store what differs.',
  ],
  'inventory.change.list': [
    'It has each act that changes what this application can read: bookings, also of others, staff, imports, other channels, and the catalog or channel adjustment of the application. Promotions are not in it, nor is what only time changes: a day passes, a notice or the horizon moves.',
    'An entry appears when every process has it. A calendar, search, quote or listing that you read afterwards includes it: its `asOf`, or the header `x-as-of`, is not earlier than `changedAt`.',
    'To keep a copy, read the end of the feed (`from=latest`), then all homes and calendars; then follow the feed and read again what it names. `listingId` null means every home. Whenever `hasMore` is false, the copy is equal, apart from what only time has changed; `digest` of a calendar shows it.',
    'After `resync_required`, begin again in this way.',
  ],
  'reservation.quote.create': [
    `It is valid for ${limits.quoteMinutes} minutes and never cached. Create a quote when the guest looks at one home, not for every search result.`,
    refusalOrder,
    'A home that does not exist for this application is `not_found`.',
    'With `promotionCode` the charges are reduced; a code that cannot be used refuses the quote, after the rules of the stay and before availability. A checkout or request of this quote has the code, and holds one of its uses from then on. From the quote on, the code counts as it was then; only whether a use is left is checked again.',
  ],
  'reservation.checkout.create': [
    'It starts in `needs_guest` with version 1. The response has `sessionCapability` and `sessionExpiresAt`; store both with your order before you continue.',
    'If the response is lost, repeat the call. Until the first command changes the checkout, the repeat returns the capability again; after that it does not.',
    'A quote with a promotion code takes one of its uses; if none is left, the call is `policy_restricted` with reason `promotion_ended`.',
    'One quote backs one checkout or one reservation request. Using it under another ID is `conflict` with reason `quote_used`.',
  ],
  'reservation.checkout.get': [
    'A read never changes a checkout. After the quote has expired without a submit, `nextActions` is only `refresh_quote`. `ETag` is the version in quotes; you can send it as `If-Match`.',
    'While a payment setup is pending, read until `paymentSetup.state` is `ready` or `failed`.',
  ],
  'reservation.checkout.saveGuest': [
    'From `needs_guest` it leads to `needs_payment` (card-paying) or `ready` (partner-settled, or where nothing will ever be due to the operator, so that no card is asked for). In `needs_payment` and `ready` it replaces the guest and keeps the state.',
    repeatedCommand,
    expiredQuote,
  ],
  'reservation.checkout.applyPromo': [
    'Allowed in `needs_guest`, `needs_payment` and `ready`. It recalculates the charges, and the refunds in `terms.cancellation`, with the promotion. `terms.version` does not change.',
    noCardAsked,
    'Case does not matter, nor do spaces around the code; `promotionCode` of the checkout shows the stored form.',
    'A promotion reduces accommodation by a percentage or an amount. It can be limited to dates of stay and of booking, to homes or collections, to a minimum number of nights and to a maximum number of uses. The maximum holds exactly, also under concurrent calls.',
    repeatedCommand,
    expiredQuote,
  ],
  'reservation.checkout.removePromo': [
    'Allowed where `applyPromo` is. It restores the charges and refunds that the quote had without a code, also after rates have changed, and gives the use back. A checkout without a code is `invalid_state`.',
    noCardAsked,
    'It has no body: send the version as `If-Match`.',
    repeatedCommand,
    expiredQuote,
  ],
  'reservation.checkout.setupPayment': [
    `Allowed in \`needs_payment\`, also repeatedly, except while a setup has been pending for less than ${limits.paymentSetupUnansweredSeconds} seconds (409 \`invalid_state\`). \`nextActions\` has \`setup_payment\` after \`unavailable\`, after \`unresolved\`, and if there was no result in that time.`,
    'The state stays `needs_payment`; `paymentSetup.state` becomes `pending`, then `ready` or `failed`. Each of these two changes raises the version.',
    partnerSettled,
    repeatedCommand,
    expiredQuote,
  ],
  'reservation.checkout.verifyPayment': [
    'In `needs_payment` with a setup in `ready`, it leads to `ready` (200). A verified card is not a reservation yet.',
    `In \`requires_action\`, send it after the guest has completed the authentication step, with the same \`setupReference\` and the resulting \`paymentMethodId\`. It returns 202, and the checkout is \`pending\` again. Without it, the checkout becomes \`failed\` with \`refused\` after ${limits.paymentActionMinutes} minutes, and its nights are released.`,
    partnerSettled,
    repeatedCommand,
    expiredQuote,
  ],
  'reservation.checkout.submit': [
    'Moves the checkout from `ready` to `pending`; to `requires_action` if the card requires an authentication step, immediately or later from `pending`; or directly to `confirmed` if the outcome is known immediately.',
    'If `termsAccepted` is not true, the call is `invalid_input`. If `termsVersion` differs from that of the quote, it is `conflict` with reason `terms_version`.',
    'When the submission is resolved, everything is checked again: price, policies, status and grants of your application, the nights. If a check fails, the checkout becomes `failed` with that reason.',
    tooLate,
    'In `uncertain`, do not submit again and do not start another checkout: keep reading the status.',
    repeatedCommand,
    expiredQuote,
  ],
  'reservation.checkout.getStatus': [
    'Poll it even if you receive webhooks: a delivery can be late. It never changes, retries or expires anything.',
  ],
  'reservation.checkout.getConfirmation': [
    'Before `confirmed` it returns 409 `invalid_state`. It does not change after confirmation; later changes by the reservations team appear on the reservation.',
  ],
  'reservation.reservation.get': [
    'Only for reservations of this application; any other reference is `not_found`.',
    "The operator's reservations team cancels and changes reservations; the change appears here and as an event. With the grant `changes` you can ask for it (`reservation.change.request`).",
  ],
  'reservation.reservation.list': [
    'The filters can be combined; both ends of a range are included. Items are those of the single read. With `partnerReference` you find the reservations of an order whose response was lost.',
    'With a filter, a page can have fewer items than `limit`, or none, while `nextCursor` is not null: one read compares at most 50,000 reservations.',
    'In the simulation, a list does not apply a change that is due: read the reservation for that.',
  ],
  'reservation.reservationRequest.create': [
    'For partner-settled applications; a card-paying one gets 503 `not_configured`. The quote fixes home, dates, party and price. There is no checkout and no session.',
    'The first response has the state `pending`. A repeat with the same input returns 202 with the request in its current state.',
    tooLate,
    'If another request or checkout uses the quote, the call is `conflict` with reason `quote_used`; if another request of yours has this `partnerReference`, with reason `partner_reference`.',
    "In the simulation the guest's email selects the outcome as it does for checkouts; `uncertain` appears as `unresolved`, and `+quote_expired` as `failed` with that reason.",
    "It causes the same events as a checkout, `checkout.resolved` included, with the request's ID as `checkoutId`.",
  ],
  'reservation.reservationRequest.get': [
    'It needs only your access token, no session. Wait `pollAfterSeconds` between reads.',
    'A request has no confirmation of its own: for `view_confirmation`, read the reservation by its `reference`.',
  ],
  'reservation.reservationRequest.list': [
    'With `partnerReference`: the request with that reference, or no items. The list of a card-paying application is empty.',
  ],
  'reservation.change.request': [
    'Needs the grant `changes`, which no application has unless the operator gives it. `preview` says what the request would cost or refund: by the prices of today and the terms of the booking, with a promotion as it counted at the booking.',
    'A change must be bookable: it is refused as a quote would be, in the same order, except that the nights of the stay itself count as free. `party` replaces the whole party; absent members of the stay stay as they are. With `cancel`, dates and party are `invalid_input`.',
    `A reservation has at most one open request, and ${limits.requestsOfReservation} in all. When the operator changes or cancels the stay by itself, the open request becomes \`declined\`.`,
    'The operator can let cancellations of your application happen at once: then the reply has the state `accepted`. Every decision is an event, `change_request.decided`.',
    'In the simulation a request is accepted at the next read of it or of its reservation after five seconds; one whose note is `decline` is declined.',
  ],
  'reservation.change.get': [
    '`reason` is what the operator says about the decision. In the simulation, this read decides a request that is due.',
  ],
  'reservation.change.list': [
    'The filters can be combined. In the simulation, a list decides nothing: read the request for that.',
  ],
  'reservation.change.withdraw': [
    'Only an open request: one that was accepted or declined is `invalid_state`. Withdrawing it again returns it unchanged. It has no body.',
  ],
  'reservation.event.list': [
    'Contains every event, whether it was delivered to your endpoints or not. The order is fixed: between two reads, no event is skipped or reordered, even if others are committed in the meantime.',
    '`nextCursor` is always present; store it and use it for the next read. 422 `resync_required` is returned only if an event after your cursor was removed, or if our data was restored from a backup without the event at your cursor.',
    'With `type`, only events of that type; `nextCursor` skips the others.',
  ],
  'cdp.signal.capture': [
    'Each name needs the ID of what it is about: `search_viewed` needs `searchObservationId`, `listing_viewed` needs `listingId`, `quote_viewed` and `reserve_clicked` need `quoteId`; `checkout_started`, `details_completed`, `payment_submitted` and `confirmation_viewed` need `checkoutId` with its `Session-Capability`; `search_submitted` needs none.',
    'The same instant with another UTC offset is still a repeat. An ID that does not exist for this application is `not_found`. If the state of the checkout contradicts the signal, the call is `invalid_state`.',
    'Send only what a guest really did, with only these members: URLs, query strings, personal data, experiments and custom properties are `invalid_input`.',
  ],
};
