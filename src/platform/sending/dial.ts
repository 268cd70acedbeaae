import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** The target of a socket: an address, never a name. */
export interface DialTarget {
  address: string;
  port: number;
  /** Null: no TLS. Otherwise the name that the certificate must be valid for. Empty: the address itself. */
  tlsName: string | null;
}

/** Opens a socket. Fails with a `DialError`. */
export type Dial = (
  target: DialTarget,
  done: (...outcome: [DialError, null] | [null, Socket]) => void,
) => void;

/** The socket could not be opened. */
export class DialError extends Error {
  readonly reason: 'connection' | 'tls' | 'timeout';
  constructor(reason: DialError['reason'], cause?: unknown) {
    super(`no connection: ${reason}`, { cause });
    this.reason = reason;
  }
}

const dialMs = 10_000;

function open({ address, port, tlsName }: DialTarget, trusted: string | undefined): Socket {
  const target = { host: address, port, noDelay: true, keepAlive: true };
  if (tlsName === null) return connectPlain(target);
  return connectTls({
    ...target,
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(tlsName !== '' && { servername: tlsName }),
    ...(trusted !== undefined && { ca: trusted }),
  });
}

/** @param trusted CA certificates to use instead of Node's */
export const createDial =
  (trusted?: string): Dial =>
  (target, done) => {
    const socket = open(target, trusted);
    // An error event without a listener would end the process.
    socket.on('error', () => undefined);
    let reached = false;
    const timer = setTimeout(() => fail(new DialError('timeout')), dialMs);
    function fail(error: DialError): void {
      clearTimeout(timer);
      socket.off('error', onError).destroy();
      done(error, null);
    }
    function onError(error: Error): void {
      fail(new DialError(reached ? 'tls' : 'connection', error));
    }
    socket
      .once('connect', () => (reached = true))
      .once('error', onError)
      .once(target.tlsName === null ? 'connect' : 'secureConnect', () => {
        clearTimeout(timer);
        socket.off('error', onError);
        done(null, socket);
      });
  };
