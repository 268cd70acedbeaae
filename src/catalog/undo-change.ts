/** Undoes a change of rates or texts at all its homes. */
import type { AuditAction } from '../contract/operator/audit-actions.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseStaff } from '../contract/operator/errors.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { longTransaction } from '../platform/postgres/long-transaction.ts';
import { changedMembers } from './import/difference.ts';
import type { Home } from './store/listing-rows.ts';
import { readIdentities, readHomes } from './store/listings.ts';
import { takeRatesBefore } from './store/rate-undos.ts';
import { lockCatalog, markCatalogs, raiseRevision } from './store/revision.ts';
import { takeTextsBefore, textsOf } from './store/text-undos.ts';
import { writeHomes } from './store/write-homes.ts';

type UndoRefusal = Refusal<'not_found' | 'conflict'>;

/** What a kind of change has kept of the homes that it changed. */
interface Undo<Part> {
  /** Takes what was kept; nothing: it cannot be undone. */
  take(
    executor: Executor,
    changeId: string,
  ): Promise<{ listingId: string; before: Part; after: Part }[]>;
  partOf(home: Home): Part;
  withPart(home: Home, part: Part): Home;
  /** What was changed, in a sentence. */
  name: string;
  action: AuditAction;
}

const rates: Undo<Home['rates']['dates']> = {
  take: takeRatesBefore,
  partOf: (home) => home.rates.dates,
  withPart: (home, dates) => ({ ...home, rates: { ...home.rates, dates } }),
  name: 'Rates',
  action: 'rate.undo',
};

const texts: Undo<ReturnType<typeof textsOf>> = {
  take: takeTextsBefore,
  partOf: textsOf,
  withPart: (home, before) => ({ ...home, ...before }),
  name: 'Texts',
  action: 'listing.undo',
};

const perBatch = 100;
const namedHomes = 5;
const auditedHomes = 50;

function overtaken(what: string, names: readonly string[]): Refusal<'conflict'> {
  const more = names.length > namedHomes ? ` and ${names.length - namedHomes} more` : '';
  const who = `${names.slice(0, namedHomes).join(', ')}${more}`;
  return refuseStaff('conflict', `${what} were changed since at ${who}. Nothing was undone.`);
}

async function undoWithin<Part>(
  executor: Executor,
  actor: string,
  changeId: string,
  { take, partOf, withPart, name, action }: Undo<Part>,
): Promise<{ changed: number } | UndoRefusal> {
  await lockCatalog(executor);
  const kept = await take(executor, changeId);
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
      if (changedMembers(partOf(home), after).length > 0) others.push(home.slug);
      return withPart(home, before);
    });
    if (others.length === 0) await writeHomes(executor, homes, known, revision);
  }
  if (others.length > 0) return overtaken(name, others);
  await markCatalogs(executor, revision, []);
  await insertAuditEntry(executor, {
    actor,
    action,
    applicationId: null,
    details: { changeId, homes: slugs.slice(0, auditedHomes), homesInAll: slugs.length },
    homes: slugs,
  });
  return { changed: slugs.length };
}

const undoing =
  <Part>(undo: Undo<Part>) =>
  (
    database: Database,
    actor: string,
    changeId: string,
  ): Promise<{ changed: number } | UndoRefusal> =>
    longTransaction<{ changed: number } | UndoRefusal>(database, 'read write', async (executor) => {
      const result = await undoWithin(executor, actor, changeId, undo);
      return { commit: !isRefusal(result), result };
    });

/**
 * Gives the dates of homes back what they said before a change. Refused if they say something else now at one of them.
 * Spec: OPERATOR-19.
 */
export const undoRates = undoing(rates);

/** Gives homes back the texts that they had before one was replaced. Refused if one has another now. Spec: OPERATOR-20. */
export const undoReplacedText = undoing(texts);
