/** A copy that a partner keeps by the feed equals ours, whatever others do meanwhile, and in whatever order. Spec: COPY-4. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CopiedHome, Mirror } from '../../bench/mirror/mirror.ts';
import { numbers } from '../../src/simulation/seeded.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import type { Partner } from '../harness/partner.ts';
import { ownHomes, startTestPair, type TestService } from '../harness/service.ts';
import { actsOf, addTwoCatalogs, callsOf, differences, ranges, told } from './mirroring.ts';

suite('a copy that is kept by the feed of changes', () => {
  let service: TestService;
  let staff: Operator;
  let others: Partner;
  let catalogIds: string[];
  let slugs: string[];

  before(async () => {
    service = await startTestPair({ ...ownHomes, LATCHKEY_METRICS_PORT: '1' });
    staff = await operatorOf(service);
    ({ catalogIds, slugs } = await addTwoCatalogs(service.database));
    others = await service.partner({ catalogId: catalogIds[0]! });
  });
  after(() => service.stop());

  /** What both processes answer now. */
  async function ours(partner: Partner): Promise<Map<string, CopiedHome>> {
    const fresh = new Mirror(callsOf(partner), ranges);
    await fresh.start();
    return fresh.copy;
  }

  /** The homes that the feed names after a cursor; null among them: every home. */
  async function namedAfter(partner: Partner, start: string): Promise<Set<string | null>> {
    const named = new Set<string | null>();
    for (let cursor = start; ;) {
      const page = await partner.succeed('inventory.change.list', {
        query: { cursor, limit: 500 },
      });
      for (const { listingId } of page.items) named.add(listingId);
      if (!page.hasMore) return named;
      cursor = page.nextCursor;
    }
  }

  for (const seed of [11, 12, 13]) {
    test(`equals ours whenever the feed has no more (history ${seed})`, async () => {
      const next = numbers(seed);
      const partner = await service.partner({ catalogId: catalogIds[0]! });
      const act = actsOf(next, () => partner.credentials.applicationId, { staff, others, slugs });
      const mirror = new Mirror(callsOf(partner), ranges);
      await mirror.start();
      const looks: { cursor: string; differ: string[] }[] = [];
      let isOver = false;
      const acting = (async () => {
        for (let done = 0; done < 60; done += 1) {
          await Promise.all([act(), act()]);
          await sleep(next() * 20);
        }
      })().finally(() => {
        isOver = true;
      });
      while (!isOver) {
        await mirror.follow();
        // What differs now must be told later.
        const kept = new Map(mirror.copy);
        const { cursor } = mirror;
        looks.push({ cursor, differ: differences(kept, await ours(partner)) });
      }
      await acting;
      await told(service.database);
      await mirror.follow();
      assert.deepEqual(differences(mirror.copy, await ours(partner)), []);
      assert.deepEqual(differences(mirror.copy, await ours(partner)), []);
      assert.ok(mirror.entries > 20, `${mirror.entries} entries`);
      for (const { cursor, differ } of looks) {
        const named = await namedAfter(partner, cursor);
        const untold = named.has(null) ? [] : differ.filter((id) => !named.has(id));
        assert.deepEqual(untold, []);
      }
    });
  }
});
