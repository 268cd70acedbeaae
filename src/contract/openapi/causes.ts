import type { ErrorCode, reasons } from '../errors.ts';
import { limits } from '../limits.ts';
import type { ErrorOf, OperationId } from '../partner/operations.ts';

type Reasons = typeof reasons;
type PerOperation = 'conflict' | 'policy_restricted';

/** Operations that answer with a code whose causes are their own. */
type Caused = {
  [Id in OperationId]: Extract<ErrorOf<Id>, PerOperation> extends never ? never : Id;
}[OperationId];

type CausesOf<Id extends OperationId> = {
  readonly [C in Extract<ErrorOf<Id>, PerOperation>]: readonly Reasons[C][number][];
};

/** Which `details.reason` each operation gives, in the order in which they are looked for. */
export const causes: { readonly [Id in Caused]: CausesOf<Id> } = {
  'reservation.quote.create': {
    conflict: ['different_input', 'unavailable'],
    policy_restricted: [
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
    ],
  },
  'reservation.checkout.create': { conflict: ['different_input', 'quote_used'] },
  'reservation.checkout.applyPromo': {
    policy_restricted: ['promotion_unknown', 'promotion_ended', 'promotion_not_applicable'],
  },
  'reservation.checkout.verifyPayment': { conflict: ['setup_reference'] },
  'reservation.checkout.submit': { conflict: ['terms_version'] },
  'reservation.reservationRequest.create': {
    conflict: ['different_input', 'quote_used', 'partner_reference', 'terms_version'],
  },
  'cdp.signal.capture': { conflict: ['different_input'] },
};

/** A cause of an error, as `details.reason` names it. */
export type Reason = Reasons[keyof Reasons][number];

/** What each cause means to a partner. */
export const reasonTexts: Readonly<Record<Reason, string>> = {
  scope: 'The token lacks the scope of this operation.',
  session_capability: '`Session-Capability` is missing, or is not that of this checkout.',
  session_expired: 'The session of this checkout is over.',
  different_input:
    'The ID already names a resource that was made from other input. Inputs are compared by meaning, not by their bytes.',
  quote_used: 'The quote already backs another checkout or request.',
  partner_reference: 'Another request of yours has this `partnerReference`.',
  terms_version: '`termsVersion` is not that of the quote: show the guest its terms again.',
  setup_reference: 'The `setupReference` is not that of the present payment setup.',
  unavailable: 'Not all nights are free.',
  too_many_guests: `More adults and children than the home sleeps, more than ${limits.guestsWithoutSleeps} where \`sleeps\` is null, or more than ${limits.infants} infants.`,
  children_not_allowed: 'The home takes no children.',
  infants_not_allowed: 'The home takes no infants.',
  pets_not_allowed: 'The home takes no pets.',
  too_many_pets: 'More pets than the home takes.',
  advance_notice: 'Arrival is too soon for this home.',
  arrival_day: 'No stay begins on this day of the week.',
  departure_day: 'No stay ends on this day of the week.',
  min_nights: 'The stay is shorter than one that arrives on this date has to be.',
  max_nights: 'The stay is longer than one that arrives on this date may be.',
  booking_horizon: 'The home does not take bookings for an arrival that far ahead.',
  not_priced: 'A night of the stay has no price.',
  promotion_unknown: 'There is no such code.',
  promotion_ended: 'The code is over, or has been used as often as it may be.',
  promotion_not_applicable: 'The code is not for this home, these dates or this length of stay.',
};

/** What each code means to a partner, and what to do about it. */
export const codeTexts: Readonly<Record<ErrorCode, string>> = {
  invalid_input:
    'Something in the request is not valid, and `details.fields` names all of it: a member or parameter that is wrong, missing or unknown, a date that cannot be, a cursor that is not ours. Also a body over 16 KB, of another content type, or that is not JSON in UTF-8, and percent-encoding that cannot be decoded. The connection stays usable.',
  unauthenticated:
    'The access token is missing, malformed, expired, or of a suspended application. Exchange your key once and send the call again: nothing has run yet.',
  forbidden: 'The caller may not do this.',
  not_found:
    'There is no such resource for this application. One that belongs to another application answers exactly the same, and so do paths and methods that do not exist.',
  conflict: 'This collides with something that exists already.',
  invalid_state:
    'The present state does not allow this; nothing has changed. Read it and follow `nextActions`.',
  quote_expired:
    'The quote ran out before it was submitted. A command that finds this out also moves the checkout to `expired`, one version on: the one refusal that changes something. Ask for a new quote.',
  precondition_failed:
    'The checkout has moved since the version that you named. Read it again and decide anew.',
  policy_restricted: 'The rules of the home do not allow this stay, party or promotion.',
  payment_not_required:
    'This checkout is settled by you and has no payment steps. Submit it once the guest is saved.',
  resync_required:
    'Events after this cursor are no longer kept. Read your reservations and requests for their present state, then the feed without a cursor.',
  rate_limited:
    'The quota of this tier is used up for the moment. Wait as long as `Retry-After` says.',
  internal:
    'Something broke on our side. Give `requestId` to support; do not repeat a write blindly.',
  unavailable:
    'Not to be had just now, for instance because a live read took longer than about five seconds. Wait as long as `Retry-After` says. It never means that nothing is free.',
  not_configured:
    'This application or deployment does not have the capability. It is the one answer above 499 that a request can bring about by what it asks.',
  unresolved:
    'Whether it took effect is not known yet. Read the resource first, then repeat with the same ID and version.',
};
