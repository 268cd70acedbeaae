/** A TCP proxy that can cut, silence or slow a connection, or lose a response. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where the next connection goes: the path of a Unix socket, or a port of this machine. */
export type Target = () => string | number;

// PostgreSQL's message after a statement whose transaction is committed.
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

interface Loss {
  text: string;
  /** Before: the statement does not reach PostgreSQL. After: its result does not come back. */
  when: 'before' | 'after';
  lost: () => void;
}

// A statement that is prepared: its name, and its text as long as it is in the same packet.
const preparing = /([a-z][a-z0-9-]*)\0((?:WITH|INSERT|UPDATE|DELETE)\b[^\0]*)/g;
const writing = /\b(?:INSERT INTO|UPDATE [a-z_]+ |DELETE FROM)/;

/** A connection through the proxy: both its ends. */
class Pair {
  readonly near: Socket;
  readonly far: Socket;
  /** Drops all packets silently. */
  forgotten = false;
  /** Called when the response to lose has arrived; null: none is to be lost. */
  losing: (() => void) | null = null;

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
  /** The names of all statements that write, as far as they were seen. */
  readonly writes = new Set<string>();

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
    for (const [, name, text] of chunk.toString('latin1').matchAll(preparing)) {
      if (writing.test(text!)) this.writes.add(name!);
    }
    const loss = this.#loss;
    if (!loss || !chunk.includes(loss.text)) return true;
    this.#loss = null;
    if (loss.when === 'after') {
      pair.losing = loss.lost;
      return true;
    }
    pair.destroy();
    loss.lost();
    return false;
  }

  #swallow(pair: Pair, chunk: Buffer): boolean {
    if (!pair.losing) return true;
    if (chunk.subarray(-readyForQuery.length).equals(readyForQuery)) {
      pair.losing();
      pair.destroy();
    }
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
    this.#loss = { text, when: 'after', lost: resolve };
    return promise;
  }

  /** Cuts the connection when the next statement that contains this text comes, and forwards nothing of it. */
  cutBefore(text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#loss = { text, when: 'before', lost: resolve };
    return promise;
  }

  /** Waits for no statement any more. */
  loseNothing(): void {
    this.#loss = null;
  }

  async close(): Promise<void> {
    this.restore();
    for (const pair of this.#pairs) pair.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
