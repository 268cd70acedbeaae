import type { Tier } from './limits.ts';

/** The error codes of the wire: status, whether a retry can help, and the default message. Spec: ERROR-2. */
export const errors = {
  invalid_input: { status: 400, retryable: false, message: 'The request is not valid.' },
  unauthenticated: { status: 401, retryable: false, message: 'A valid access token is required.' },
  forbidden: { status: 403, retryable: false, message: 'This caller may not do that.' },
  not_found: { status: 404, retryable: false, message: 'There is no such resource.' },
  conflict: { status: 409, retryable: false, message: 'This conflicts with what exists already.' },
  invalid_state: {
    status: 409,
    retryable: false,
    message: 'The resource is not in a state that allows this.',
  },
  quote_expired: {
    status: 409,
    retryable: false,
    message: 'The quote has expired: ask for a new one and accept its terms.',
  },
  precondition_failed: {
    status: 412,
    retryable: false,
    message: 'The resource has changed since it was read: read it again.',
  },
  policy_restricted: {
    status: 422,
    retryable: false,
    message: 'The rules of this listing do not allow that.',
  },
  payment_not_required: {
    status: 422,
    retryable: false,
    message: 'The partner settles this checkout: submit it once the guest is saved.',
  },
  resync_required: {
    status: 422,
    retryable: false,
    message:
      'Events after this cursor are gone: read reservations and requests, then the feed without a cursor.',
  },
  rate_limited: { status: 429, retryable: true, message: 'Too many requests.' },
  internal: { status: 500, retryable: false, message: 'Something went wrong on our side.' },
  unavailable: { status: 503, retryable: true, message: 'Not available just now.' },
  not_configured: {
    status: 503,
    retryable: false,
    message: 'This capability is not enabled here.',
  },
  unresolved: {
    status: 504,
    retryable: true,
    message: 'The outcome is not known yet: read the resource before trying again.',
  },
} as const satisfies Record<string, { status: number; retryable: boolean; message: string }>;

export type ErrorCode = keyof typeof errors;

