import * as Type from '../../type.ts';
import { errors, reasons, tokenErrors, type ErrorCode, type TokenErrorCode } from '../../errors.ts';
import { limits, tiers } from '../../limits.ts';

const InvalidField = Type.ResponseObject('InvalidField', 'A field that failed.', {
  path: Type.Text(
    'A JSON Pointer into the body (also for a missing member), or `query/<name>`, `path/<name>`, `header/<name>`.',
  ),
  message: Type.Text('The problem with the field.'),
});

const common = {
  message: Type.Text('The problem of this call. For logs, not for guests.'),
  requestId: Type.Text('Equals the `x-request-id` header.'),
  retryable: Type.Flag('Whether the same call can succeed later.'),
  retryAfterSeconds: Type.Optional(Type.AtLeast(1, 'Equals the `Retry-After` header.')),
};

const InvalidInputError = Type.ResponseObject(
  'InvalidInputError',
  'The request is not valid; `details.fields` lists the problems.',
  {
    code: Type.Literal('invalid_input'),
    ...common,
    details: Type.ResponseObject('InvalidInputDetails', 'What is wrong with the request.', {
      fields: Type.Array(InvalidField, { description: 'Every field that failed.' }),
    }),
  },
);

const Alternative = Type.ResponseObject(
  'Alternative',
  'A stay nearby that this party could book now. It is no quote.',
  {
    checkIn: Type.CalendarDate('Arrival.'),
    checkOut: Type.CalendarDate('Departure.'),
    total: Type.Minor('The total that a quote would have now.'),
    currency: Type.Text('ISO 4217.'),
  },
);

const alternatives = Type.Optional(
  Type.Array(Alternative, {
    description:
      'At most three stays of the home that can be booked for this party, the closest first: least days between the asked and the offered arrival and departure together; of equal ones the earlier. Absent if they could not be found in time; never for a rule of the party.',
  }),
);

/** What the details of a code also say. Spec: ERROR-7. */
const alsoSaid = {
  unauthenticated: {},
  forbidden: {
    scope: Type.Optional(Type.Text('With reason `scope`: the scope that is missing.')),
  },
  conflict: {
    nights: Type.Optional(
      Type.Array(Type.CalendarDate('A night that is taken.'), {
        description: 'With reason `unavailable`: the nights of the stay that are taken.',
      }),
    ),
    alternatives,
    ...Type.AllOptional({
      checkoutId: Type.Uuid('With reason `quote_used`: the checkout that the quote backs.'),
      reservationRequestId: Type.Uuid(
        'With reasons `partner_reference` and `quote_used`: the request that has the reference or the quote.',
      ),
      changeRequestId: Type.Uuid('With reason `open_request`: the request that is not decided.'),
    }),
  },
  policy_restricted: {
    ...Type.AllOptional({
      limit: Type.Whole(
        'The most or least that is allowed: nights for `min_nights` and `max_nights`, days for `advance_notice` and `booking_horizon`, guests for `too_many_guests` (infants, if there are too many of those), pets for `too_many_pets`.',
      ),
      until: Type.Text(
        'With reason `advance_notice`: the hour at the property until which the notice counts from the same day, where one is set.',
      ),
      allowed: Type.Array(Type.String(), {
        description:
          'With reasons `arrival_day` and `departure_day`: the days of the week that are allowed, as `sat`.',
      }),
    }),
    alternatives,
  },
} as const satisfies Record<string, Record<string, Type.TSchema>>;

const reasonSchema = <C extends keyof typeof reasons>(code: C, name: string) =>
  Type.OpenEnum(
    reasons[code],
    `${name}Reason`,
    `The cause of \`${code}\`. New values may appear within a wire version.`,
  );

const detailsOf = <C extends keyof typeof alsoSaid>(code: C, name: string) =>
  Type.ResponseObject(`${name}Details`, `The details of \`${code}\`.`, {
    reason: reasonSchema(code, name),
    ...alsoSaid[code],
  });

const reasonedError = <C extends keyof typeof alsoSaid>(code: C, name: string) =>
  Type.ResponseObject(`${name}Error`, `\`${code}\`; \`details.reason\` is the cause.`, {
    code: Type.Literal(code),
    ...common,
    details: detailsOf(code, name),
  });

/** A tier of quotas. */
export const QuotaTier = Type.Enum([...tiers], {
  $id: 'QuotaTier',
  description: 'A kind of calls that have one quota.',
});

const RateLimitedError = Type.ResponseObject(
  'RateLimitedError',
  '`rate_limited`; `details.tier` is the quota that is used up.',
  {
    code: Type.Literal('rate_limited'),
    ...common,
    details: Type.Optional(
      Type.ResponseObject(
        'RateLimitedDetails',
        'Either the tier whose quota is used up, or the reason.',
        {
          tier: Type.Optional(QuotaTier),
          reason: Type.Optional(reasonSchema('rate_limited', 'RateLimited')),
        },
      ),
    ),
  },
);

type PlainErrorCode = Exclude<ErrorCode, 'invalid_input' | keyof typeof reasons>;

