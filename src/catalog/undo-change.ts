/** Undoes a change of rates or texts at all its homes. */
import type { AuditAction } from '../contract/operator/audit-actions.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../contract/operator/errors.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import {
  compareThenWrite,
  type ComparedChange,
  type Comparison,
} from './import/compare-then-write.ts';
import { changedMembers } from './import/difference.ts';
import type { Home } from './store/listing-rows.ts';
import { stageChanges, writeStagedChanges } from './staged-change.ts';
import { readIdentities } from './store/listings.ts';
import { type PartBefore, rateUndos, textsOf, textUndos } from './store/undos.ts';

type UndoRefusal = Refusal<'not_found' | 'conflict'>;

/** What a kind of change has kept of the homes that it changed. */
interface Undo<Part> {
  /** The homes of which something is kept; none: the change cannot be undone. */
  homesOf(executor: Executor, changeId: string): Promise<string[]>;
  /** Takes what was kept of some homes. */
  take(
    executor: Executor,
    changeId: string,
    listingIds: readonly string[],
  ): Promise<PartBefore<Part>[]>;
  partOf(home: Home): Part;
  withPart(home: Home, part: Part): Home;
  /** What was changed, in a sentence. */
  name: string;
  action: AuditAction;
}

const rates: Undo<Home['rates']['dates']> = {
  ...rateUndos,
  partOf: (home) => home.rates.dates,
  withPart: (home, dates) => ({ ...home, rates: { ...home.rates, dates } }),
  name: 'Rates',
  action: 'rate.undo',
};

const texts: Undo<ReturnType<typeof textsOf>> = {
  ...textUndos,
  partOf: textsOf,
  withPart: (home, before) => ({ ...home, ...before }),
  name: 'Texts',
  action: 'listing.undo',
};

const namedHomes = 5;
const auditedHomes = 50;

function overtaken(what: string, names: readonly string[]): Refusal<'conflict'> {
  const more = names.length > namedHomes ? ` and ${names.length - namedHomes} more` : '';
  const who = `${names.slice(0, namedHomes).join(', ')}${more}`;
  return refuseConflict(`${what} were changed since at ${who}. Nothing was undone.`);
}

type Undone = { changed: number } | UndoRefusal;

const isOver = refuseStaff('not_found', 'This change was undone before, or is older than a day.');

/** Compares all homes, and sets aside what they had. Returns those that were changed since, or that it is over. */
async function stageUndo<Part>(
  executor: Executor,
  changeId: string,
  slugs: readonly string[],
  { take, partOf, withPart }: Undo<Part>,
): Promise<string[] | Refusal<'not_found'>> {
  const others: string[] = [];
  let taken = 0;
  await stageChanges(executor, slugs, async (stored) => {
    const ids = stored.map(({ home }) => home.listingId);
    const kept = await take(executor, changeId, ids);
    taken += kept.length;
    const byId = new Map(kept.map((each) => [each.listingId, each]));
    const homes = stored.flatMap(({ home }) => {
      const part = byId.get(home.listingId);
      if (!part) return [];
      if (changedMembers(partOf(home), part.after).length > 0) others.push(home.slug);
      return [withPart(home, part.before)];
    });
    return others.length === 0 ? homes : [];
  });
  return taken < slugs.length ? isOver : others;
}

async function undoWithin<Part>(
  executor: Executor,
  comparison: Comparison,
  { actor, changeId, undo }: { actor: string; changeId: string; undo: Undo<Part> },
): Promise<ComparedChange<Undone>> {
  const { name, action } = undo;
  const refused = (result: UndoRefusal) => ({ commit: false, result });
  const ids = await undo.homesOf(executor, changeId);
  if (ids.length === 0) return refused(isOver);
  const identities = await readIdentities(executor, [], ids);
  const slugs = identities.map(({ slug }) => slug).toSorted();
  const others = await stageUndo(executor, changeId, slugs, undo);
  if (isRefusal(others)) return refused(others);
  if (others.length > 0) return refused(overtaken(name, others));
  await insertAuditEntry(executor, {
    actor,
    action,
    details: { changeId, homes: slugs.slice(0, auditedHomes), homesInAll: slugs.length },
    homes: slugs,
  });
  if (!(await comparison.lock())) return 'overtaken';
  await writeStagedChanges(executor);
  return { commit: true, result: { changed: slugs.length } };
}

const undoing =
  <Part>(undo: Undo<Part>) =>
  (database: Database, actor: string, changeId: string): Promise<Undone> =>
    compareThenWrite<Undone>(database, (executor, comparison) =>
      undoWithin(executor, comparison, { actor, changeId, undo }),
    );

/**
 * Gives the dates of homes back what they said before a change. Refused if they say something else now at one of them.
 * Spec: OPERATOR-19.
 */
export const undoRates = undoing(rates);

/** Gives homes back the texts that they had before one was replaced. Refused if one has another now. Spec: OPERATOR-20. */
export const undoReplacedText = undoing(texts);