/** Codes that every operation can return. */
export const commonErrors = [
  'invalid_input',
  'unauthenticated',
  'forbidden',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorCode[];
export type CommonErrorCode = (typeof commonErrors)[number];

/**
 * `error.details.reason` where one code covers several causes, and the message of each.
 * Spec: ERROR-5, ERROR-6.
 */
export const reasonMessages = {
  unauthenticated: {
    missing: 'An access token is required.',
    malformed: 'The Authorization header does not carry an access token of this service.',
    expired: 'The access token has expired.',
    signature: 'The access token was not issued by this service, or was changed.',
    revoked: 'The access token, or the key that it was issued for, has been revoked.',
    suspended: 'The application is suspended.',
  },
  forbidden: {
    network: 'The key of this access token may not be used from this network.',
    scope: 'The access token does not have the scope of this operation.',
    session_capability: 'Session-Capability is missing or does not belong to this checkout.',
    session_expired: 'The session of this checkout has expired.',
  },
  conflict: {
    different_input: 'This ID already identifies a resource that was created from other input.',
    quote_used: 'The quote already backs another checkout or reservation request.',
    partner_reference: 'Another reservation request already has this partnerReference.',
    terms_version: 'termsVersion is not the version of the terms of this quote.',
    setup_reference: 'setupReference does not name the current payment setup.',
    payment_method: 'The payment setup has not succeeded with this payment method.',
    not_active: 'The reservation is cancelled, or its stay is over.',
    open_request: 'The reservation already has a request that is not decided.',
    too_many_requests: 'The reservation has had as many requests as it can have.',
    no_effect: 'The stay is like that already.',
    unavailable: 'The home is not free on all nights of this stay.',
  },
  policy_restricted: {
    too_many_guests: 'The party is larger than this home takes.',
    children_not_allowed: 'This home does not take children.',
    infants_not_allowed: 'This home does not take infants.',
    pets_not_allowed: 'This home does not take pets.',
    too_many_pets: 'The party has more pets than this home takes.',
    advance_notice: 'checkIn is too soon: this home must be booked further in advance.',
    arrival_day: 'A stay in this home cannot begin on this day of the week.',
    departure_day: 'A stay in this home cannot end on this day of the week.',
    min_nights: 'The stay has fewer nights than this home requires for this arrival date.',
    max_nights: 'The stay has more nights than this home allows for this arrival date.',
    booking_horizon: 'checkIn is further ahead than this home can be booked.',
    not_priced: 'A night of this stay has no price.',
    promotion_unknown: 'There is no promotion with this code.',
    promotion_ended: 'The promotion has ended or has reached its maximum number of uses.',
    promotion_not_applicable: 'The promotion does not apply to this home and stay.',
  },
  rate_limited: {
    reservations_per_day: 'This application has reached its daily limit of reservations (UTC).',
  },
} as const satisfies Partial<Record<ErrorCode, Readonly<Record<string, string>>>>;

type ReasonedCode = keyof typeof reasonMessages;

/** The reasons of each code that has reasons. */
export type ReasonOf<C extends ReasonedCode> = Extract<keyof (typeof reasonMessages)[C], string>;

const reasonsOf = <C extends ReasonedCode>(code: C) =>
  Object.keys(reasonMessages[code]) as ReasonOf<C>[];

/** The reasons of each code that has reasons, in the order of the checks. */
export const reasons: { readonly [C in ReasonedCode]: readonly ReasonOf<C>[] } = {
  unauthenticated: reasonsOf('unauthenticated'),
  forbidden: reasonsOf('forbidden'),
  conflict: reasonsOf('conflict'),
  policy_restricted: reasonsOf('policy_restricted'),
  rate_limited: reasonsOf('rate_limited'),
};

/** The codes with reasons that can also have none. */
type SometimesReasoned = 'rate_limited' | 'unauthenticated';

/** A field that failed: JSON Pointer into the body, or `query/…`, `path/…`, `header/…`. */
export interface InvalidField {
  path: string;
  message: string;
}

/** A stay nearby that can be booked. */
export interface Alternative {
  checkIn: string;
  checkOut: string;
  /** In minor units. */
  total: number;
  currency: string;
}

/** What a refusal also says: what would have been allowed. Spec: ERROR-7. */
interface AlsoSaid {
  forbidden: { scope?: string };
  conflict: {
    nights?: string[];
    alternatives?: Alternative[];
    checkoutId?: string;
    reservationRequestId?: string;
    changeRequestId?: string;
  };
  policy_restricted: {
    limit?: number;
    until?: string;
    allowed?: readonly string[];
    alternatives?: Alternative[];
  };
}

/** The `error.details` of a code. */
export type DetailsOf<C extends ErrorCode> = C extends 'invalid_input'
  ? { fields: InvalidField[] }
  : C extends 'rate_limited'
    ? { reason: ReasonOf<C> } | { tier: Tier }
    : C extends ReasonedCode
      ? { reason: ReasonOf<C> } & (C extends keyof AlsoSaid ? AlsoSaid[C] : object)
      : never;

/** An error response of the contract, as a value. Rules return it and never throw it. */
export interface Refusal<C extends ErrorCode = ErrorCode> {
  refused: C;
  /** Replaces the message of the code. */
  message?: string;
  details?: object;
  /** Whole seconds, at least 1; only on retryable codes. */
  retryAfterSeconds?: number;
}

type DetailsArguments<C extends ErrorCode> =
  DetailsOf<C> extends never ? [] : C extends SometimesReasoned ? [DetailsOf<C>?] : [DetailsOf<C>];

/** Makes a refusal. The compiler checks the details against the code. */
export function refuse<C extends ErrorCode>(code: C, ...details: DetailsArguments<C>): Refusal<C> {
  return details[0] ? { refused: code, details: details[0] } : { refused: code };
}

/** Makes a refusal with its own message, for a code without reasons. */
export const refuseBecause = <C extends Exclude<ErrorCode, 'invalid_input' | ReasonedCode>>(
  code: C,
  message: string,
): Refusal<C> => ({ refused: code, message });

/** The message of an error: the refusal's own, or that of its reason, or that of its code. */
export function messageOf({ refused, message, details }: Refusal): string {
  if (message !== undefined) return message;
  const ofReasons: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>> =
    reasonMessages;
  const { reason } = (details ?? {}) as { reason?: string };
  return (reason && ofReasons[refused]?.[reason]) ?? errors[refused].message;
}

/** Whether a value is a refusal. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof (value as Partial<Refusal> | null | undefined)?.refused === 'string';
}

/**
 * Carries a refusal out of code that cannot return one: hooks of the framework, the body parser, limits of the process,
 * a database or a storage that does not answer. What decides returns its refusal.
 */
export class RefusalError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.refused);
    this.refusal = refusal;
  }
}

/** The codes of the token endpoint, in the OAuth form. Spec: ACCESS-5. */
export const tokenErrors = {
  invalid_request: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_client: 401,
  rate_limited: 429,
  temporarily_unavailable: 503,
} as const;
export type TokenErrorCode = keyof typeof tokenErrors;

/** What is said of a path or method that this release does not have. */
export const unknownPath = 'There is no such path, or not with this method.';
