import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refuse, type Refusal } from '../contract/errors.ts';
import { invalid } from './body.ts';
import { errorResponse } from './errors.ts';

// Importing `node:http` would read all of its exports, and one of them loads an HTTP client that nothing uses.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** How long a connection stays open after its last response, so that a client that is still sending can read it. */
const lingerMs = 1_000;

/** Writes the last bytes and closes the connection after a delay. */
function endSoon(socket: Socket, lastBytes = ''): void {
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** Writes an error to a connection without the framework, and closes it. */
function writeRawError(socket: Socket, refusal: Refusal, requestId: string = randomUUID()): void {
  if (!socket.writable) return;
  const { status, body, headers } = errorResponse(refusal, requestId);
  const text = JSON.stringify(body);
  const head = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'x-request-id': requestId,
    connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  endSoon(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
}

/** The refusal for each error of Node's HTTP parser. */
const malformed: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_METHOD: refuse('not_found'),
  HPE_HEADER_OVERFLOW: invalid('header', 'is too long').refusal,
  ERR_HTTP_REQUEST_TIMEOUT: invalid('', 'did not arrive in time').refusal,
};

const lastResponses = new WeakMap<Socket, { response: ServerResponse; requestId: string }>();

/** Remembers the response in progress on its connection. */
export function trackResponse(response: ServerResponse, requestId: string): void {
  if (response.socket) lastResponses.set(response.socket, { response, requestId });
}

/**
 * Responds to bytes that are not HTTP, and to a request that does not arrive in time. A complete request before
 * them on the connection gets its own response first: it may have taken effect, and must not get this error.
 */
export function respondToMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // Clients and proxies open connections in advance. They would read this as the response to their next request.
  if (socket.bytesRead === 0) {
    endSoon(socket);
    return;
  }
  const refusal = malformed[error.code ?? ''] ?? invalid('', 'is not HTTP').refusal;
  const { response: before, requestId } = lastResponses.get(socket) ?? {};
  // The malformed part belongs to a request that already has its response.
  if (before && !before.req.complete && before.writableEnded) {
    endSoon(socket);
    return;
  }
  if (before && !before.req.complete) {
    // The log line of the request has the same request ID.
    writeRawError(socket, refusal, requestId);
  } else if (before && !before.writableFinished) {
    before.once('close', () => writeRawError(socket, refusal));
  } else {
    writeRawError(socket, refusal);
  }
}

/** Refuses `CONNECT`: Node detaches the socket from the server and its error handler. */
export function refuseTunnel(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  socket.resume();
  writeRawError(socket, refuse('not_found'));
}
