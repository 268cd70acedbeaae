/** A TCP proxy that can cut, silence or slow a connection, or lose a response. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WriteCuts, writing } from './write-cuts.ts';

/** Where the next connection goes: the path of a Unix socket, or a port of this machine. */
export type Target = () => string | number;

// PostgreSQL's message after a statement; the last byte of the whole message says whether a transaction is open.
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5]);
const noTransaction = 0x49;
const committed = Buffer.from('COMMIT\0');

/** Whether a transaction is open after the last statement of a packet; null: a statement has not ended. */
function opensTransaction(chunk: Buffer): boolean | null {
  const ended = chunk.subarray(-readyForQuery.length - 1, -1).equals(readyForQuery);
  return ended ? chunk.at(-1) !== noTransaction : null;
}

interface Loss {
  text: string;
  lost: () => void;
}

// A statement that is prepared: its name, and its text as long as it is in the same packet.
const preparing = /P[^]{4}([a-z][a-z0-9_-]*)\0(\s*(?:WITH|INSERT|UPDATE|DELETE)\b[^\0]*)/g;
// A statement that is executed: its name.
const binding = /B[^]{4}\0([a-z][a-z0-9_-]*)\0/g;

/** A connection through the proxy: both its ends. */
class Pair {
  readonly near: Socket;
  readonly far: Socket;
  /** Drops all packets silently. */
  forgotten = false;
  /** Called when the response to lose has arrived; null: none is to be lost. */
  losing: (() => void) | null = null;
  isInTransaction = false;

  constructor(near: Socket, far: Socket) {
    this.near = near;
    this.far = far;
  }

  destroy(): void {
    this.near.destroy();
    this.far.destroy();
  }
}

/** A proxy on loopback. */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  readonly #target: Target;
  #open: Promise<void> = Promise.resolve();
  #letGo: () => void = () => undefined;
  #refusing = false;
  #loss: Loss | null = null;
  /** The delay of every packet. */
  delayMs = 0;
  readonly #writes = new Set<string>();
  /** Cuts statements that write. Null: none. */
  cuts: WriteCuts | null = null;

  private constructor(target: Target) {
    this.#target = target;
    this.#server = createServer((near) => this.#accept(near));
  }

  static async open(target: Target): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  #accept(near: Socket): void {
    if (this.#refusing) {
      near.on('error', () => undefined).destroy();
      return;
    }
    const target = this.#target();
    const far =
      typeof target === 'string' ? connect({ path: target }) : connect(target, '127.0.0.1');
    const pair = new Pair(near, far);
    this.#pairs.add(pair);
    near.setNoDelay(true);
    this.#pump(pair, near, pair.far, (chunk) => this.#watch(pair, chunk));
    this.#pump(pair, pair.far, near, (chunk) => this.#swallow(pair, chunk));
  }

  #watch(pair: Pair, chunk: Buffer): boolean {
    const text = chunk.toString('latin1');
    for (const [, name, whole] of text.matchAll(preparing)) {
      if (writing.test(whole!)) this.#writes.add(name!);
    }
    if (this.#loss && chunk.includes(this.#loss.text)) {
      pair.losing = this.#loss.lost;
      this.#loss = null;
      return true;
    }
    return this.cuts === null || pair.losing !== null || this.#passes(pair, text, this.cuts);
  }

  #passes(pair: Pair, text: string, cuts: WriteCuts): boolean {
    const names = text.matchAll(binding).map(([, name]) => name!);
    const name = names.find((one) => this.#writes.has(one));
    const position = name === undefined ? null : cuts.choose(name);
    if (position === null) return true;
    if (position === 'after') {
      pair.losing = () => cuts.note(name!, position);
      return true;
    }
    cuts.note(name!, position);
    pair.destroy();
    return false;
  }

  #swallow(pair: Pair, chunk: Buffer): boolean {
    const wasInTransaction = pair.isInTransaction;
    const isInTransaction = opensTransaction(chunk);
    if (isInTransaction !== null) pair.isInTransaction = isInTransaction;
    if (!pair.losing) return true;
    // The results of a transaction come back up to its commit.
    if (isInTransaction !== false) return wasInTransaction;
    if (wasInTransaction && !chunk.includes(committed)) {
      pair.losing = null;
      return true;
    }
    pair.losing();
    pair.destroy();
    return false;
  }

  /** Forwards packets in order, if the network allows it. */
  #pump(pair: Pair, from: Socket, to: Socket, passes: (chunk: Buffer) => boolean): void {
    let tail = Promise.resolve();
    const after = async (before: Promise<void>, work: () => void): Promise<void> => {
      await before;
      if (this.delayMs > 0) await sleep(this.delayMs);
      await this.#open;
      if (!pair.forgotten) work();
    };
    const then = (work: () => void): void => {
      tail = after(tail, work);
    };
    from.on('data', (chunk: Buffer) => {
      if (pair.forgotten || !passes(chunk)) return;
      then(() => to.write(chunk));
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      then(() => to.destroy());
      if (pair.near.destroyed) this.#pairs.delete(pair);
    });
  }

  /** Resets every connection. */
  cut(): void {
    for (const pair of this.#pairs) pair.destroy();
  }

  /** Cuts all connections and refuses new ones until `restore`. */
  refuse(): void {
    this.#refusing = true;
    this.cut();
  }

  /** Holds all packets until `restore`. */
  hold(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#open = promise;
    this.#letGo = resolve;
  }

  /** Drops all packets silently, and existing connections never work again. */
  forget(): void {
    this.hold();
    for (const pair of this.#pairs) pair.forgotten = true;
  }

  /** Restores the network. */
  restore(): void {
    this.#refusing = false;
    this.delayMs = 0;
    this.#letGo();
    this.#open = Promise.resolve();
  }

  /** Forwards the next statement that contains this text and loses its response. */
  loseResponseTo(text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loss = { text, lost: resolve };
    return promise;
  }

  async close(): Promise<void> {
    this.restore();
    for (const pair of this.#pairs) pair.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
