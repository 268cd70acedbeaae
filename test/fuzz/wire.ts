/** Sends raw bytes to the service and reads the responses. */
import { setImmediate as turn } from 'node:timers/promises';
import { RawConnection, type RawResponse } from '../harness/raw-http.ts';
import type { WireFault } from './wire-faults.ts';

const responseTimeoutMs = 10_000;

/** The next final response; `null`: the connection ended. */
export async function finalResponse(
  connection: RawConnection,
  isBodyless: boolean,
  withinMs = responseTimeoutMs,
): Promise<RawResponse | null> {
  for (;;) {
    const response = await connection.response({ bodyless: isBodyless, withinMs });
    if (response === null || response.status >= 200) return response;
  }
}

/** A connection that is reused, and opened again when it ends. */
export class SteadyConnection {
  readonly #origin: string;
  #connection: RawConnection | null = null;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The response to one complete request. */
  async response(request: Buffer, isBodyless: boolean): Promise<RawResponse | null> {
    if (this.#connection === null || this.#connection.ended) {
      this.#connection?.close();
      this.#connection = await RawConnection.open(this.#origin);
    }
    this.#connection.write(request);
    const response = await finalResponse(this.#connection, isBodyless);
    if (response === null || response.headers.get('connection') === 'close') this.close();
    return response;
  }

  close(): void {
    this.#connection?.close();
    this.#connection = null;
  }
}

/** Sends a faulty request on its own connection. Returns all responses until it ends, or the first. */
export async function sendFaulty(origin: string, fault: WireFault): Promise<RawResponse[]> {
  const connection = await RawConnection.open(origin);
  try {
    for (const part of fault.parts) {
      connection.write(part);
      await turn();
    }
    if (fault.ending === 'reset') {
      connection.socket.resetAndDestroy();
      return [];
    }
    if (fault.ending === 'half-close') connection.socket.end();
    return await responsesOn(connection, fault.ending === 'half-close');
  } finally {
    connection.close();
  }
}

async function responsesOn(connection: RawConnection, untilEnd: boolean): Promise<RawResponse[]> {
  const responses: RawResponse[] = [];
  for (;;) {
    const response = await finalResponse(connection, false);
    if (response === null) return responses;
    responses.push(response);
    if (!untilEnd) return responses;
  }
}
