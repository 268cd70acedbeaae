import { limits } from '../limits.ts';
import type { OperationId } from './operations.ts';

const refusalOrder =
  'Rules of party and stay are looked at first, in the order in which their reasons are listed under 422; only then whether the nights are free.';

const repeatedCommand =
  'Sent again after it took effect (same `expectedVersion`, same input), it answers with the checkout as it is now, applies nothing twice and uses no quota, also after later commands.';

const expiredQuote =
  'Once the quote has expired, the command is refused with `quote_expired` and the checkout becomes `expired`; nobody is sent an event, because nothing had been submitted.';

const tooLate = `It may be confirmed for up to ${limits.submissionMinutes} minutes after it last became \`pending\`, and until check-in at the property has passed. If we come to it only later, after an outage, it ends with \`quote_expired\`. What a supplier has done by then counts, whenever it becomes known.`;

const partnerSettled = 'A partner-settled checkout answers 422 `payment_not_required`.';

/** What a partner should know about each operation beside its row: one item a paragraph. */
export const notes: Readonly<Record<OperationId, readonly string[]>> = {
  'distribution.site.get': [
    'Read it first, and again now and then: `capabilities` tells which flows this application may offer here.',
  ],
  'distribution.listing.list': [
    'An empty `limit`, `cursor` or `collectionId` counts as left out. A collection that is not known has no homes: the page is empty.',
    'Listing content says nothing about free nights. Leave pages of homes with `indexable` false out of search engines.',
  ],
  'distribution.listing.get': [
    'A partner usually keeps the list in step and needs this for one home only.',
  ],
  'distribution.listing.search': [
    'A result is a home that a quote would accept at that moment: free for the whole stay, with the rules of party and stay kept. `total` is null where a night of the stay has no price; the home is a result all the same, but a quote is refused as `policy_restricted` with the reason `not_priced`.',
    `Live, but an answer up to about a minute old may be served. A read that takes longer than about ${limits.liveReadSeconds} seconds ends in 503. An error is never "nothing is free": do not show it as such.`,
    'Every call counts against the quota, answered from the short cache or not.',
  ],
  'inventory.calendar.get': [
    `At most ${limits.calendarDays} days, first and last included, one entry for each. \`available\` and \`minNights\` of a date are about a stay that arrives or stays that night; \`checkOutAllowed\` is about one that departs on it.`,
    'An answer up to about two minutes old may be served. Every call counts against the quota.',
  ],
  'reservation.quote.create': [
    `It lives for ${limits.quoteMinutes} minutes and comes from no cache. Quote when the guest looks at one home, not for every search result.`,
    refusalOrder,
    'A home that does not exist for this application is `not_found`.',
  ],
  'reservation.checkout.create': [
    'It starts in `needs_guest` with version 1. The answer holds `sessionCapability` and `sessionExpiresAt`; store both with your order before you go on.',
    'If the answer is lost, repeat the call: while no command has moved the checkout, the capability is shown again. After that a repeat answers without it.',
    'One quote backs one checkout or one reservation request. Using it under another ID is `conflict` with reason `quote_used`.',
  ],
  'reservation.checkout.get': [
    'Reading never moves a checkout. Once the quote of one that was not submitted has expired, `nextActions` offers `refresh_quote` alone. `ETag` is the version in quotes, ready for `If-Match`.',
    'While a payment setup is under way, read until `paymentSetup.state` is `ready` or `failed`.',
  ],
  'reservation.checkout.saveGuest': [
    'From `needs_guest` it leads to `needs_payment` (card-paying) or `ready` (partner-settled). In those states it replaces the guest and leaves the state.',
    repeatedCommand,
    expiredQuote,
  ],
  'reservation.checkout.applyPromo': [
    'In `needs_guest`, `needs_payment` and `ready`: the charges, and the refunds in `terms.cancellation`, are replaced by those with the promotion. The state and `terms.version` stay.',
    'Upper and lower case of a code do not matter, nor do blanks around it; `promotionCode` of the checkout shows it as we keep it.',
    'A promotion takes a percentage or an amount off accommodation. It can be bound to dates of stay and of booking, to homes or collections, to a least number of nights and to a number of uses, which is kept exactly, also when many ask at once.',
    repeatedCommand,
    expiredQuote,
  ],
  'reservation.checkout.setupPayment': [
    `In \`needs_payment\`, also again, except while one has been under way for less than ${limits.paymentSetupUnansweredSeconds} seconds (409 \`invalid_state\`). \`nextActions\` offers \`setup_payment\` after \`unavailable\`, after \`unresolved\`, and when nothing was answered in that time.`,
    'The state stays `needs_payment`; `paymentSetup.state` goes from `pending` to `ready` or `failed`, and each of the two moves raises the version.',
    partnerSettled,
    repeatedCommand,
    expiredQuote,
  ],
  'reservation.checkout.verifyPayment': [
    'In `needs_payment` with a setup that is ready, it leads to `ready` (200). A verified card is not yet a reservation.',
    `In \`requires_action\`, send it once the guest has gone through the step of authentication, with the same \`setupReference\` and whatever \`paymentMethodId\` came of it: 202, \`pending\` again. Left alone for ${limits.paymentActionMinutes} minutes, the checkout ends \`failed\` with \`refused\`, and its nights are free again.`,
    partnerSettled,
    repeatedCommand,
    expiredQuote,
  ],
  'reservation.checkout.submit': [
    'From `ready` to `pending`; to `requires_action` where the card asks for a step of authentication, at once or later from `pending`; straight to `confirmed` where the outcome is known at once.',
    "`termsAccepted` that is not true is `invalid_input`; a `termsVersion` that is not the quote's is `conflict` with reason `terms_version`.",
    'At the resolution everything is checked once more as it is then: price, policies, your standing and grants, the nights. What no longer holds ends the checkout as `failed` with that reason.',
    tooLate,
    'In `uncertain` neither submit again nor begin another checkout: keep reading the status.',
    repeatedCommand,
    expiredQuote,
  ],
  'reservation.checkout.getStatus': [
    'Poll this even if you receive webhooks: a delivery can be late. It never moves, retries or expires anything.',
  ],
  'reservation.checkout.getConfirmation': [
    'Before `confirmed` it answers 409 `invalid_state`. It stays as it was at confirmation; what the reservations team changes later shows on the reservation.',
  ],
  'reservation.reservation.get': [
    'Only references that this application reserved; any other is `not_found`.',
    "Nothing here cancels or changes a reservation: that is done by the operator's reservations team, and shows here and as an event.",
  ],
  'reservation.reservationRequest.create': [
    'For applications that collect payment themselves; one that pays by card gets 503 `not_configured`. The quote fixes home, dates, party and price; there is no checkout and no session.',
    'The first answer is `pending`. Sent again with the same input, it answers 202 with the request as it is now.',
    tooLate,
    'A quote that backs another request or checkout is `quote_used`, a name that another request of yours bears is `partner_reference`.',
    "In the simulation the guest's email selects the outcome as it does for checkouts; the uncertain ones show as `unresolved`, and `+quote_expired` as `failed` with that reason.",
    "Its events are those of a checkout, `checkout.resolved` included, with the request's ID as `checkoutId`.",
  ],
  'reservation.reservationRequest.get': [
    'Your access token is enough; no session is needed. Wait `pollAfterSeconds` between two reads.',
    'A request has no confirmation of its own: `view_confirmation` means that you read the reservation by its `reference`.',
  ],
  'reservation.reservationRequest.list': [
    'With `partnerReference`: the one request of that name, or no items. The list of a card-paying application is empty.',
  ],
  'reservation.event.list': [
    'Holds every event, delivered to your endpoints or not. Events keep their place: whatever is committed meanwhile, none is skipped or reordered between two reads.',
    '`nextCursor` is always there; store it and come back with it. 422 `resync_required` only comes when an event after your cursor has in fact been dropped, or when our data was restored from a backup in which the event that you have come to is not.',
    'With `type`, only events of that type; `nextCursor` moves past the others.',
  ],
  'cdp.signal.capture': [
    'Each name calls for its own join: `search_viewed` for `searchObservationId`, `listing_viewed` for `listingId`, `quote_viewed` and `reserve_clicked` for `quoteId`; `checkout_started`, `details_completed`, `payment_submitted` and `confirmation_viewed` for `checkoutId` with its `Session-Capability`; `search_submitted` for none.',
    'Sent again with the same instant in another offset, it is a repeat all the same. A join that does not exist for this application is `not_found`; a checkout whose state does not bear the signal out is `invalid_state`.',
    'Only what a guest really did, and only these members: URLs, query strings, personal data, experiments and properties of your own are `invalid_input`.',
  ],
};
