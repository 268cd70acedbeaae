/** Undoes a change of rates at all its homes. */
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseStaff } from '../contract/operator/errors.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { longTransaction } from '../platform/postgres/long-transaction.ts';
import { changedMembers } from './import/difference.ts';
import { readIdentities, readHomes } from './store/listings.ts';
import { takeRatesBefore } from './store/rate-undos.ts';
import { lockCatalog, markCatalogs, raiseRevision } from './store/revision.ts';
import { writeHomes } from './store/write-homes.ts';

type UndoRefusal = Refusal<'not_found' | 'conflict'>;

const perBatch = 100;
const namedHomes = 5;
const auditedHomes = 50;

function overtaken(names: readonly string[]): Refusal<'conflict'> {
  const more = names.length > namedHomes ? ` and ${names.length - namedHomes} more` : '';
  const who = `${names.slice(0, namedHomes).join(', ')}${more}`;
  return refuseStaff('conflict', `Rates were changed since at ${who}. Nothing was undone.`);
}

async function undoWithin(
  executor: Executor,
  actor: string,
  changeId: string,
): Promise<{ changed: number } | UndoRefusal> {
  await lockCatalog(executor);
  const kept = await takeRatesBefore(executor, changeId);
  if (kept.length === 0) {
    return refuseStaff('not_found', 'This change was undone before, or is older than a day.');
  }
  const byId = new Map(kept.map((each) => [each.listingId, each]));
  const identities = await readIdentities(executor, [], [...byId.keys()]);
  const slugs = identities.map(({ slug }) => slug).toSorted();
  const revision = await raiseRevision(executor);
  const others: string[] = [];
  for (let at = 0; at < slugs.length; at += perBatch) {
    const stored = await readHomes(executor, slugs.slice(at, at + perBatch));
    const known = new Map(stored.map(({ home }) => [home.slug, home]));
    const homes = stored.map(({ home }) => {
      const { before, after } = byId.get(home.listingId)!;
      if (changedMembers(home.rates.dates, after).length > 0) others.push(home.slug);
      return { ...home, rates: { ...home.rates, dates: before } };
    });
    if (others.length === 0) await writeHomes(executor, homes, known, revision);
  }
  if (others.length > 0) return overtaken(others);
  await markCatalogs(executor, revision, []);
  await insertAuditEntry(executor, {
    actor,
    action: 'rate.undo',
    applicationId: null,
    details: { changeId, homes: slugs.slice(0, auditedHomes), homesInAll: slugs.length },
    homes: slugs,
  });
  return { changed: slugs.length };
}

/**
 * Gives the dates of homes back what they said before a change. Refused if they say something else now at one of them.
 * Spec: OPERATOR-19.
 */
export const undoRates = (
  database: Database,
  actor: string,
  changeId: string,
): Promise<{ changed: number } | UndoRefusal> =>
  longTransaction<{ changed: number } | UndoRefusal>(database, 'read write', async (executor) => {
    const result = await undoWithin(executor, actor, changeId);
    return { commit: !isRefusal(result), result };
  });
