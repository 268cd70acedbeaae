import type { OperationRow } from '../partner/operations.ts';
import type { Components } from './components.ts';
import type { HeaderObject, Reference } from './document.ts';
import { pascalCase } from './names.ts';

const text = { type: 'string' } as const;

/** Every header that an answer can carry. */
const headers = {
  'x-request-id': {
    description:
      'Names this exchange in our logs; give it to support. We make one for every answer, errors and unknown paths included, and do not adopt one that you send.',
    required: true,
    schema: text,
    example: '8d1f6c52-0b9e-4a37-9c58-e3d2b1a09f46',
  },
  ETag: {
    description: 'Changes whenever the content does. Of a checkout, its version in quotes.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"3"',
  },
  Location: {
    description: 'Read this next to learn the outcome.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/v1/checkouts/01a406c7-566a-7c77-a1e5-969f7edd4981/status',
  },
  'Retry-After': {
    description:
      'Wait so many whole seconds. Of a 202 it equals `pollAfterSeconds` and is there while there is something to wait for; of an error it equals `retryAfterSeconds`.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  RateLimit: {
    description:
      'What is left of the quota (IETF draft): the tier, `r` calls that can be made now, and `t` seconds until it is full again.',
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
    description: 'Never keep this answer: it is only good now.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  'WWW-Authenticate': {
    description: 'The scheme that is wanted: `Bearer`, or `Basic` at the token endpoint.',
    required: true,
    schema: text,
    example: 'Bearer realm="latchkey"',
  },
  Deprecation: {
    description:
      'The operation, or a member that it takes or answers with, is deprecated since this instant (RFC 9745). It goes on working; read the changelog.',
    required: true,
    schema: { type: 'string', pattern: '^@[0-9]+$' },
    example: '@1801353600',
  },
} as const satisfies Record<string, HeaderObject>;

/** The name of a header that an answer can carry. */
export type ReplyHeader = keyof typeof headers;

/** Points to the headers of an answer. */
export function writeHeaders(
  names: readonly ReplyHeader[],
  components: Components,
): Record<string, Reference> {
  return Object.fromEntries(
    names.map((name) => [name, components.share('headers', pascalCase(name), headers[name])]),
  );
}

/** What every answer carries to a caller whose token was good. */
export const authenticatedHeaders = [
  'x-request-id',
  'RateLimit',
  'RateLimit-Policy',
] as const satisfies readonly ReplyHeader[];

/** Whether an operation's answers must not be kept: live reads, quotes and checkouts. */
export const isNeverStored = (row: OperationRow): boolean =>
  row.tier === 'search' || row.path.startsWith('/v1/checkouts');
