/** A tenth of the homes changes at once, while a process searches all. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchSystem, startBenchSystem } from '../bench-system.ts';
import { costOf } from '../../test/harness/cost.ts';
import { RawConnection, requestBytes } from '../http-client.ts';
import type { Measure, Round } from '../measure.ts';
import { importHomes } from '../nights.ts';
import { residentMiB } from '../processes.ts';
import { searchRequest } from '../search-request.ts';
import { inventory } from './nights-index.ts';

const pauseMs = 20;
const changedName = 'After the change';
// Deeper members of this name are of rates and fees, less deep ones of the catalog.
const nameOfHome = /^( {6}"name": )"[^"]*"/gm;

/** Searches one at a time until it is stopped: the longest, and how many were refused. */
class Searching {
  readonly #port: number;
  readonly #request: string;
  #isOver = false;
  #ended: Promise<void>;
  longestMs = 0;
  answered = 0;
  refused = 0;

  constructor(port: number, token: string) {
    this.#port = port;
    this.#request = searchRequest(token);
    this.#ended = this.#search();
  }

  async #search(): Promise<void> {
    const connection = await RawConnection.open(this.#port);
    while (!this.#isOver) {
      const began = performance.now();
      const { status } = await connection.send(this.#request);
      this.longestMs = Math.max(this.longestMs, performance.now() - began);
      if (status === 200) this.answered += 1;
      else this.refused += 1;
      await sleep(pauseMs);
    }
    connection.close();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }
}

async function untilChanged(system: BenchSystem, listingId: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const request = requestBytes('GET', `/v1/listings/${listingId}`, headers);
  const connection = await RawConnection.open(system.service.port);
  for (;;) {
    const { status, body } = await connection.send(request);
    if (status === 200 && body.toString().includes(changedName)) break;
    await sleep(100);
  }
  connection.close();
}

async function lastOf(system: BenchSystem, homes: number): Promise<string> {
  const [last] = await system.database.query<{ id: string }>(
    {
      name: 'bench-last-changed',
      text: `SELECT listing_id AS id FROM catalog_listings ORDER BY position, listing_id OFFSET $1 LIMIT 1`,
    },
    [homes - 1],
  );
  return last!.id;
}

async function changeHomes(system: BenchSystem): Promise<Round> {
  const homes = Math.ceil(inventory.homes / 10);
  const { database, dataDir, service } = system;
  await importHomes(database, dataDir, inventory.homes);
  const { token } = await system.partner();
  const last = await lastOf(system, homes);
  const connection = await RawConnection.open(service.port);
  while ((await connection.send(searchRequest(token))).status !== 200) await sleep(1_000);
  connection.close();
  const searching = new Searching(service.port, token);
  const before = await costOf(service.pid);
  const began = performance.now();
  await importHomes(database, dataDir, homes, (text) =>
    text.replaceAll(nameOfHome, `$1"${changedName}"`),
  );
  const imported = performance.now();
  await untilChanged(system, last, token);
  const known = performance.now();
  await searching.stop();
  const { longestMs, answered, refused } = searching;
  const { cpuSeconds } = await costOf(service.pid);
  const cpu = cpuSeconds - before.cpuSeconds;
  const mib = await residentMiB(service.pid);
  process.stderr.write(
    `${homes} of ${inventory.homes} homes changed: ${refused} of ${answered + refused} searches refused, ` +
      `the longest ${longestMs.toFixed(0)} ms; ${cpu.toFixed(1)} s of CPU time, ${mib.toFixed(0)} MiB\n`,
  );
  return { floor: imported - began, figure: known - imported };
}

/** From the commit of the change until the process has it; the floor is the import of the change. */
export const measureLargeChange: Measure['run'] = async (_rounds, onRound) => {
  const system = await startBenchSystem({
    LATCHKEY_ENVIRONMENT: 'test',
    NODE_OPTIONS: '--max-old-space-size=12000',
  });
  try {
    onRound(await changeHomes(system));
  } finally {
    await system.close();
  }
};
