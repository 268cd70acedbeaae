/** The error codes of the wire: status, whether a retry can help, and the default message. Spec: Errors, Codes. */
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

/** Codes that every operation can answer, whatever it does. */
export const commonErrors = [
  'invalid_input',
  'unauthenticated',
  'forbidden',
  'rate_limited',
  'internal',
  'unavailable',
] as const satisfies readonly ErrorCode[];
export type CommonErrorCode = (typeof commonErrors)[number];

/** `error.details.reason` where one code covers several causes. */
export const reasons = {
  forbidden: ['scope', 'session_capability', 'session_expired'],
  conflict: [
    'different_input',
    'quote_used',
    'partner_reference',
    'terms_version',
    'setup_reference',
    'unavailable',
  ],
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
    'promotion_unknown',
    'promotion_ended',
    'promotion_not_applicable',
  ],
} as const satisfies Partial<Record<ErrorCode, readonly string[]>>;

/** A field that failed: JSON Pointer into the body, or `query/…`, `path/…`, `header/…`. */
export interface InvalidField {
  path: string;
  message: string;
}

type ReasonedCode = keyof typeof reasons;

/** What stands in `error.details` of a code. */
export type DetailsOf<C extends ErrorCode> = C extends 'invalid_input'
  ? { fields: InvalidField[] }
  : C extends ReasonedCode
    ? { reason: (typeof reasons)[C][number] }
    : never;

/** An answer that is an error of the contract; decided as a value, never thrown by a rule. */
export interface Refusal<C extends ErrorCode = ErrorCode> {
  refused: C;
  /** In place of the code's own. */
  message?: string;
  details?: object;
  /** Whole seconds, at least 1; only on retryable codes. */
  retryAfterSeconds?: number;
}

/** Makes a refusal; the details are checked against the code. */
export function refuse<C extends ErrorCode>(
  code: C,
  ...details: DetailsOf<C> extends never ? [] : [DetailsOf<C>?]
): Refusal<C> {
  return details[0] ? { refused: code, details: details[0] } : { refused: code };
}

/** Whether a decision came out as a refusal. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'refused' in value;
}

/** A refusal on its way out of a place that cannot return one (the parser, the database's time-out). */
export class RefusalError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.refused);
    this.refusal = refusal;
  }
}

/** The codes of the token endpoint, in the OAuth form. Spec: Authentication, token endpoint errors. */
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
