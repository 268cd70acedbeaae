/** Promotions by staff: listed, added, changed and ended one by one. */

import type { OperatorReplyOf } from '../contract/operator/operations.ts';
import type { Seen } from '../api/seen.ts';
import {
  pageForStaff,
  type PageOfStaff,
  type PageRequest,
  seenRefusal,
  shownVersion,
} from '../access/index.ts';
import type { CatalogPromotion } from '../contract/catalog-file.ts';
import { isRefusal, refuse, type Refusal } from '../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../contract/operator/errors.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { canonicalCode } from '../pricing/index.ts';
import { catalogFor } from './catalog-for.ts';
import { checkedEntry } from './checked-entry.ts';
import { changedMembers } from './import/difference.ts';
import { completePromotion, promotionInFile, promotionRow } from './import/promotions.ts';
import { type StoredCatalog, readCatalogs } from './store/catalogs.ts';
import { readIdentities } from './store/listings.ts';
import {
  listPromotions,
  lockPromotions,
  setPaused,
  type StoredPromotion,
  withdrawPromotions,
  writePromotions,
} from './store/promotions.ts';
import { lockCatalog } from './store/revision.ts';

/** A promotion as staff read it. */
export type PromotionInFull = OperatorReplyOf<'operator.promotion.add'>['body'];

type Complete = ReturnType<typeof completePromotion>;
type Invalid = Refusal<'invalid_input'>;
type NoCatalog = Refusal<'not_found' | 'conflict'>;

function checked(promotion: CatalogPromotion): Complete | Invalid {
  const entry = checkedEntry('promotions', promotion, '/promotion');
  return isRefusal(entry) ? entry : completePromotion(entry);
}

async function collectionSlugs(executor: Executor): Promise<Map<string, string>> {
  const catalogs = await readCatalogs(executor);
  return new Map(
    catalogs.flatMap(({ collections }) =>
      collections.map((each) => [each.collectionId, each.slug]),
    ),
  );
}

const stateOf = ({ withdrawn, paused }: StoredPromotion): PromotionInFull['state'] => {
  if (withdrawn) return 'ended';
  return paused ? 'paused' : 'active';
};

async function promotionsInFull(
  executor: Executor,
  rows: readonly StoredPromotion[],
): Promise<PromotionInFull[]> {
  const ids = rows.flatMap(({ listingIds }) => listingIds ?? []);
  const homes = ids.length === 0 ? [] : await readIdentities(executor, [], [...new Set(ids)]);
  const slugs = {
    listings: new Map(homes.map(({ id, slug }) => [id, slug])),
    collections: await collectionSlugs(executor),
  };
  return rows.map((row) => {
    const edited = { state: stateOf(row), promotion: promotionInFile(row, slugs) };
    return { catalog: row.catalog, uses: row.uses, ...edited, version: shownVersion(edited) };
  });
}

/** Lists promotions by code, ended ones included. */
export async function listPromotionsOf(
  executor: Executor,
  { catalog }: { catalog?: string | undefined },
  page: PageRequest,
): Promise<PageOfStaff<PromotionInFull> | Invalid | NoCatalog> {
  const storedCatalog = catalog === undefined ? null : await catalogFor(executor, catalog);
  if (isRefusal(storedCatalog)) return storedCatalog;
  const catalogId = storedCatalog && storedCatalog.catalogId;
  const found = await pageForStaff(
    executor.vault,
    {
      operation: 'staff.promotion.list',
      filters: { catalogId },
      read: (after: string | null, atMost) => listPromotions(executor, catalogId, after, atMost),
      positionOf: ({ code }) => code,
    },
    page,
  );
  return isRefusal(found)
    ? found
    : { ...found, items: await promotionsInFull(executor, found.items) };
}

/** The IDs of the homes and collections that a promotion names. */
async function idsOf(executor: Executor, { collections }: StoredCatalog, promotion: Complete) {
  const { listings: homes, collections: groups } = promotion;
  const ids = {
    listings: new Map(
      (await readIdentities(executor, homes ?? [], [])).map(({ slug, id }) => [slug, id]),
    ),
    collections: new Map(collections.map(({ slug, collectionId }) => [slug, collectionId])),
  };
  const unknown = (list: 'listings' | 'collections', names: readonly string[] | null) =>
    (names ?? []).flatMap((slug, at) =>
      ids[list].has(slug)
        ? []
        : [{ path: `/promotion/${list}/${at}`, message: `there is no ${slug}` }],
    );
  const fields = [...unknown('listings', homes), ...unknown('collections', groups)];
  return fields.length > 0 ? refuse('invalid_input', { fields }) : ids;
}

/** Null: it is written. */
async function write(
  executor: Executor,
  catalog: StoredCatalog,
  promotion: Complete,
): Promise<Invalid | null> {
  const ids = await idsOf(executor, catalog, promotion);
  if (isRefusal(ids)) return ids;
  await writePromotions(executor, [promotionRow(promotion, catalog.catalogId, ids)]);
  return null;
}

async function locked(executor: Executor, code: string): Promise<StoredPromotion | undefined> {
  const [row] = await lockPromotions(executor, null, [canonicalCode(code)]);
  return row;
}

