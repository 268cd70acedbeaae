/** Copies homes and calendars as a partner does, follows changes, and prints calls and times. */
import { parseArgs } from 'node:util';
import { defaultQuotas, type Tier } from '../../src/contract/limits.ts';
import { type OperationId, rowOf } from '../../src/contract/partner/operations.ts';
import { startBenchSystem } from '../bench-system.ts';
import { importInventory } from '../inventory.ts';
import { type DateRange, Mirror, type MirrorCalls } from './mirror.ts';

const usage = 'npm run mirror -- [--homes N]';
const { values } = parseArgs({ options: { homes: { type: 'string', default: '1000' } } });
const homes = Number(values.homes);
if (!Number.isInteger(homes) || homes < 1) throw new Error(usage);

const dayMs = 86_400_000;
const dateAhead = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

// 365 days, in ranges of at most 93.
const ranges = [0, 93, 186, 279].map((first): DateRange => [
  dateAhead(first),
  dateAhead(Math.min(first + 92, 364)),
]);

const system = await startBenchSystem({ LATCHKEY_ENVIRONMENT: 'test' });
const counted = { calls: new Map<Tier, number>(), bytes: 0 };

/** Makes a call and counts it. Null: 404. */
async function call(
  token: string,
  id: OperationId,
  path: string,
  body?: object,
): Promise<{ body: never; asOf: number } | null> {
  const { method, tier } = rowOf(id);
  counted.calls.set(tier, (counted.calls.get(tier) ?? 0) + 1);
  const response = await fetch(`http://127.0.0.1:${system.service.port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
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

/** Runs a part, and prints its calls, its time here, and its time at the default quotas. */
async function part(name: string, work: () => Promise<unknown>): Promise<void> {
  counted.calls.clear();
  counted.bytes = 0;
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  const calls = [...counted.calls].map(([tier, count]) => `${count} ${tier}`).join(', ');
  // A bucket is full at the beginning and refills evenly.
  const waits = [...counted.calls].map(
    ([tier, count]) => Math.max(0, count / defaultQuotas[tier] - 1) * 60,
  );
  const atQuota = Math.max(seconds, ...waits);
  console.log(
    `${name}: ${calls}; ${(counted.bytes / 1e6).toFixed(1)} MB; ${seconds.toFixed(1)} s without a quota, at least ${atQuota.toFixed(0)} s at the default quotas`,
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
  const { token } = await system.partner();
  await told();
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
  await part(`follow ${homes} changed homes`, () => mirror.follow());
  await part('look for changes, without any', () => mirror.follow());
} finally {
  await system.close();
}
