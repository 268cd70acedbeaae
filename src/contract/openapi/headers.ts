import type { OperationRow } from '../partner/operations.ts';
import type { Components } from './components.ts';
import type { HeaderObject, Reference } from './document.ts';
import { pascalCase } from './names.ts';

const text = { type: 'string' } as const;

/** Every header that a response can have. */
const headers = {
  'x-request-id': {
    description:
      'Identifies this call in our logs; give it to support. The service generates one for every response, errors and unknown paths included, and ignores one that you send.',
    required: true,
    schema: text,
    example: '8d1f6c52-0b9e-4a37-9c58-e3d2b1a09f46',
  },
  ETag: {
    description:
      'Changes whenever the content changes. For a checkout it is the version in quotes. Of a compressed response it is the weak form (`W/"…"`), which `If-None-Match` takes as well.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
    example: '"3"',
  },
  'x-as-of': {
    description:
      'The time up to which the response includes all changes of homes that somebody has made. It is not part of the content, so the `ETag` does not change with it.',
    required: true,
    schema: { type: 'string', format: 'date-time' },
    example: '2026-11-20T09:30:00.000Z',
  },
  Location: {
    description: 'The resource to read for the outcome.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/checkouts/01a406c7-566a-7c77-a1e5-969f7edd4981/status',
  },
  'Retry-After': {
    description:
      'Whole seconds to wait. On a 202 it equals `pollAfterSeconds` and is sent while the outcome is pending; on an error it equals `retryAfterSeconds`.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  RateLimit: {
    description:
      'The remaining quota (IETF draft): the tier, `r` remaining calls, and `t` seconds until the quota is full again.',
    schema: text,
    example: '"read";r=359;t=1',
  },
  'RateLimit-Policy': {
    description:
      "The application's quota in this tier (IETF draft): `q` calls in a window of `w` seconds.",
    schema: text,
    example: '"read";q=360;w=60',
  },
  'Cache-Control': {
    description: 'Do not cache this response.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  'WWW-Authenticate': {
    description:
      'The required scheme: `Bearer`, or `Basic` at the token endpoint. If a token was sent, also `error` and `error_description` (RFC 6750).',
    required: true,
    schema: text,
    example: 'Bearer realm="latchkey"',
  },
  'WWW-Authenticate-Scope': {
    description:
      'With reason `scope`: the scope that is missing, as RFC 6750 says. Absent for other reasons.',
    schema: text,
    example:
      'Bearer realm="latchkey", error="insufficient_scope", scope="reservation.quote.create"',
  },
  Deprecation: {
    description:
      'The operation, or a member of its request or response, is deprecated since this instant (RFC 9745). It still works; see the changelog.',
    required: true,
    schema: { type: 'string', pattern: '^@[0-9]+$' },
    example: '@1801353600',
  },
} as const satisfies Record<string, HeaderObject>;

/** The name of a response header. */
export type ReplyHeader = keyof typeof headers;

/** References to the headers of a response. */
export function writeHeaders(
  names: readonly ReplyHeader[],
  components: Components,
): Record<string, Reference> {
  return Object.fromEntries(
    names.map((name) => [
      name.replace('-Scope', ''),
      components.share('headers', pascalCase(name), headers[name]),
    ]),
  );
}

/** The headers of every response to an authenticated caller. */
export const authenticatedHeaders = [
  'x-request-id',
  'RateLimit',
  'RateLimit-Policy',
] as const satisfies readonly ReplyHeader[];

/** Whether responses of an operation must not be cached: live reads, quotes and checkouts. */
export const isNeverStored = (row: OperationRow): boolean =>
  row.tier === 'search' || row.path.startsWith('/v1/checkouts');
