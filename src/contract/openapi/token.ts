import { tokenErrors, type TokenErrorCode } from '../errors.ts';
import { limits } from '../limits.ts';
import { TokenAnswer, TokenError, TokenRequest } from '../partner/schemas/error.ts';
import { tokenExample } from '../partner/examples.ts';
import type { Components } from './components.ts';
import type { OperationObject, ResponseObject } from './document.ts';
import { writeHeaders, type ReplyHeader } from './headers.ts';
import { writeSchema } from './schemas.ts';

/** The path of the token endpoint, below the base URL. */
export const tokenPath = '/oauth/token';

const errorTexts: Readonly<Record<TokenErrorCode, string>> = {
  invalid_request:
    'Not a form, no `grant_type`, a parameter sent twice, or credentials both in the header and in the form.',
  unsupported_grant_type: 'Only `client_credentials` is offered.',
  invalid_scope: 'A scope was asked for that the application was not granted.',
  invalid_target: '`resource` is not this base URL.',
  invalid_client:
    'No credentials, malformed HTTP Basic, or an ID or key that is wrong, expired, revoked, of the other environment, or of a suspended application.',
  rate_limited: 'Too many token requests. Keep a token until it runs out.',
  temporarily_unavailable: 'Not to be had just now.',
};

const extraHeaders: Readonly<Record<number, readonly ReplyHeader[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const description = [
  'OAuth 2.0 client credentials, as a form. Send the credentials by HTTP Basic (better) or as form fields, never both.',
  'The token carries every scope that the application was granted. `scope` can narrow that, never widen it; `resource`, if sent, has to be the base URL. Form parameters that we do not know are ignored, as OAuth asks.',
  `An application may ask ${limits.tokensPerMinute} times a minute with a right key, refilled all the time. Wrong keys are counted apart, ${limits.wrongSecretsPerMinute} a minute for an application and a source address: they never use up what the application has. Unknown client IDs are limited to ${limits.unknownClientTokensPerMinute} a minute for a source address.`,
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

function errorResponses(components: Components): [string, ResponseObject][] {
  const codes = Object.keys(tokenErrors) as TokenErrorCode[];
  const byStatus = Map.groupBy(codes, (code) => tokenErrors[code]);
  return [...byStatus].map(([status, of]) => [`${status}`, errorResponse(status, of, components)]);
}

/** Writes the token endpoint, which is no row of the operation table. Spec: Authentication, 3. */
export function writeTokenEndpoint(components: Components): OperationObject {
  return {
    operationId: 'token',
    tags: ['Access'],
    summary: 'Exchange the application key for an access token',
    description,
    security: [{ ApplicationKey: [] }, {}],
    requestBody: {
      required: true,
      description: 'The credentials here or by HTTP Basic.',
      content: {
        'application/x-www-form-urlencoded': {
          schema: writeSchema(TokenRequest, components),
          example: tokenExample.request,
        },
      },
    },
    responses: {
      200: {
        description: 'A token. Keep it until about a minute before it runs out.',
        headers: writeHeaders(['x-request-id', 'Cache-Control'], components),
        content: {
          'application/json': {
            schema: writeSchema(TokenAnswer, components),
            example: tokenExample.reply,
          },
        },
      },
      ...Object.fromEntries(errorResponses(components)),
    },
  };
}
