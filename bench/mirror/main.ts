/** Copies homes and calendars as a partner does, follows changes, and prints calls, times and what they cost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setQuotas } from '../../src/access/staff/change-application.ts';
import { defaultQuotas, type Tier } from '../../src/contract/limits.ts';
import { type OperationId, rowOf } from '../../src/contract/partner/operations.ts';
import { startBenchSystem } from '../bench-system.ts';
import { costOf } from '../../test/harness/cost.ts';
import { importInventory } from '../inventory.ts';
import { startFloor } from '../processes.ts';
import { type DateRange, Mirror, type MirrorCalls } from './mirror.ts';

const usage = `npm run mirror -- [--homes N] [--at-quotas copy|follow]

--at-quotas: with the default quotas from the copy on, or only while changes are followed.`;
const { values } = parseArgs({
  options: { homes: { type: 'string', default: '1000' }, 'at-quotas': { type: 'string' } },
});
const { homes: homesText, 'at-quotas': atQuotas } = values;
const homes = Number(homesText);
const isKnown = atQuotas === undefined || atQuotas === 'copy' || atQuotas === 'follow';
if (!Number.isInteger(homes) || homes < 1 || !isKnown) throw new Error(usage);

const dayMs = 86_400_000;
const dateAhead = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

// 365 days, in ranges of at most 93.
const ranges = [0, 93, 186, 279].map((first): DateRange => [
  dateAhead(first),
  dateAhead(Math.min(first + 92, 364)),
]);

const system = await startBenchSystem({ LATCHKEY_ENVIRONMENT: 'test' });
const counted = { calls: new Map<Tier, number>(), bytes: 0, waits: 0 };

/** Makes a call and counts it; waits while its quota is used up. Null: 404. */
async function call(
  token: string,
  id: OperationId,
  path: string,
  body?: object,
): Promise<{ body: never; asOf: number } | null> {
  const { method, tier } = rowOf(id);
  counted.calls.set(tier, (counted.calls.get(tier) ?? 0) + 1);
  const ask = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${system.service.port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  let response = await ask();
  while (response.status === 429) {
    counted.waits += 1;
    await response.arrayBuffer();
    await sleep(Number(response.headers.get('retry-after')) * 1_000);
    response = await ask();
  }
  const text = await response.text();
  counted.bytes += text.length;
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${id}: ${response.status} ${text}`);
  return {
    body: JSON.parse(text) as never,
    asOf: Date.parse(response.headers.get('x-as-of') ?? ''),
  };
}

const pathWith = (path: string, query: Record<string, string | number | null | undefined>) => {
  const stated = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  return `${path}?${new URLSearchParams(stated.map(([name, value]) => [name, String(value)]))}`;
};

const callsOf = (token: string): MirrorCalls => ({
  changes: async (query) =>
    (await call(token, 'inventory.change.list', pathWith('/v1/inventory-changes', query)))!.body,
  async homes(cursor) {
    const path = pathWith('/v1/listings', { limit: 50, cursor });
    const { body, asOf } = (await call(token, 'distribution.listing.list', path))!;
    return { ...(body as object), asOf } as never;
  },
  async home(listingId) {
    const found = await call(token, 'distribution.listing.get', `/v1/listings/${listingId}`);
    return found && { home: found.body, asOf: found.asOf };
  },
  async calendars(asked) {
    const { body } = (await call(token, 'inventory.calendar.list', '/v1/calendars', asked))!;
    const { items, missing, meta } = body as {
      items: never[];
      missing: string[];
      meta: { asOf: string };
    };
    return { items, missing, asOf: Date.parse(meta.asOf) };
  },
});

/** The seconds that as many replies of the same bytes take from node:http, one after the other. */
async function floorSeconds(calls: number, bytes: number): Promise<number> {
  const floor = await startFloor({ kind: 'bytes', bytes: 'x'.repeat(Math.round(bytes / calls)) });
  const began = performance.now();
  for (let made = 0; made < calls; made += 1) {
    await (await fetch(`http://127.0.0.1:${floor.port}/`)).text();
  }
  const seconds = (performance.now() - began) / 1_000;
  await floor.stop();
  return seconds;
}

/** Runs a part, and prints its calls, its time here and of its floor, its cost, and its time at the default quotas. */
async function part(name: string, work: () => Promise<unknown>): Promise<void> {
  counted.calls.clear();
  Object.assign(counted, { bytes: 0, waits: 0 });
  const before = await costOf(system.service.pid);
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  const cpu = (await costOf(system.service.pid)).cpuSeconds - before.cpuSeconds;
  const calls = [...counted.calls].map(([tier, count]) => `${count} ${tier}`).join(', ');
  // A bucket is full at the beginning and refills evenly.
  const waits = [...counted.calls].map(
    ([tier, count]) => Math.max(0, count / defaultQuotas[tier] - 1) * 60,
  );
  const atQuota = Math.max(seconds, ...waits);
  const made = [...counted.calls.values()].reduce((sum, count) => sum + count, 0);
  const floor = await floorSeconds(made, counted.bytes);
  const took =
    counted.waits > 0
      ? `${seconds.toFixed(1)} s with ${counted.waits} waits for a quota`
      : `${seconds.toFixed(1)} s, floor ${floor.toFixed(1)} s (${(floor / seconds).toFixed(2)}); at least ${atQuota.toFixed(0)} s at the default quotas`;
  console.log(
    `${name}: ${calls}; ${(counted.bytes / 1e6).toFixed(1)} MB; ${took}; ${cpu.toFixed(1)} s of CPU time of the service`,
  );
}

/** Waits until everything that was done is told. */
async function told(): Promise<void> {
  for (let look = 0; look < 1_200; look += 1) {
    const [row] = await system.database.query<{ done: boolean }>({
      name: 'mirror-told',
      text: `SELECT run = told_run AND NOT EXISTS (SELECT FROM pending_changes) AS done FROM change_feed`,
    });
    if (row!.done) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the changes are not told');
}

try {
  await importInventory(system.database, system.dataDir, homes);
  const { applicationId, token } = await system.partner();
  const limit = () => setQuotas(system.database, 'bench', applicationId, defaultQuotas);
  await told();
  if (atQuotas === 'copy') await limit();
  const mirror = new Mirror(callsOf(token), ranges);
  await part(`copy ${homes} homes × 365 days`, () => mirror.start());
  await system.database.query({
    name: 'mirror-block-a-night',
    text: `INSERT INTO occupancies (listing_id, nights, kind, source)
      SELECT listing_id, daterange(current_date + 20, current_date + 23), 'block', 'staff' FROM listings`,
  });
  const began = performance.now();
  await told();
  console.log(
    `${homes} homes changed by one statement: told after ${Math.round(performance.now() - began)} ms`,
  );
  if (atQuotas === 'follow') await limit();
  await part(`follow ${homes} changed homes`, () => mirror.follow());
  await part('look for changes, without any', () => mirror.follow());
} finally {
  await system.close();
}
