import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { deprecationOf } from '../contract/deprecation.ts';
import type { Row } from '../contract/rows.ts';
import { weakTag } from '../platform/etag.ts';
import { type Coding, codingFor, codingsOf, compressed } from './content-coding.ts';
import { isClosing } from './listening.ts';
import { quotaHeaders } from './quota-headers.ts';
import type { AnyResponse, Damage, HeaderPairs } from './response.ts';
import type { QuotaState } from './surface.ts';

/** Returns the headers that all successful responses of a row share. Spec: CALL-13. */
export function rowHeaders(row: Row): HeaderPairs {
  const deprecation = deprecationOf(row);
  return [
    'x-content-type-options',
    'nosniff',
    'cache-control',
    row.etag === 'revalidate' ? 'private, no-cache' : 'no-store',
    ...(codingsOf(row).length === 0 ? [] : ['vary', 'Accept-Encoding']),
    ...(deprecation === null ? [] : ['deprecation', deprecation]),
  ];
}

/** The part of a route that a response needs. */
interface RespondingRoute {
  /** The prefix of every `Location`. */
  readonly basePath: string;
  readonly headers: HeaderPairs;
  /** The codings that its responses can have. */
  readonly codings: readonly Coding[];
}

// Below that, a response fits into a few packets, and compressing it saves no time.
const mostUncompressed = 4_096;

/** The coding of a response with this many bytes; null: none. Spec: CALL-19. */
function codingOf(
  { codings }: RespondingRoute,
  { headers }: FastifyRequest,
  length: number,
): Coding | null {
  return length > mostUncompressed ? codingFor(headers['accept-encoding'], codings) : null;
}

const lengthOf = (pieces: readonly Buffer[]): number =>
  pieces.reduce((sum, piece) => sum + piece.length, 0);

/** The tag of a response as its caller gets it: that of a compressed one is weak. */
export function sentTag(
  route: RespondingRoute,
  request: FastifyRequest,
  { etag, bytes = [] }: AnyResponse,
): string | undefined {
  if (etag === undefined) return undefined;
  return codingOf(route, request, lengthOf(bytes)) === null ? etag : weakTag(etag);
}

function headersOf(
  route: RespondingRoute,
  { request }: FastifyReply,
  response: AnyResponse,
  quota: QuotaState | null,
): string[] {
  const { asOf, location, retryAfterSeconds, cookie, deprecation } = response;
  const all = ['x-request-id', request.id, ...route.headers];
  if (quota) all.push(...quotaHeaders(quota));
  const etag = sentTag(route, request, response);
  if (etag) all.push('etag', etag);
  if (asOf) all.push('x-as-of', asOf);
  if (location) all.push('location', `${route.basePath}${location}`);
  if (retryAfterSeconds) all.push('retry-after', String(retryAfterSeconds));
  if (deprecation) all.push('deprecation', deprecation);
  if (cookie) all.push('set-cookie', cookie);
  if (isClosing(request.server)) all.push('connection', 'close');
  return all;
}

// Node writes a head and a text as one piece. For more bytes, making the text costs more than a second piece.
const mostBytesAsText = 4_096;

/** Ends a response with prepared bytes. Pieces that are not joined first are not copied. */
function sendBytes(raw: ServerResponse, pieces: readonly Buffer[], length: number): void {
  if (length <= mostBytesAsText) {
    let text = '';
    // In Latin-1, a character is one byte of the content, for every content encoding.
    for (const piece of pieces) text += piece.toString('latin1');
    raw.end(text, 'latin1');
    return;
  }
  for (const piece of pieces.slice(0, -1)) raw.write(piece);
  raw.end(pieces.at(-1));
}

const proxyPage = '<!doctype html><title>Bad gateway</title><h1>502 Bad Gateway</h1>\n';

/** Sends what a caller gets in place of a response. */
export function sendDamage({ raw, request }: FastifyReply, damage: Damage): void {
  if (damage === 'dropped') {
    request.isDropped = true;
    raw.destroy();
    return;
  }
  raw.writeHead(damage.html, { 'content-type': 'text/html', 'x-request-id': request.id });
  raw.end(proxyPage);
}

/**
 * Sends a successful response with the functions of Node: setting each header of the reply of Fastify costs as
 * much as the steps of a cheap read.
 */
export function sendResponse(
  route: RespondingRoute,
  reply: FastifyReply,
  response: AnyResponse,
  quota: QuotaState | null,
): void {
  const { raw } = reply;
  const { status, bytes, body, damage, mediaType } = response;
  if (damage !== undefined) return sendDamage(reply, damage);
  const headers = headersOf(route, reply, response, quota);
  if (status === 304 || body === null) {
    if (status !== 304 && status !== 204) headers.push('content-length', '0');
    raw.writeHead(status, headers).end();
    return;
  }
  headers.push('content-type', mediaType ?? 'application/json; charset=utf-8');
  const text = bytes === undefined ? JSON.stringify(body) : '';
  const length = bytes === undefined ? Buffer.byteLength(text) : lengthOf(bytes);
  const coding = codingOf(route, reply.request, length);
  if (coding !== null) {
    const coded = compressed(coding, bytes ?? text);
    headers.push('content-encoding', coding, 'content-length', String(coded.length));
    raw.writeHead(status, headers).end(coded);
    return;
  }
  headers.push('content-length', String(length));
  raw.writeHead(status, headers);
  if (bytes === undefined) raw.end(text);
  else sendBytes(raw, bytes, length);
}
