import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refuse, type Refusal } from '../contract/errors.ts';
import { invalid } from './body.ts';
import { errorResponse } from './errors.ts';

/** How long a connection stays after its last answer, so that a caller who is still sending can read it. */
const lingerMs = 1_000;

/** Ends a connection with these last bytes; whoever is still sending has time to read them. */
function endSoon(socket: Socket, lastBytes = ''): void {
  socket.end(lastBytes);
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** Writes an error to a connection past the framework, and ends it. */
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

/** What the parser of Node cannot take as HTTP. */
const malformed: Readonly<Record<string, Refusal>> = {
  HPE_INVALID_METHOD: refuse('not_found'),
  HPE_HEADER_OVERFLOW: invalid('header', 'is too long').refusal,
  ERR_HTTP_REQUEST_TIMEOUT: invalid('', 'did not arrive in time').refusal,
};

const lastResponses = new WeakMap<Socket, { response: ServerResponse; requestId: string }>();

/** Notes that a request is being answered on its connection. */
export function trackResponse(response: ServerResponse, requestId: string): void {
  if (response.socket) lastResponses.set(response.socket, { response, requestId });
}

/**
 * Answers what is not HTTP. A whole request before it on the connection is answered first: it may
 * have taken effect, and must not get an error that is not its own.
 */
export function respondToMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const refusal = malformed[error.code ?? ''] ?? invalid('', 'is not HTTP').refusal;
  const { response: before, requestId } = lastResponses.get(socket) ?? {};
  // What is broken is the rest of a request that has its answer already.
  if (before && !before.req.complete && before.writableEnded) {
    endSoon(socket);
    return;
  }
  if (before && !before.req.complete) {
    // Its line in the log has the same request ID.
    writeRawError(socket, refusal, requestId);
  } else if (before && !before.writableFinished) {
    before.once('close', () => writeRawError(socket, refusal));
  } else {
    writeRawError(socket, refusal);
  }
}

/** `CONNECT` takes the connection out of the server's hands, its error handler included. */
export function refuseTunnel(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  socket.resume();
  writeRawError(socket, refuse('not_found'));
}