const isPlain = (code: ErrorCode): code is PlainErrorCode =>
  code !== 'invalid_input' && !(code in reasons);

const PlainError = Type.ResponseObject('PlainError', 'An error without specified details.', {
  code: Type.Enum((Object.keys(errors) as ErrorCode[]).filter(isPlain), {
    description: 'Stable.',
  }),
  ...common,
  details: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        $id: 'PlainErrorDetails',
        description: 'Not part of the contract.',
      },
    ),
  ),
});

/** An error whose code is not known yet. */
const OtherError = Type.ResponseObject(
  'OtherError',
  'An error with a code that was added after this revision. Treat it by its status.',
  {
    code: Type.String({
      not: { enum: Object.keys(errors) },
      description: 'A code that does not exist yet: treat the error by its status.',
    }),
    ...common,
    details: Type.Optional(
      Type.Object(
        {},
        {
          additionalProperties: true,
          $id: 'OtherErrorDetails',
          description: 'The details of a code that does not exist yet.',
        },
      ),
    ),
  },
);

const ServiceError = Type.Union(
  [
    InvalidInputError,
    reasonedError('unauthenticated', 'Unauthenticated'),
    reasonedError('forbidden', 'Forbidden'),
    reasonedError('conflict', 'Conflict'),
    reasonedError('policy_restricted', 'PolicyRestricted'),
    RateLimitedError,
    PlainError,
  ],
  {
    $id: 'ServiceError',
    description: 'An error of today; `code` determines `details`.',
    discriminatedBy: 'code',
  },
);

/** The code determines the shape of an error. Spec: ERROR-1. */
export const ErrorEnvelope = Type.ResponseObject(
  'ErrorEnvelope',
  'The body of every error, except at the token endpoint.',
  { error: Type.OrUnknown(ServiceError, OtherError) },
);
export type ErrorEnvelope = Type.Static<typeof ErrorEnvelope>;

/** Every code of an error. */
const ErrorCodeName = Type.OpenEnum(
  Object.keys(errors) as ErrorCode[],
  'ErrorCode',
  'The code of an error. Stable. New values may appear within a wire version.',
);

/** The codes that a caller can filter by. */
export const KnownErrorCode = Type.KnownValue(ErrorCodeName);

/** The envelope of a surface with other reasons. `furtherDetails`: what its details can have beside the reason. */
export const OwnErrorEnvelope = (furtherDetails: Type.TProperties) =>
  Type.ResponseObject('ErrorEnvelope', 'The body of every error.', {
    error: Type.ResponseObject('ServiceError', 'The error.', {
      code: ErrorCodeName,
      ...common,
      details: Type.Optional(
        Type.ResponseObject('ErrorDetails', 'What the code leaves open.', {
          fields: Type.Optional(
            Type.Array(InvalidField, {
              description: 'For `invalid_input`: every field that failed.',
            }),
          ),
          reason: Type.Optional(Type.Text('For a code with several causes: the cause.')),
          ...furtherDetails,
        }),
      ),
    }),
  });

/** Spec: ACCESS-5. */
export const TokenError = Type.ResponseObject(
  'TokenError',
  'An error of the token endpoint, in the OAuth form.',
  {
    error: Type.Enum(Object.keys(tokenErrors) as TokenErrorCode[]),
    error_description: Type.Text('For logs.'),
  },
);

export const TokenRequest = Type.ResponseObject(
  'TokenRequest',
  'OAuth 2.0 client credentials. Unknown parameters are ignored.',
  {
    grant_type: Type.Literal('client_credentials'),
    ...Type.AllOptional({
      client_id: Type.Text('Application ID, if not sent by HTTP Basic.'),
      client_secret: Type.Text(
        'Application key, if not sent by HTTP Basic. Its form is `lk_<sandbox|test|live>_<key id>_<secret>_<checksum>`; the checksum lets secret scanners recognise a leaked key.',
      ),
      scope: Type.Text('Separated by spaces. Requests fewer scopes than granted, never more.'),
      resource: Type.Text('Must be the base URL.'),
    }),
  },
);

export const RevocationRequest = Type.ResponseObject(
  'RevocationRequest',
  'The token to end. Unknown parameters are ignored.',
  {
    token: Type.Text('The access token.'),
    ...Type.AllOptional({
      token_type_hint: Type.Text('`access_token`. Not needed: there is no other type.'),
      client_id: Type.Text('Application ID, if not sent by HTTP Basic.'),
      client_secret: Type.Text('Application key, if not sent by HTTP Basic.'),
    }),
  },
);

export const RevokedToken = Type.ResponseObject('RevokedToken', 'An object without members.', {});

export const TokenAnswer = Type.ResponseObject('TokenAnswer', 'A bearer token and its scopes.', {
  access_token: Type.Text('Send it as `Authorization: Bearer …`.'),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.WholeFrom(1, limits.accessTokenSeconds, 'Lifetime in seconds.'),
  scope: Type.Text('The scopes of the token, separated by spaces.'),
});
