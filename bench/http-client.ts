import { connect, type Socket } from 'node:net';

/** An answer, its body as it came. */
export interface RawReply {
  status: number;
  body: Buffer;
}

interface Waiting {
  resolve(reply: RawReply): void;
  reject(error: Error): void;
}

const headEnd = Buffer.from('\r\n\r\n');
const contentLength = /content-length: (\d+)/i;

/**
 * One keep-alive connection that does no more than it must: the load generator shares the cores with
 * what it measures. Only for answers with a content-length.
 */
export class RawConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: Waiting | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection was closed')));
  }

  static open(port: number): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => resolve(new RawConnection(socket)));
      socket.once('error', reject);
    });
  }

  /** Sends a request as it is and waits for its answer. */
  send(request: Buffer | string): Promise<RawReply> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#waiting = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const end = this.#received.indexOf(headEnd);
    if (end === -1) return;
    const head = this.#received.toString('latin1', 0, end);
    const bodyStart = end + headEnd.length;
    const bodyEnd = bodyStart + Number(contentLength.exec(head)?.[1] ?? 0);
    if (this.#received.length < bodyEnd) return;
    const body = this.#received.subarray(bodyStart, bodyEnd);
    this.#received = this.#received.subarray(bodyEnd);
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.resolve({ status: Number(head.slice(9, 12)), body });
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = null;
  }
}

/** The bytes of a request. */
export function requestBytes(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = {
    host: 'localhost',
    ...headers,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}
