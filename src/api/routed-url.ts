import type { FastifyRequest } from 'fastify';
import { belowBasePath } from './base-path.ts';

const malformedPaths = new WeakSet<object>();

/** Whether the path of the request could not be decoded. Spec: CALL-6. */
export const hasMalformedPath = (request: FastifyRequest): boolean =>
  malformedPaths.has(request.raw);

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * The URL that the router gets. It would refuse a path that cannot be decoded before the token and grant
 * checks. So such a path is marked, escaped, and refused by the validation.
 */
export function routedUrl(request: { url?: string | undefined }, basePath: string): string {
  const url = belowBasePath(request.url ?? '/', basePath);
  if (!url.includes('%')) return url;
  const [path = ''] = url.split('?', 1);
  if (isDecodable(path)) return url;
  malformedPaths.add(request);
  return path.replaceAll('%', '%25') + url.slice(path.length);
}
