/** Two processes that search while a third one imports four times as many homes as they know. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBenchSystem } from '../bench-system.ts';
import { RawConnection, requestBytes } from '../http-client.ts';
import type { Measure, Round } from '../measure.ts';
import { importHomes } from '../nights.ts';
import type { ServerProcess } from '../processes.ts';
import { searchRequest } from '../search-request.ts';
import { startBeside } from './fleet.ts';
import { copyHomes, inventory } from './nights-index.ts';

const ownHomes = { LATCHKEY_ENVIRONMENT: 'test' };
const monitor = path.join(import.meta.dirname, '../loop-delay.ts');
const aloneMs = 5_000;

/** A service that is searched, one call at a time. */
class Searched {
  readonly service: ServerProcess;
  readonly #delayFile: string;
  readonly #request: string;
  #times: number[] = [];
  #isOver = false;

  constructor(service: ServerProcess, delayFile: string, request: string) {
    this.service = service;
    this.#delayFile = delayFile;
    this.#request = request;
  }

  async search(): Promise<void> {
    const connection = await RawConnection.open(this.service.port);
    while (!this.#isOver) {
      const begin = performance.now();
      const { status, body } = await connection.send(this.#request);
      if (status !== 200) throw new Error(`the response is ${status}: ${body.toString()}`);
      this.#times.push(performance.now() - begin);
      await sleep(5);
    }
    connection.close();
  }

  end(): void {
    this.#isOver = true;
  }

  /** The time that 99 of 100 searches since the last call do not exceed, and the longest delay of the event loop. */
  async sinceLast(): Promise<{ p99Ms: number; delayMs: number }> {
    await rm(this.#delayFile, { force: true });
    process.kill(this.service.pid, 'SIGUSR2');
    const read = () => readFile(this.#delayFile, 'utf8').catch(() => null);
    let delay = await read();
    for (; delay === null; delay = await read()) await sleep(10);
    const times = this.#times.toSorted((a, b) => a - b);
    this.#times = [];
    return { p99Ms: times[Math.floor(times.length * 0.99)]!, delayMs: Number(delay) };
  }

  /** Waits until the service knows a home. */
  async knows(listingId: string, token: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    const request = requestBytes('GET', `/v1/listings/${listingId}`, headers);
    const connection = await RawConnection.open(this.service.port);
    while ((await connection.send(request)).status !== 200) await sleep(10);
    connection.close();
  }
}

/** The figures of one import, each with its floor. */
interface Outcome {
  /** From the commit until both search all homes; the floor copies the same rows. */
  knownMs: Round;
  delayMs: Round;
  p99Ms: Round;
}

async function importBesideSearches(folder: string): Promise<Outcome> {
  const files = [path.join(folder, 'one'), path.join(folder, 'other')] as const;
  const monitored = (file: string) => ({
    ...ownHomes,
    NODE_OPTIONS: `--import=${monitor}`,
    LOOP_DELAY_FILE: file,
  });
  const system = await startBenchSystem(monitored(files[0]));
  const { database, dataDir } = system;
  try {
    await importHomes(database, dataDir, Math.ceil(inventory.homes / 5));
    const { token } = await system.partner();
    const other = await startBeside(system, monitored(files[1]));
    try {
      const searched = [system.service, other].map(
        (service, at) => new Searched(service, files[at]!, searchRequest(token)),
      );
      const searching = Promise.all(searched.map((one) => one.search()));
      const figures = async () => {
        const all = await Promise.all(searched.map((one) => one.sinceLast()));
        return {
          p99Ms: Math.max(...all.map(({ p99Ms }) => p99Ms)),
          delayMs: Math.max(...all.map(({ delayMs }) => delayMs)),
        };
      };
      await figures();
      await sleep(aloneMs);
      const alone = await figures();
      await importHomes(database, dataDir, inventory.homes);
      const begin = performance.now();
      await figures();
      const [last] = await database.query<{ id: string }>({
        name: 'bench-last-home',
        text: `SELECT listing_id AS id FROM catalog_listings ORDER BY position DESC, listing_id DESC LIMIT 1`,
      });
      await Promise.all(searched.map((one) => one.knows(last!.id, token)));
      const knownMs = performance.now() - begin;
      const following = await figures();
      for (const one of searched) one.end();
      await searching;
      const client = await database.connect();
      const copyBegin = performance.now();
      await copyHomes(client);
      const copyMs = performance.now() - copyBegin;
      await client.end();
      return {
        knownMs: { floor: copyMs, figure: knownMs },
        delayMs: { floor: alone.delayMs, figure: following.delayMs },
        p99Ms: { floor: alone.p99Ms, figure: following.p99Ms },
      };
    } finally {
      await other.close();
    }
  } finally {
    await system.close();
  }
}

let imported: Promise<Outcome> | undefined;

async function outcomeOfImport(): Promise<Outcome> {
  const folder = await mkdtemp(path.join(tmpdir(), 'latchkey-bench-'));
  try {
    return await importBesideSearches(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One figure of the import, which runs once. */
export const measureFollowedImport =
  (figure: keyof Outcome): Measure['run'] =>
  async (_rounds, onRound) =>
    onRound((await (imported ??= outcomeOfImport()))[figure]);
