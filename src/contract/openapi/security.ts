import { limits } from '../limits.ts';
import type { OperationRow } from '../partner/operations.ts';
import type { SecurityRequirement, SecurityScheme } from './document.ts';

/** The ways to say who calls. Spec: Authentication. */
export const securitySchemes: Record<string, SecurityScheme> = {
  Application: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: [
      `An access token from \`POST /oauth/token\`, good for ${limits.accessTokenSeconds / 60} minutes at most. Keep it until about a minute before it ends, and share it among concurrent calls.`,
      '',
      'It is a JWT in the profile of RFC 9068, signed with EdDSA: header `typ` is `at+jwt`, with a `kid`; claims are `iss` and `aud` (both the base URL), `sub` and `client_id` (both the application ID), `scope`, `jti` and the usual times. You need not look inside; whoever wants to can verify it with the keys at `/.well-known/jwks.json`.',
      '',
      `Revoking a key leaves the tokens that it got to run out by themselves. Suspending an application ends its tokens everywhere within ${limits.suspensionSeconds} seconds: they then answer 401.`,
    ].join('\n'),
  },
  SessionCapability: {
    type: 'apiKey',
    in: 'header',
    name: 'Session-Capability',
    description: [
      `The secret that creating a checkout returned, good for ${limits.sessionHours} hours: 32 bytes in base64url, which we derive anew each time and store nowhere. Every later call on that checkout sends it beside the access token; a checkout ID alone opens nothing.`,
      '',
      'One that is missing or wrong answers 403 `forbidden` with reason `session_capability`, one past `sessionExpiresAt` with `session_expired`. Neither is ever a 401: a new access token would not help.',
    ].join('\n'),
  },
  ApplicationKey: {
    type: 'http',
    scheme: 'basic',
    description:
      'HTTP Basic with the application ID as user name and the application key as password. For the token endpoint alone: send the key nowhere else, and keep it on your servers.',
  },
};

const requirements: Record<NonNullable<OperationRow['session']> | 'none', SecurityRequirement[]> = {
  none: [{ Application: [] }],
  required: [{ Application: [], SessionCapability: [] }],
  joined: [{ Application: [] }, { Application: [], SessionCapability: [] }],
};

/** What a caller of an operation presents. */
export const securityOf = (row: OperationRow): SecurityRequirement[] =>
  requirements[row.session ?? 'none'];
