import type { FastifyRequest } from 'fastify';
import { refuse, RefusalError } from '../contract/errors.ts';
import type { InputCheck, ValidInput } from './input.ts';
import { hasMalformedPath } from './routed-url.ts';

/** Converts a path of a table to the router's syntax: `/v1/listings/:listingId`. */
export const routePath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Validates a call. Throws `invalid_input` with every field that failed. */
export function validated(request: FastifyRequest, check: InputCheck): ValidInput {
  const result = check({
    params: request.params as Record<string, string>,
    queryText: (request.query as { text: string }).text,
    headers: request.headers,
    body: request.body,
    malformedPath: hasMalformedPath(request),
  });
  if ('input' in result) return result.input;
  throw new RefusalError(refuse('invalid_input', { fields: result.fields }));
}
