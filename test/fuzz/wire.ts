/** Sends bytes to the service as they are, and reads what comes back. */
import { setImmediate as turn } from 'node:timers/promises';
import { RawConnection, type RawAnswer } from '../harness/raw-http.ts';
import type { WireFault } from './wire-faults.ts';

const answerWithinMs = 10_000;

/** The next answer that is one; `null`: the connection ended. */
export async function finalAnswer(
  connection: RawConnection,
  isBodyless: boolean,
  withinMs = answerWithinMs,
): Promise<RawAnswer | null> {
  for (;;) {
    const answer = await connection.answer({ bodyless: isBodyless, withinMs });
    if (answer === null || answer.status >= 200) return answer;
  }
}

/** A connection that is used for as long as it stays, and opened again when it does not. */
export class SteadyConnection {
  readonly #origin: string;
  #connection: RawConnection | null = null;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The answer to one whole request. */
  async answer(request: Buffer, isBodyless: boolean): Promise<RawAnswer | null> {
    if (this.#connection === null || this.#connection.ended) {
      this.#connection?.close();
      this.#connection = await RawConnection.open(this.#origin);
    }
    this.#connection.write(request);
    const answer = await finalAnswer(this.#connection, isBodyless);
    if (answer === null || answer.headers.get('connection') === 'close') this.close();
    return answer;
  }

  close(): void {
    this.#connection?.close();
    this.#connection = null;
  }
}

/** Sends a faulty request on a connection of its own; all answers until it ends, or the first. */
export async function sendFaulty(origin: string, fault: WireFault): Promise<RawAnswer[]> {
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
    return await answersOn(connection, fault.ending === 'half-close');
  } finally {
    connection.close();
  }
}

async function answersOn(connection: RawConnection, untilEnd: boolean): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = [];
  for (;;) {
    const answer = await finalAnswer(connection, false);
    if (answer === null) return answers;
    answers.push(answer);
    if (!untilEnd) return answers;
  }
}
