import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';

/** An answer as it stood on the connection. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

const headEnd = '\r\n\r\n';

/** Takes the first whole answer from the bytes; null: it is not whole yet. */
function firstAnswer(bytes: Buffer, bodyless: boolean): { answer: RawAnswer; rest: Buffer } | null {
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
  const text = bytes.subarray(start, start + length).toString('utf8');
  return {
    answer: { status: Number(status), headers, text },
    rest: bytes.subarray(start + length),
  };
}

/** One TCP connection, on which bytes go out as they are. */
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

  /** Whether the other side has said that nothing more comes. */
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

  /** The next answer; null: the connection ended without one. `bodyless`: it is one to HEAD. */
  async answer({ bodyless = false, withinMs = 5_000 } = {}): Promise<RawAnswer | null> {
    let next = firstAnswer(this.#received, bodyless);
    const arrived = (): boolean => {
      next = firstAnswer(this.#received, bodyless);
      return next !== null || this.#ended;
    };
    await this.#until(arrived, withinMs);
    if (!next) return null;
    this.#received = next.rest;
    return next.answer;
  }

  /** Waits until the other side has ended the connection; nothing may come before that. */
  async end(withinMs = 5_000): Promise<void> {
    await this.#until(() => this.#ended, withinMs);
    assert.equal(this.#received.toString(), '', 'more was answered');
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

/** That an answer is an error in the envelope, and its request ID that of its header. */
export function assertEnvelope(answer: RawAnswer | null, status: number, code: string): void {
  assert.ok(answer, 'there is no answer');
  assert.equal(answer.status, status, answer.text);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  const { error } = JSON.parse(answer.text) as { error: { code: string; requestId: string } };
  assert.equal(error.code, code);
  assert.match(error.requestId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.equal(error.requestId, answer.headers.get('x-request-id'));
}

/** Sends lines on a connection of their own; the first answer, or null. */
export async function answerTo(
  origin: string,
  lines: readonly string[],
): Promise<RawAnswer | null> {
  const connection = await RawConnection.open(origin);
  connection.write(lines.join('\r\n'));
  const answer = await connection.answer();
  connection.close();
  return answer;
}