const promotionNamed = async (
  executor: Executor,
  code: string,
): Promise<StoredPromotion | Refusal<'not_found'>> =>
  (await locked(executor, code)) ?? refuseStaff('not_found', `There is no promotion ${code}.`);

async function readPromotion(
  database: Database,
  code: string,
): Promise<PromotionInFull | Refusal<'not_found'>> {
  const row = await database.transaction((executor) => promotionNamed(executor, code));
  if (isRefusal(row)) return row;
  const [inFull] = await promotionsInFull(database, [row]);
  return inFull!;
}

/** Adds a promotion to a catalog (absent: the only one). Refuses one whose code exists. */
export async function addPromotion(
  database: Database,
  actor: string,
  { catalog, promotion }: { catalog?: string | undefined; promotion: CatalogPromotion },
): Promise<PromotionInFull | Invalid | NoCatalog> {
  const complete = checked(promotion);
  if (isRefusal(complete)) return complete;
  const done = await auditedChange(
    database,
    async (executor) => {
      // A promotion that does not exist yet cannot be locked, so calls that add the same code wait here.
      await lockCatalog(executor);
      const storedCatalog = await catalogFor(executor, catalog);
      if (isRefusal(storedCatalog)) return storedCatalog;
      const other = await locked(executor, complete.code);
      if (other) {
        return refuseConflict(
          `There is a promotion ${other.code} already, in the catalog ${other.catalog}.`,
        );
      }
      const refusal = await write(executor, storedCatalog, complete);
      return refusal ?? { slug: storedCatalog.slug };
    },
    ({ slug }) => ({
      actor,
      action: 'promotion.add',
      details: { code: complete.code, catalog: slug, promotion: { ...complete } },
    }),
  );
  return isRefusal(done) ? done : readPromotion(database, complete.code);
}

/** Replaces a promotion; its uses stay, and an ended one is active again. */
export async function changePromotion(
  database: Database,
  actor: string,
  { code, seen, promotion }: { code: string; seen?: Seen | undefined; promotion: CatalogPromotion },
): Promise<PromotionInFull | Invalid | NoCatalog | Refusal<'precondition_failed'>> {
  const complete = checked(promotion);
  if (isRefusal(complete)) return complete;
  const done = await auditedChange(
    database,
    async (executor) => {
      const row = await promotionNamed(executor, code);
      if (isRefusal(row)) return row;
      if (complete.code !== row.code) {
        const message = `must be its existing code: ${row.code}`;
        return refuse('invalid_input', { fields: [{ path: '/promotion/code', message }] });
      }
      if (complete.maxUses !== null && complete.maxUses < row.uses) {
        const message = `must not be less than the uses so far: ${row.uses}`;
        return refuse('invalid_input', { fields: [{ path: '/promotion/maxUses', message }] });
      }
      const [before] = await promotionsInFull(executor, [row]);
      const unseen = seenRefusal(seen, before!.version, row.code);
      if (unseen) return unseen;
      const members = changedMembers(before!.promotion, complete);
      const isChange = members.length > 0 || row.withdrawn;
      const storedCatalog = await catalogFor(executor, row.catalog);
      if (isRefusal(storedCatalog)) return storedCatalog;
      const refusal = isChange ? await write(executor, storedCatalog, complete) : null;
      if (refusal) return refusal;
      return { members, isChange, wasEnded: row.withdrawn };
    },
    ({ members, isChange, wasEnded }) =>
      isChange
        ? {
            actor,
            action: 'promotion.change',
            details: { code: complete.code, members, ...(wasEnded && { wasEnded }) },
          }
        : [],
  );
  return isRefusal(done) ? done : readPromotion(database, code);
}

/** Ends a promotion; bookings that use it keep it. */
export async function endPromotion(
  database: Database,
  actor: string,
  code: string,
): Promise<PromotionInFull | Refusal<'not_found'>> {
  const done = await auditedChange(
    database,
    async (executor) => {
      const row = await promotionNamed(executor, code);
      if (isRefusal(row)) return row;
      if (!row.withdrawn) await withdrawPromotions(executor, [row.code]);
      return row;
    },
    ({ withdrawn, code: ended, uses }) =>
      withdrawn ? [] : { actor, action: 'promotion.end', details: { code: ended, uses } },
  );
  return isRefusal(done) ? done : readPromotion(database, code);
}

/** Pauses a promotion that has not ended, or resumes it. Bookings that use it keep it. Spec: PROMOTION-8. */
export async function pausePromotion(
  database: Database,
  actor: string,
  { code, isPaused }: { code: string; isPaused: boolean },
): Promise<PromotionInFull | Refusal<'not_found' | 'conflict'>> {
  const done = await auditedChange(
    database,
    async (executor) => {
      const row = await promotionNamed(executor, code);
      if (isRefusal(row)) return row;
      if (row.withdrawn) {
        return refuseConflict(`The promotion ${row.code} has ended.`);
      }
      if (row.paused !== isPaused) await setPaused(executor, row.code, isPaused);
      return { ...row, isChange: row.paused !== isPaused };
    },
    ({ isChange, code: changed, uses }) =>
      isChange
        ? {
            actor,
            action: isPaused ? 'promotion.pause' : 'promotion.resume',
            details: { code: changed, uses },
          }
        : [],
  );
  return isRefusal(done) ? done : readPromotion(database, code);
}
