/** Which connections of the server stay open when there are many. */

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The limits of open connections. */
export interface ConnectionLimits {
  /** Of all addresses together. */
  most: number;
  /** Of one network: an IPv4 address, or 64 bits of an IPv6 address. */
  mostOfNetwork: number;
  /** The network of an address; null: it has no limit of its own, as this machine and the proxy. */
  networkOf(address: string): string | null;
}

interface Open {
  socket: Socket;
  network: string | null;
  /** Calls that have no response yet. */
  calls: number;
}

const nameOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`;

/**
 * Closes connections above the limits: of the network that has too many the new one, of all the one that has been
 * idle for longest, from wherever it comes. A new connection is closed only if no other is idle. `onClosed` is told
 * of each.
 */
export function limitConnections(
  server: Server,
  { most, mostOfNetwork, networkOf }: ConnectionLimits,
  onClosed: (reason: 'network' | 'idle' | 'full') => void,
): void {
  // With TLS, a call names another socket than its connection, with the same address and port.
  const open = new Map<string, Open>();
  /** The idle ones, the longest idle first. */
  const idle = new Set<string>();
  const ofNetworks = new Map<string, number>();

  function closeIdlest(): boolean {
    const [name] = idle;
    if (name === undefined) return false;
    idle.delete(name);
    open.get(name)?.socket.destroy();
    onClosed('idle');
    return true;
  }

  function forget(name: string, connection: Open): void {
    // Another one may have the same port already.
    if (open.get(name) === connection) {
      open.delete(name);
      idle.delete(name);
    }
    const { network } = connection;
    if (network === null) return;
    const left = (ofNetworks.get(network) ?? 1) - 1;
    if (left === 0) ofNetworks.delete(network);
    else ofNetworks.set(network, left);
  }

  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    // It has been closed since it was accepted.
    if (remoteAddress === undefined) return;
    const network = networkOf(remoteAddress);
    const ofNetwork = network === null ? 0 : (ofNetworks.get(network) ?? 0);
    if (ofNetwork >= mostOfNetwork) {
      socket.destroy();
      onClosed('network');
      return;
    }
    if (open.size >= most && !closeIdlest()) {
      socket.destroy();
      onClosed('full');
      return;
    }
    const name = nameOf(socket);
    const connection: Open = { socket, network, calls: 0 };
    open.set(name, connection);
    if (network !== null) ofNetworks.set(network, ofNetwork + 1);
    // Until its first call has arrived, it is idle too.
    idle.add(name);
    socket.once('close', () => forget(name, connection));
  });

  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const name = nameOf(socket);
    const connection = open.get(name);
    if (!connection) return;
    connection.calls += 1;
    idle.delete(name);
    response.once('close', () => {
      connection.calls -= 1;
      if (connection.calls === 0 && open.get(name) === connection) idle.add(name);
    });
  });
}
