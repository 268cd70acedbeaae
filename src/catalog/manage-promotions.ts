/** Promotions by staff: listed, added, changed and ended one by one. */

import type { Seen } from '../api/seen.ts';
import {
  checkSeen,
  invalidInput,
  noSuch,
  OperatorRefusal,
  pageForStaff,
  type PageOfStaff,
  type PageRequest,
  shownVersion,
} from '../access/index.ts';
import type { CatalogPromotion } from '../contract/catalog-file.ts';
import { auditedChange } from '../platform/audit/audited-change.ts';
import type { Database, Executor } from '../platform/postgres/database.ts';
import { canonicalCode } from '../pricing/index.ts';
import { catalogFor } from './catalog-for.ts';
import { checkedEntry } from './checked-entry.ts';
import { changedMembers } from './import/difference.ts';
import { completePromotion, promotionInFile, promotionRow } from './import/promotions.ts';
import { readCatalogs } from './store/catalogs.ts';
import { readIdentities } from './store/listings.ts';
import {
  listPromotions,
  lockPromotions,
  setPaused,
  type StoredPromotion,
  withdrawPromotions,
  writePromotion,
} from './store/promotions.ts';
import { lockCatalog } from './store/revision.ts';

/** A promotion as staff read it. */
export interface PromotionFile {
  catalog: string;
  uses: number;
  state: 'active' | 'paused' | 'ended';
  promotion: CatalogPromotion;
  /** Of what staff edit: not of the uses. */
  version: number;
}

const checked = (promotion: CatalogPromotion) =>
  completePromotion(checkedEntry('promotions', promotion, '/promotion'));

type Complete = ReturnType<typeof checked>;

async function collectionSlugs(executor: Executor): Promise<Map<string, string>> {
  const catalogs = await readCatalogs(executor);
  return new Map(
    catalogs.flatMap(({ collections }) =>
      collections.map((each) => [each.collectionId, each.slug]),
    ),
  );
}

const stateOf = ({ withdrawn, paused }: StoredPromotion): PromotionFile['state'] => {
  if (withdrawn) return 'ended';
  return paused ? 'paused' : 'active';
};

