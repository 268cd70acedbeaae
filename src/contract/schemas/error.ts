import Type from 'typebox';
import { errors, tokenErrors, type ErrorCode, type TokenErrorCode } from '../errors.ts';
import { limits } from '../limits.ts';
import { answerOptions } from './primitives.ts';

/** Spec: Errors, Envelope. */
export const ErrorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: Type.Enum(Object.keys(errors) as ErrorCode[], { description: 'Stable.' }),
      message: Type.String({ description: 'For logs, not for guests.' }),
      requestId: Type.String({ description: 'Equals the `x-request-id` header.' }),
      retryable: Type.Boolean({ description: 'Whether the same call can succeed later.' }),
      retryAfterSeconds: Type.Optional(
        Type.Integer({ minimum: 1, description: 'Equals the `Retry-After` header.' }),
      ),
      details: Type.Optional(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description:
              'Of `invalid_input`: `fields`, every field that failed, each with `path` (a JSON Pointer into the body, that of a missing member included, or `query/<name>`, `path/<name>`, `header/<name>`) and `message`. Of a code that covers several causes: `reason`.',
          },
        ),
      ),
    }),
  },
  answerOptions('ErrorEnvelope', 'Every error, the token endpoint apart.'),
);
export type ErrorEnvelope = Type.Static<typeof ErrorEnvelope>;

/** Spec: Authentication, token endpoint errors. */
export const TokenError = Type.Object(
  {
    error: Type.Enum(Object.keys(tokenErrors) as TokenErrorCode[]),
    error_description: Type.String({ description: 'For logs.' }),
  },
  answerOptions('TokenError', 'An error of the token endpoint, in the OAuth form.'),
);

export const TokenRequest = Type.Object(
  {
    grant_type: Type.Literal('client_credentials'),
    client_id: Type.Optional(Type.String({ description: 'Application ID, without HTTP Basic.' })),
    client_secret: Type.Optional(
      Type.String({
        description:
          'Application key, without HTTP Basic. It reads `lk_<sandbox|test|live>_<key id>_<secret>_<checksum>`; by the checksum a scanner can tell a leaked key from noise.',
      }),
    ),
    scope: Type.Optional(Type.String({ description: 'Space-separated; may only narrow.' })),
    resource: Type.Optional(Type.String({ description: 'The base URL, and nothing else.' })),
  },
  answerOptions('TokenRequest', 'OAuth 2.0 client credentials. Unknown parameters are ignored.'),
);

export const TokenAnswer = Type.Object(
  {
    access_token: Type.String({ description: 'Send it as `Authorization: Bearer …`.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({
      minimum: 1,
      maximum: limits.accessTokenSeconds,
      description: 'Seconds.',
    }),
    scope: Type.String({ description: 'What the token may do, separated by spaces.' }),
  },
  answerOptions('TokenAnswer', 'A bearer token and what it may do.'),
);
