import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { uuid } from './uuids.ts';

/** A response as received on the connection. */
export interface RawResponse {
  status: number;
  headers: Headers;
  /** Decompressed. */
  text: string;
}

const decompress: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
};

const textOf = (bytes: Buffer, encoding: string | null): string =>
  (bytes.length === 0 || encoding === null ? bytes : decompress[encoding]!(bytes)).toString('utf8');

const headEnd = '\r\n\r\n';

/** Parses the first complete response; null: it is incomplete. */
function firstResponse(
  bytes: Buffer,
  bodyless: boolean,
): { response: RawResponse; rest: Buffer } | null {
  const end = bytes.indexOf(headEnd);
  if (end === -1) return null;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine) ?? [];
  assert.ok(status, `not a status line: ${statusLine}`);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const start = end + headEnd.length;
  const length = bodyless ? 0 : Number(headers.get('content-length') ?? 0);
  if (bytes.length < start + length) return null;
  const text = textOf(bytes.subarray(start, start + length), headers.get('content-encoding'));
  return {
    response: { status: Number(status), headers, text },
    rest: bytes.subarray(start + length),
  };
}

/** One TCP connection that sends raw bytes. */
export class RawConnection {
  readonly socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    const end = (): void => {
      this.#ended = true;
      this.#wake();
    };
    socket.on('end', end).on('close', end).on('error', end);
  }

  static async open(origin: string): Promise<RawConnection> {
    const { hostname, port } = new URL(origin);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    return new RawConnection(socket);
  }

  /** Whether the other side has ended the connection. */
  get ended(): boolean {
    return this.#ended;
  }

  write(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  async #until(done: () => boolean, withinMs: number): Promise<void> {
    const deadline = Date.now() + withinMs;
    while (!done()) {
      const left = deadline - Date.now();
      assert.ok(left > 0, `nothing for ${withinMs} ms`);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      const timer = setTimeout(resolve, left);
      await promise;
      clearTimeout(timer);
    }
  }

  /** The next response; null: the connection ended without one. `bodyless`: a response to HEAD. */
  async response({ bodyless = false, withinMs = 5_000 } = {}): Promise<RawResponse | null> {
    let next = firstResponse(this.#received, bodyless);
    const arrived = (): boolean => {
      next = firstResponse(this.#received, bodyless);
      return next !== null || this.#ended;
    };
    await this.#until(arrived, withinMs);
    if (!next) return null;
    this.#received = next.rest;
    return next.response;
  }

  /** Waits until the other side ends the connection; it must send nothing before that. */
  async end(withinMs = 5_000): Promise<void> {
    await this.#until(() => this.#ended, withinMs);
    assert.equal(this.#received.toString(), '', 'received more than the response');
  }

  close(): void {
    this.socket.destroy();
  }
}

/** A request as text; `Host` and, with a body, `Content-Length` are added unless named. */
export function requestText(
  line: string,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): Buffer {
  const length = Buffer.byteLength(body);
  const named = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const all = {
    ...(!named.has('host') && { Host: 'latchkey.test' }),
    ...(length > 0 && !named.has('content-length') && { 'Content-Length': String(length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${line} HTTP/1.1\r\n${lines.join('')}\r\n`),
    Buffer.from(body),
  ]);
}

/** Asserts that a response is an error in the envelope with the request ID of its header. */
export function assertEnvelope(response: RawResponse | null, status: number, code: string): void {
  assert.ok(response, 'there is no response');
  assert.equal(response.status, status, response.text);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  const { error } = JSON.parse(response.text) as { error: { code: string; requestId: string } };
  assert.equal(error.code, code);
  assert.match(error.requestId, uuid);
  assert.equal(error.requestId, response.headers.get('x-request-id'));
}

/** Sends lines on a new connection. Returns the first response, or null. */
export async function responseTo(
  origin: string,
  lines: readonly string[],
): Promise<RawResponse | null> {
  const connection = await RawConnection.open(origin);
  connection.write(lines.join('\r\n'));
  const response = await connection.response();
  connection.close();
  return response;
}
