import { tokenErrors, type TokenErrorCode } from '../errors.ts';
import { limits } from '../limits.ts';
import {
  RevocationRequest,
  RevokedToken,
  TokenAnswer,
  TokenError,
  TokenRequest,
} from '../partner/schemas/error.ts';
import { exampleOf } from '../examples.ts';
import type { Components } from './components.ts';
import type { OperationObject, ResponseObject } from './document.ts';
import { writeHeaders, type ReplyHeader } from './headers.ts';
import { writeSchema } from './schemas.ts';

/** The path of the token endpoint, below the base URL. */
export const tokenPath = '/oauth/token';

const errorTexts: Readonly<Record<TokenErrorCode, string>> = {
  invalid_request:
    'The body is not a form, `grant_type` is missing, a parameter is repeated, or credentials are both in the header and in the form.',
  unsupported_grant_type: 'Only `client_credentials` is offered.',
  invalid_scope: 'The application was not granted a requested scope.',
  invalid_target: '`resource` is not this base URL.',
  invalid_client:
    'Credentials are missing or malformed; or the ID or key is wrong, expired, revoked, of another environment, or of a suspended application.',
  rate_limited: 'Too many token requests. Cache a token until it expires.',
  temporarily_unavailable: 'Temporarily unavailable.',
};

const extraHeaders: Readonly<Record<number, readonly ReplyHeader[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const tokenExample = exampleOf('token');

const description = [
  'OAuth 2.0 client credentials, as a form. Send the credentials by HTTP Basic (preferred) or as form fields, not both.',
  'The token has every scope that the application was granted. `scope` can request fewer, not more. `resource`, if sent, must be the base URL. Unknown form parameters are ignored, as OAuth requires.',
  `With a valid key, an application can request ${limits.tokensPerMinute} tokens per minute; this limit refills continuously. Wrong keys have their own limit of ${limits.wrongSecretsPerMinute} per minute, application and source address, and do not reduce the limit of the application. Unknown client IDs are limited to ${limits.unknownClientTokensPerMinute} per minute and source address.`,
  'Errors here have the OAuth form, not the envelope of the other operations.',
].join('\n\n');

function errorResponse(
  status: number,
  codes: readonly TokenErrorCode[],
  components: Components,
): ResponseObject {
  const headers = ['x-request-id', 'Cache-Control', ...(extraHeaders[status] ?? [])] as const;
  const examples = codes.map((error) => [
    error,
    { summary: errorTexts[error], value: { error, error_description: errorTexts[error] } },
  ]);
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTexts[code]}`).join('\n\n'),
    headers: writeHeaders(headers, components),
    content: {
      'application/json': {
        schema: writeSchema(TokenError, components),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

function errorResponses(
  components: Components,
  codes = Object.keys(tokenErrors) as TokenErrorCode[],
): [string, ResponseObject][] {
  const byStatus = Map.groupBy(codes, (code) => tokenErrors[code]);
  return [...byStatus].map(([status, of]) => [`${status}`, errorResponse(status, of, components)]);
}

/** Writes the token endpoint, which is not in the operation table. Spec: ACCESS-4. */
export function writeTokenEndpoint(components: Components): OperationObject {
  return {
    operationId: 'token',
    tags: ['Access'],
    summary: 'Exchange the application key for an access token',
    description,
    security: [{ ApplicationKey: [] }, {}],
    requestBody: {
      required: true,
      description: 'The credentials, unless they are sent by HTTP Basic.',
      content: {
        'application/x-www-form-urlencoded': {
          schema: writeSchema(TokenRequest, components),
          example: tokenExample.request.body!,
        },
      },
    },
    responses: {
      200: {
        description: 'A token. Cache it until about a minute before it expires.',
        headers: writeHeaders(['x-request-id', 'Cache-Control'], components),
        content: {
          'application/json': {
            schema: writeSchema(TokenAnswer, components),
            example: tokenExample.replies[200],
          },
        },
      },
      ...Object.fromEntries(errorResponses(components)),
    },
  };
}

/** The path at which an application ends its tokens, below the base URL. */
export const revocationPath = '/oauth/revoke';

/** Writes the revocation endpoint (RFC 7009), which is not in the operation table either. */
export function writeRevocationEndpoint(components: Components): OperationObject {
  return {
    operationId: 'revokeToken',
    tags: ['Access'],
    summary: 'Revoke an access token',
    description: [
      'Ends one of your own access tokens within seconds, everywhere (RFC 7009). Send the credentials as to the token endpoint, whose limits count these calls, too. A token that is not valid, or no longer, gives 200 as well.',
      'To end every token of a key, let the operator revoke the key, or revoke it in the portal.',
      'Errors here have the OAuth form.',
    ].join('\n\n'),
    security: [{ ApplicationKey: [] }, {}],
    requestBody: {
      required: true,
      description: 'A form in UTF-8.',
      content: {
        'application/x-www-form-urlencoded': {
          schema: writeSchema(RevocationRequest, components),
          example: { token: (tokenExample.replies[200] as { access_token: string }).access_token },
        },
      },
    },
    responses: {
      200: {
        description: 'The token is not valid from now on.',
        headers: writeHeaders(['x-request-id', 'Cache-Control'], components),
        content: {
          'application/json': { schema: writeSchema(RevokedToken, components), example: {} },
        },
      },
      ...Object.fromEntries(
        errorResponses(components, [
          'invalid_request',
          'invalid_client',
          'rate_limited',
          'temporarily_unavailable',
        ]),
      ),
    },
  };
}
