import { limits } from '../limits.ts';
import type { OperationRow } from '../partner/operations.ts';
import type { SecurityRequirement, SecurityScheme } from './document.ts';

/** The credentials of callers. Spec: ACCESS-4, SESSION-1. */
export const securitySchemes: Record<string, SecurityScheme> = {
  Application: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: [
      `An access token from \`POST /oauth/token\`, valid for at most ${limits.accessTokenSeconds / 60} minutes. Cache it until about a minute before it expires, and share it among concurrent calls.`,
      '',
      'It is a JWT in the profile of RFC 9068, signed with EdDSA. The header has `typ` = `at+jwt` and a `kid`. The claims are `iss` and `aud` (both the base URL), `sub` and `client_id` (both the application ID), `scope`, `jti`, and the usual times. You do not need to decode it; you can verify it with the keys at `/.well-known/jwks.json`.',
      '',
      `When a key is revoked, the tokens that were issued for it are refused everywhere within seconds; a new key beside it changes nothing. You can revoke a single token at \`POST /oauth/revoke\`. When an application is suspended, its tokens are refused with 401 everywhere within ${limits.suspensionSeconds} seconds.`,
    ].join('\n'),
  },
  SessionCapability: {
    type: 'apiKey',
    in: 'header',
    name: 'Session-Capability',
    description: [
      `The secret that was returned when the checkout was created, valid for ${limits.sessionHours} hours, while an outcome is open, and for ${limits.sessionHours} hours after it: 32 bytes in base64url. The service derives it when needed and does not store it. Send it with every later call on that checkout, in addition to the access token. A checkout ID alone gives no access.`,
      '',
      'If it is missing or wrong, the call is 403 `forbidden` with reason `session_capability`; after it has expired, with reason `session_expired`. It is never a 401: a new access token does not help.',
    ].join('\n'),
  },
  ApplicationKey: {
    type: 'http',
    scheme: 'basic',
    description:
      'HTTP Basic with the application ID as user name and the application key as password. Only for the token endpoint: send the key nowhere else, and keep it on your servers.',
  },
};

const requirements: Record<NonNullable<OperationRow['session']> | 'none', SecurityRequirement[]> = {
  none: [{ Application: [] }],
  required: [{ Application: [], SessionCapability: [] }],
  joined: [{ Application: [] }, { Application: [], SessionCapability: [] }],
};

/** The credentials that an operation needs. */
export const securityOf = (row: OperationRow): SecurityRequirement[] =>
  requirements[row.session ?? 'none'];
