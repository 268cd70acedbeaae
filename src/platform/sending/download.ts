import type { Dispatcher } from 'undici';
import type { Connections } from './connections.ts';
import { DialError } from './dial.ts';
import { findDestination, type Resolve } from './destination.ts';
import { attemptTimeoutMs } from './exchange.ts';
import type { RemoteRules } from './remote-url.ts';

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
export interface DownloadParts {
  rules: RemoteRules;
  resolve: Resolve;
  connections: Connections;
  /** The time of a whole download. Absent: 15 seconds. */
  timeoutMs?: number;
}

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

/** Null: the body is longer than allowed. */
async function readBody(
  response: Dispatcher.ResponseData,
  atMostBytes: number,
): Promise<Buffer | null> {
  if (Number(headerOf(response.headers, 'content-length')) > atMostBytes) {
    discard(response);
    return null;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop destroys the body.
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > atMostBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** The document of a response, or why there is none. */
async function documentOf(
  response: Dispatcher.ResponseData,
  { validators, atMostBytes }: DownloadRequest,
): Promise<Downloaded> {
  const { statusCode: status, headers } = response;
  if (status === 304 && Object.values(validators).some((known) => known !== null)) {
    discard(response);
    return { outcome: 'unchanged' };
  }
  if (status !== 200) {
    discard(response);
    return failed('status', status, headerOf(headers, 'retry-after'));
  }
  if ((headerOf(headers, 'content-encoding') ?? 'identity').toLowerCase() !== 'identity') {
    discard(response);
    return failed('compressed', status);
  }
  const body = await readBody(response, atMostBytes);
  if (body === null) return failed('too_large', status);
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
  { connections }: DownloadParts,
  { url, addresses }: { url: URL; addresses: readonly string[] },
  { headers, validators, signal }: DownloadRequest,
): Promise<Dispatcher.ResponseData> {
  const path = `${url.pathname}${url.search}`;
  const sent = { 'accept-encoding': 'identity', ...headers, ...conditions(validators) };
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
  parts: DownloadParts,
  request: DownloadRequest,
  hops: number,
): Promise<Downloaded> {
  const destination = await findDestination(request.url, parts.rules, parts.resolve);
  if ('error' in destination) return failed(destination.error);
  const response = await ask(parts, destination, request);
  const { statusCode: status, headers } = response;
  const location = headerOf(headers, 'location');
  if (!redirectStatuses.has(status) || location === null) return documentOf(response, request);
  discard(response);
  const next = URL.parse(location, destination.url);
  if (next === null || hops === redirectsFollowed) return failed('redirects', status);
  // A redirect is checked like the URL itself, and never leads to this machine.
  const remote = { ...parts, rules: { loopbackAllowed: false } };
  return follow(remote, { ...request, url: next.href }, hops + 1);
}

/**
 * Downloads a document: each URL is checked, also those of redirects, and the connection goes to the checked
 * address.
 */
export async function download(
  parts: DownloadParts,
  request: DownloadRequest,
): Promise<Downloaded> {
  const signal = AbortSignal.any([
    request.signal,
    AbortSignal.timeout(parts.timeoutMs ?? attemptTimeoutMs),
  ]);
  try {
    return await follow(parts, { ...request, signal }, 0);
  } catch (error) {
    if (signal.aborted) return failed('timeout');
    return failed(error instanceof DialError ? error.reason : 'connection');
  }
}
