import type { ErrorCode, reasons } from '../errors.ts';
import { limits } from '../limits.ts';
import type { ErrorOf, OperationId } from '../partner/operations.ts';

type Reasons = typeof reasons;
type PerOperation = 'conflict' | 'policy_restricted';

/** Operations with a code whose reasons differ from operation to operation. */
type Caused = {
  [Id in OperationId]: Extract<ErrorOf<Id>, PerOperation> extends never ? never : Id;
}[OperationId];

type CausesOf<Id extends OperationId> = {
  readonly [C in Extract<ErrorOf<Id>, PerOperation>]: readonly Reasons[C][number][];
};

/** The rules of a home that a party or stay can break. */
const stayRules = [
  'too_many_guests',
  'children_not_allowed',
  'infants_not_allowed',
  'pets_not_allowed',
  'too_many_pets',
  'advance_notice',
  'arrival_day',
  'departure_day',
  'min_nights',
  'max_nights',
  'booking_horizon',
  'not_priced',
] as const;

/** The values of `details.reason` of each operation, in the order of the checks. */
export const causes: { readonly [Id in Caused]: CausesOf<Id> } = {
  'reservation.quote.create': {
    conflict: ['different_input', 'unavailable'],
    policy_restricted: [
      ...stayRules,
      'promotion_unknown',
      'promotion_ended',
      'promotion_not_applicable',
    ],
  },
  'reservation.checkout.create': {
    conflict: ['different_input', 'quote_used'],
    policy_restricted: ['promotion_ended'],
  },
  'reservation.checkout.applyPromo': {
    policy_restricted: ['promotion_unknown', 'promotion_ended', 'promotion_not_applicable'],
  },
  'reservation.checkout.verifyPayment': { conflict: ['setup_reference', 'payment_method'] },
  'reservation.checkout.submit': { conflict: ['terms_version'] },
  'reservation.reservationRequest.create': {
    conflict: ['different_input', 'quote_used', 'partner_reference', 'terms_version'],
    policy_restricted: ['promotion_ended'],
  },
  'reservation.change.request': {
    conflict: [
      'different_input',
      'not_active',
      'open_request',
      'too_many_requests',
      'no_effect',
      'unavailable',
    ],
    policy_restricted: stayRules,
  },
  'cdp.signal.capture': { conflict: ['different_input'] },
};

/** A value of `details.reason`. */
export type Reason = Reasons[keyof Reasons][number];

/** What each reason means to a partner. */
export const reasonTexts: Readonly<Record<Reason, string>> = {
  missing: 'The call has no `Authorization` header.',
  malformed: 'The `Authorization` header is not `Bearer` and a token of this service.',
  expired: 'The token has expired: exchange your key for a new one.',
  signature: 'The token was not issued by this service for this base URL, or was changed.',
  revoked: 'The token was revoked, or the key that it was issued for.',
  suspended: 'The operator has suspended the application.',
  network:
    'The operator allows the key that the token was issued for only in certain networks, and the call is from another one.',
  scope:
    'The token lacks the scope of this operation (`details.scope`), or the application no longer has the grant.',
  session_capability: '`Session-Capability` is missing or belongs to another checkout.',
  session_expired: 'The session of this checkout has expired.',
  different_input:
    'The ID already identifies a resource that was created with different input. Inputs are compared by meaning, not by bytes.',
  quote_used: 'The quote is already used by another checkout or request, which `details` names.',
  partner_reference:
    'Another request of yours has this `partnerReference`: `details.reservationRequestId`.',
  terms_version: '`termsVersion` differs from that of the quote: show the guest its terms again.',
  setup_reference: '`setupReference` differs from that of the current payment setup.',
  payment_method:
    'The payment provider says that the setup has not succeeded with this `paymentMethodId`: let the guest complete the card fields first.',
  not_active: 'The reservation is cancelled, or the day of departure has come at the property.',
  open_request:
    'The reservation has a request that is not decided, which `details` names: withdraw it, or wait for its event.',
  too_many_requests: `The reservation has had ${limits.requestsOfReservation} requests, which were decided or withdrawn: ask the operator.`,
  no_effect: 'The stay has these dates and this party already.',
  unavailable: 'At least one night is not available; `details.nights` lists them.',
  too_many_guests: `More adults and children than the home sleeps, more than ${limits.guestsWithoutSleeps} where \`sleeps\` is null, or more than ${limits.infants} infants.`,
  children_not_allowed: 'The home does not accept children.',
  infants_not_allowed: 'The home does not accept infants.',
  pets_not_allowed: 'The home does not accept pets.',
  too_many_pets: 'More pets than the home accepts.',
  advance_notice: 'Arrival is too soon for this home.',
  arrival_day: 'A stay cannot begin on this day of the week.',
  departure_day: 'A stay cannot end on this day of the week.',
  min_nights: 'The stay is shorter than the minimum for this arrival date.',
  max_nights: 'The stay is longer than the maximum for this arrival date.',
  booking_horizon: 'Arrival is beyond the booking horizon of this home.',
  not_priced: 'A night of the stay has no price.',
  promotion_unknown: 'There is no such code.',
  promotion_ended: 'The code has ended or has reached its maximum number of uses.',
  promotion_not_applicable:
    'The code does not apply to this home, these dates or this length of stay.',
  reservations_per_day:
    'Your application has reached its daily limit of reservations. `Retry-After` is the time until the end of the day in UTC; earlier, a call succeeds only if one of the reservations fails or is cancelled.',
};

/** What each code means to a partner, and how to react. */
export const codeTexts: Readonly<Record<ErrorCode, string>> = {
  invalid_input:
    'The request is not valid. `details.fields` lists every problem: a member or parameter that is wrong, missing or unknown, a date that does not exist, an invalid cursor. Also a body over 16 KB, of another content type, or not JSON in UTF-8, and percent-encoding that cannot be decoded. The connection stays usable.',
  unauthenticated:
    'The access token is missing, malformed or expired, or the application is suspended. Exchange your key once and send the call again: nothing was executed.',
  forbidden: 'The caller may not do this.',
  not_found:
    'The resource does not exist for this application. A resource of another application gives exactly the same response, and so do unknown paths and methods.',
  conflict: 'The request conflicts with existing data.',
  invalid_state:
    'The current state does not allow this. Nothing has changed. Read the resource and follow `nextActions`.',
  quote_expired:
    'The quote expired before submit. The first command that is refused for this also moves the checkout to `expired` and raises its version by one; no other error changes anything. Create a new quote.',
  precondition_failed:
    'The checkout has changed since the version that you sent. Read it again and decide again.',
  policy_restricted: 'The rules of the home do not allow this stay, party or promotion.',
  payment_not_required:
    'You settle this checkout yourself, so it has no payment steps. Submit it once the guest is saved.',
  resync_required:
    'Events after this cursor are no longer available. Read your reservations and requests for their current state, then the feed without a cursor.',
  rate_limited: 'The quota of this tier is used up. Wait for `Retry-After`.',
  internal:
    'An error on our side. Give `requestId` to support. Read the resource before you repeat a write.',
  unavailable:
    'Temporarily unavailable, for example because a live read took longer than about five seconds. Wait for `Retry-After`. It never means that no home is available.',
  not_configured:
    'This application or deployment does not have the capability. It is the only 5xx that a request can cause.',
  unresolved:
    'It is not known yet whether the call took effect. Read the resource first, then repeat the call with the same ID and version.',
};
