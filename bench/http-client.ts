import { connect, type Socket } from 'node:net';

/** A response with its raw body. */
export interface RawResponse {
  status: number;
  body: Buffer;
}

interface PendingRequest {
  resolve(response: RawResponse): void;
  reject(error: Error): void;
}

const headEnd = Buffer.from('\r\n\r\n');
const contentLength = /content-length: (\d+)/i;

/**
 * One keep-alive connection with minimal work per request, because the load generator shares the cores
 * with the measured service. Supports only responses with a content-length.
 */
export class RawConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #pending: PendingRequest | null = null;

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

  /** Sends the bytes of a request and waits for its response. */
  send(request: Buffer | string): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#socket.write(request);
    });
  }

  close(): void {
    this.#pending = null;
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
    const pending = this.#pending;
    this.#pending = null;
    pending?.resolve({ status: Number(head.slice(9, 12)), body });
  }

  #fail(error: Error): void {
    this.#pending?.reject(error);
    this.#pending = null;
  }
}

/** Builds the bytes of a request. */
export function requestBytes(
  method: string,
  path: string,
  headers: Record<string, string>,
  /** A text is sent as it is. */
  body?: object | string,
): string {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
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