async function filesOf(
  executor: Executor,
  rows: readonly StoredPromotion[],
): Promise<PromotionFile[]> {
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

/** Lists promotions by code, ended ones included. Throws `OperatorRefusal`. */
export async function listPromotionsOf(
  executor: Executor,
  { catalog }: { catalog?: string | undefined },
  page: PageRequest,
): Promise<PageOfStaff<PromotionFile>> {
  const catalogId = catalog === undefined ? null : (await catalogFor(executor, catalog)).catalogId;
  const { items, nextCursor } = await pageForStaff(
    executor.vault,
    {
      operation: 'staff.promotion.list',
      filters: { catalogId },
      read: (after: string | null, atMost) => listPromotions(executor, catalogId, after, atMost),
      placeOf: ({ code }) => code,
    },
    page,
  );
  return { items: await filesOf(executor, items), nextCursor };
}

/** The IDs of the homes and collections that a promotion names. */
async function idsOf(executor: Executor, catalog: string, promotion: Complete) {
  const { listings: homes, collections: groups } = promotion;
  const { collections } = await catalogFor(executor, catalog);
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
  if (fields.length > 0) throw invalidInput(...fields);
  return ids;
}

async function write(executor: Executor, catalog: string, promotion: Complete): Promise<void> {
  const { catalogId } = await catalogFor(executor, catalog);
  const ids = await idsOf(executor, catalog, promotion);
  await writePromotion(executor, promotionRow(promotion, catalogId, ids));
}

async function locked(executor: Executor, code: string): Promise<StoredPromotion | undefined> {
  const [row] = await lockPromotions(executor, null, [canonicalCode(code)]);
  return row;
}

async function promotionNamed(executor: Executor, code: string): Promise<StoredPromotion> {
  const row = await locked(executor, code);
  if (!row) throw noSuch(`There is no promotion ${code}.`);
  return row;
}

async function readPromotion(database: Database, code: string): Promise<PromotionFile> {
  const rows = await database.transaction(async (executor) => [
    await promotionNamed(executor, code),
  ]);
  const [file] = await filesOf(database, rows);
  return file!;
}

/** Adds a promotion to a catalog (absent: the only one). Throws `OperatorRefusal` if its code exists. */
export async function addPromotion(
  database: Database,
  actor: string,
  { catalog, promotion }: { catalog?: string | undefined; promotion: CatalogPromotion },
): Promise<PromotionFile> {
  const complete = checked(promotion);
  await auditedChange(
    database,
    async (executor) => {
      // A promotion that does not exist yet cannot be locked, so calls that add the same code wait here.
      await lockCatalog(executor);
      const { slug } = await catalogFor(executor, catalog);
      const other = await locked(executor, complete.code);
      if (other) {
        throw new OperatorRefusal(
          `There is a promotion ${other.code} already, in the catalog ${other.catalog}.`,
        );
      }
      await write(executor, slug, complete);
      return { slug };
    },
    ({ slug }) => ({
      actor,
      action: 'promotion.add',
      applicationId: null,
      details: { code: complete.code, catalog: slug, promotion: { ...complete } },
    }),
  );
  return readPromotion(database, complete.code);
}

/** Replaces a promotion; its uses stay, and an ended one is active again. Throws `OperatorRefusal`. */
export async function changePromotion(
  database: Database,
  actor: string,
  { code, seen, promotion }: { code: string; seen?: Seen | undefined; promotion: CatalogPromotion },
): Promise<PromotionFile> {
  const complete = checked(promotion);
  await auditedChange(
    database,
    async (executor) => {
      const row = await promotionNamed(executor, code);
      if (complete.code !== row.code) {
        const message = `must be its existing code: ${row.code}`;
        throw invalidInput({ path: '/promotion/code', message });
      }
      if (complete.maxUses !== null && complete.maxUses < row.uses) {
        const message = `must not be less than the uses so far: ${row.uses}`;
        throw invalidInput({ path: '/promotion/maxUses', message });
      }
      const [before] = await filesOf(executor, [row]);
      checkSeen(seen, before!.version, `The version of ${row.code}`);
      const members = changedMembers(before!.promotion, complete);
      const isChange = members.length > 0 || row.withdrawn;
      if (isChange) await write(executor, row.catalog, complete);
      return { members, isChange, wasEnded: row.withdrawn };
    },
    ({ members, isChange, wasEnded }) =>
      isChange
        ? {
            actor,
            action: 'promotion.change',
            applicationId: null,
            details: { code: complete.code, members, ...(wasEnded && { wasEnded }) },
          }
        : [],
  );
  return readPromotion(database, code);
}

/** Ends a promotion; bookings that use it keep it. Throws `OperatorRefusal`. */
export async function endPromotion(
  database: Database,
  actor: string,
  code: string,
): Promise<PromotionFile> {
  await auditedChange(
    database,
    async (executor) => {
      const row = await promotionNamed(executor, code);
      if (!row.withdrawn) await withdrawPromotions(executor, [row.code]);
      return row;
    },
    ({ withdrawn, code: ended, uses }) =>
      withdrawn
        ? []
        : { actor, action: 'promotion.end', applicationId: null, details: { code: ended, uses } },
  );
  return readPromotion(database, code);
}

/**
 * Pauses a promotion, or resumes it. Bookings that use it keep it. Throws `OperatorRefusal` if it has ended.
 * Spec: PROMOTION-8.
 */
export async function pausePromotion(
  database: Database,
  actor: string,
  { code, isPaused }: { code: string; isPaused: boolean },
): Promise<PromotionFile> {
  await auditedChange(
    database,
    async (executor) => {
      const row = await promotionNamed(executor, code);
      if (row.withdrawn) throw new OperatorRefusal(`The promotion ${row.code} has ended.`);
      if (row.paused !== isPaused) await setPaused(executor, row.code, isPaused);
      return { ...row, isChange: row.paused !== isPaused };
    },
    ({ isChange, code: changed, uses }) =>
      isChange
        ? {
            actor,
            action: isPaused ? 'promotion.pause' : 'promotion.resume',
            applicationId: null,
            details: { code: changed, uses },
          }
        : [],
  );
  return readPromotion(database, code);
}
