import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { Connections } from './connections.ts';
import { DialError } from './dial.ts';
import { findDestination, type Resolve } from './destination.ts';
import type { RemoteRules } from './remote-url.ts';
import type { Slots } from '../slots.ts';

/** Why a download failed. */
export type DownloadProblem =
  | 'dns'
  | 'forbidden_address'
  | 'connection'
  | 'tls'
  | 'timeout'
  | 'redirects'
  | 'status'
  | 'too_large'
  | 'compressed';

/** What a server said about a document, to ask for it only if it has changed. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** The result of a download. `status`: of the last response; null: there was none. */
export type Downloaded =
  | { outcome: 'document'; body: Buffer; validators: Validators }
  | { outcome: 'unchanged' }
  | {
      outcome: 'failed';
      problem: DownloadProblem;
      status: number | null;
      retryAfter: string | null;
    };

/** A document to download. */
export interface DownloadRequest {
  url: string;
  /** Of the document that is known. Null members: the whole document is asked for. */
  validators: Validators;
  headers: Record<string, string>;
  atMostBytes: number;
  /** Ends the download. */
  signal: AbortSignal;
}

/** The dependencies of downloads. */
export interface DownloadContext {
  rules: RemoteRules;
  resolve: Resolve;
  connections: Connections;
  /** What a document takes that is longer than `largeBytes`, so that few of them are in memory. */
  large: Slots;
  /** The time of a whole download. Absent: 30 seconds. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 30_000;
/** Documents up to this length are received without waiting for others. */
const largeBytes = 256 * 1024;
const redirectsFollowed = 5;
const addressesTried = 4;
const longestValidator = 1_000;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const failed = (
  problem: DownloadProblem,
  status: number | null = null,
  retryAfter: string | null = null,
): Downloaded => ({ outcome: 'failed', problem, status, retryAfter });

type Headers = Dispatcher.ResponseData['headers'];

function headerOf(headers: Headers, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function validatorOf(headers: Headers, name: string): string | null {
  const value = headerOf(headers, name);
  return value !== null && value.length <= longestValidator ? value : null;
}

function conditions({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
  };
}

/** Ends a response whose body is not read. */
function discard({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => undefined).destroy();
}

/** Each encoding that is asked for. Others, and damaged ones, are `compressed`. */
const encodings: ReadonlyMap<string, (() => NodeJS.ReadWriteStream)[]> = new Map([
  ['identity', []],
  ['gzip', [createGunzip]],
  ['x-gzip', [createGunzip]],
]);

const isOfDecoder = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException).code).startsWith('Z_');

const tooLarge = Symbol('too large');

/** Collects a document. A long one waits for a slot, and its sender with it. */
async function collect(
  source: AsyncIterable<Buffer>,
  { atMostBytes, signal }: DownloadRequest,
  large: Slots,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let release: (() => void) | undefined;
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > atMostBytes) throw tooLarge;
      if (bytes > largeBytes) release ??= await large.take(signal);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, bytes);
  } finally {
    release?.();
  }
}

async function readBody(
  response: Dispatcher.ResponseData,
  request: DownloadRequest,
  large: Slots,
): Promise<Buffer | 'too_large' | 'compressed'> {
  const encoding = headerOf(response.headers, 'content-encoding') ?? 'identity';
  const decoders = encodings.get(encoding.toLowerCase());
  const isTooLarge = Number(headerOf(response.headers, 'content-length')) > request.atMostBytes;
  if (!decoders || isTooLarge) {
    discard(response);
    return decoders ? 'too_large' : 'compressed';
  }
  let body: Buffer | undefined;
  try {
    await pipeline([
      response.body,
      ...decoders.map((create) => create()),
      async (source: AsyncIterable<Buffer>) => {
        body = await collect(source, request, large);
      },
    ]);
    return body!;
  } catch (error) {
    if (error === tooLarge) return 'too_large';
    if (isOfDecoder(error)) return 'compressed';
    throw error;
  }
}

/** The document of a response, or why there is none. */
async function documentOf(
  response: Dispatcher.ResponseData,
  request: DownloadRequest,
  large: Slots,
): Promise<Downloaded> {
  const { statusCode: status, headers } = response;
  const { validators } = request;
  if (status === 304 && Object.values(validators).some((known) => known !== null)) {
    discard(response);
    return { outcome: 'unchanged' };
  }
  if (status !== 200) {
    discard(response);
    return failed('status', status, headerOf(headers, 'retry-after'));
  }
  const body = await readBody(response, request, large);
  if (typeof body === 'string') return failed(body, status);
  return {
    outcome: 'document',
    body,
    validators: {
      etag: validatorOf(headers, 'etag'),
      lastModified: validatorOf(headers, 'last-modified'),
    },
  };
}

const isUnreached = (error: unknown): boolean =>
  error instanceof DialError && error.reason === 'connection';

/** Asks the addresses of a URL in their order, until one can be reached. */
async function ask(
  { connections }: DownloadContext,
  { url, addresses }: { url: URL; addresses: readonly string[] },
  { headers, validators, signal }: DownloadRequest,
): Promise<Dispatcher.ResponseData> {
  const path = `${url.pathname}${url.search}`;
  const sent = { 'accept-encoding': 'gzip', ...headers, ...conditions(validators) };
  let unreached: unknown;
  for (const address of addresses.slice(0, addressesTried)) {
    try {
      const dispatcher = connections.to(url, address);
      return await dispatcher.request({ method: 'GET', path, headers: sent, signal });
    } catch (error) {
      if (!isUnreached(error)) throw error;
      unreached = error;
    }
  }
  throw unreached;
}

async function follow(
  context: DownloadContext,
  request: DownloadRequest,
  hops: number,
): Promise<Downloaded> {
  const destination = await findDestination(request.url, context.rules, context.resolve);
  if ('error' in destination) return failed(destination.error);
  const response = await ask(context, destination, request);
  const { statusCode: status, headers } = response;
  const location = headerOf(headers, 'location');
  if (!redirectStatuses.has(status) || location === null) {
    return documentOf(response, request, context.large);
  }
  discard(response);
  const next = URL.parse(location, destination.url);
  if (next === null || hops === redirectsFollowed) return failed('redirects', status);
  // A redirect is checked like the URL itself.
  return follow(context, { ...request, url: next.href }, hops + 1);
}

/**
 * Downloads a document: each URL is checked, also those of redirects, and the connection goes to the checked
 * address.
 */
export async function download(
  context: DownloadContext,
  request: DownloadRequest,
): Promise<Downloaded> {
  const signal = AbortSignal.any([
    request.signal,
    AbortSignal.timeout(context.timeoutMs ?? defaultTimeoutMs),
  ]);
  try {
    return await follow(context, { ...request, signal }, 0);
  } catch (error) {
    if (signal.aborted) return failed('timeout');
    return failed(error instanceof DialError ? error.reason : 'connection');
  }
}
