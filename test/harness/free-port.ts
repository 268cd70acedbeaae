/** Ports for the servers of tests that choose none themselves. */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { claim } from './claim.ts';
import { runFolder } from './run-folder.ts';

// Below the ports that the system chooses for connections and for port 0. It may choose one of those before the
// server listens, and a test would then call another test's server.
const ports = { first: 20_000, end: 32_000 };

async function hasNoListener(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port), 'listening');
  } catch {
    return false;
  }
  probe.close();
  await once(probe, 'close');
  return true;
}

/** A port without a listener, which no other test of this run gets. */
export async function freePort(): Promise<number> {
  const claimed = path.join(runFolder(), 'ports');
  mkdirSync(claimed, { recursive: true });
  for (;;) {
    const port = randomInt(ports.first, ports.end);
    if (claim(claimed, String(port)) && (await hasNoListener(port))) return port;
  }
}
