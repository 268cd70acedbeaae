/** Says once, after an upgrade, which homes read differently. */

import type { Log } from '../platform/log.ts';
import { limits } from '../contract/limits.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import { type Loop, startLoop } from '../platform/loop.ts';
import { columnsOf } from '../platform/postgres/columns.ts';
import type { Database, Executor, Statement } from '../platform/postgres/database.ts';
import { todayAt } from '../pricing/index.ts';
import { type ReadDifferently, readDifferently } from './earlier-layers.ts';
import { readHomes } from './store/listings.ts';

const homesOfBatch = 50;
const actor = 'latchkey';
const aMinuteMs = 60_000;

const claimStatement: Statement = {
  name: 'claim-layer-comparison',
  text: `SELECT compared_to AS "comparedTo" FROM layer_comparison WHERE done_at IS NULL FOR UPDATE SKIP LOCKED`,
};

const nextStatement: Statement = {
  name: 'next-homes-to-compare',
  text: `SELECT listing_id AS "listingId", slug FROM listings
    WHERE $1::uuid IS NULL OR listing_id > $1 ORDER BY listing_id LIMIT $2`,
};

const advanceStatement: Statement = {
  name: 'advance-layer-comparison',
  text: `UPDATE layer_comparison SET compared_to = coalesce($1, compared_to),
      done_at = CASE WHEN $2 THEN now() END`,
};

// What partners have copied is another now: the feeds of changes tell them.
const tellStatement: Statement = {
  name: 'tell-layer-comparison',
  text: `INSERT INTO pending_changes (listing_id, kinds, nights)
    SELECT listing_id, '{rates,rules}', daterange(first, last, '[]')
    FROM unnest($1::uuid[], $2::date[], $3::date[]) AS changed (listing_id, first, last)`,
};

interface ChangedHome extends ReadDifferently {
  listingId: string;
  listing: string;
}

async function tell(executor: Executor, homes: readonly ChangedHome[]): Promise<void> {
  await executor.query(tellStatement, columnsOf(homes, 'listingId', 'from', 'to'));
  await insertAuditEntry(executor, {
    actor,
    action: 'catalog.read-differently',
    details: { homes: homes.map(({ listingId: _, ...home }) => home) },
  });
}

/** Compares the next homes. Returns what has changed; null: there is nothing left to compare. */
export async function compareNextHomes(
  database: Database,
  now: number,
): Promise<ChangedHome[] | null> {
  return database.transaction(async (executor) => {
    const [claimed] = await executor.query<{ comparedTo: string | null }>(claimStatement);
    if (!claimed) return null;
    const next = await executor.query<{ listingId: string; slug: string }>(nextStatement, [
      claimed.comparedTo,
      homesOfBatch,
    ]);
    const homes = await readHomes(
      executor,
      next.map(({ slug }) => slug),
    );
    const changed = homes.flatMap(({ home }): ChangedHome[] => {
      const first = todayAt(now, home.timeZone);
      const found = readDifferently(home, first, limits.bookingHorizonDays);
      return found ? [{ listingId: home.listingId, listing: home.slug, ...found }] : [];
    });
    if (changed.length > 0) await tell(executor, changed);
    const isDone = next.length < homesOfBatch;
    await executor.query(advanceStatement, [next.at(-1)?.listingId ?? null, isDone]);
    return changed;
  });
}

interface ComparisonContext {
  database: Database;
  log: Pick<Log, 'warn'>;
}

/**
 * Compares all homes once after an upgrade from a release that read layers as a whole, and names in log, audit trail
 * and feeds those whose next 730 nights have another price or rule. Spec: FILE-15.
 */
export function startLayerComparison({ database, log }: ComparisonContext): Loop {
  let isOver = false;
  return startLoop({
    name: 'compare layers',
    everyMs: aMinuteMs,
    log,
    async work(signal) {
      while (!isOver && !signal.aborted) {
        const changed = await compareNextHomes(database, Date.now());
        if (changed === null) isOver = true;
        for (const { listingId: _, ...home } of changed ?? []) {
          log.warn(home, 'a home has other prices or rules since this release');
        }
      }
    },
  });
}
