import { createRequire } from 'node:module';
import type * as Undici from 'undici';
import type { Dispatcher, Pool } from 'undici';
import type { Dial } from './dial.ts';
import { hostOf } from './host.ts';

/** Pooled connections, each to one address. */
export interface Connections {
  /** Whether there are connections to this address for this origin. */
  has(url: URL, address: string): boolean;
  /** Returns a dispatcher that connects only to this address. */
  to(url: URL, address: string): Dispatcher;
  /** Removes closed connections. */
  tidy(): void;
  /** Closes all connections, also those in use. */
  destroy(): Promise<void>;
}

// Most servers close an idle connection after five seconds; closing first avoids the race.
const silentMs = 4_000;
const headerBytes = 16_384;

const portOf = ({ port, protocol }: URL): number =>
  Number(port || (protocol === 'https:' ? 443 : 80));

function tlsNameOf(url: URL): string | null {
  if (url.protocol !== 'https:') return null;
  const host = hostOf(url);
  return host.includes(':') || /^[\d.]+$/.test(host) ? '' : host;
}

// Loaded with the first connection: loading it is a sixth of the start of a process.
const load = createRequire(import.meta.url);

function openPool(url: URL, address: string, dial: Dial): Pool {
  const undici = load('undici') as typeof Undici;
  const target = { address, port: portOf(url), tlsName: tlsNameOf(url) };
  return new undici.Pool(url.origin, {
    connect: (_options, done) => dial(target, done),
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: silentMs,
    maxHeaderSize: headerBytes,
    // No timeouts here: the sender enforces one timeout for the whole attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Creates an empty pool. Connections are opened on first use. */
export function createConnections(dial: Dial): Connections {
  const pools = new Map<string, Pool>();
  const nameOf = (url: URL, address: string): string => `${url.origin} ${address}`;
  return {
    has: (url, address) => pools.has(nameOf(url, address)),
    to(url, address) {
      const name = nameOf(url, address);
      const known = pools.get(name);
      if (known) return known;
      const pool = openPool(url, address, dial);
      pools.set(name, pool);
      return pool;
    },
    tidy() {
      for (const [name, pool] of pools) {
        const { connected, pending, running } = pool.stats;
        if (connected + pending + running > 0) continue;
        pools.delete(name);
        void pool.close();
      }
    },
    async destroy() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
