import { canonicalCode, dayNumber, millionths, type Promotion } from '../../pricing/index.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows, noRows, oneRow } from '../../platform/postgres/statement-functions.ts';

/** A promotion, with the uses counted so far. */
export interface FoundPromotion {
  promotion: Promotion;
  uses: number;
  /** Staff ended or paused it; the uses that bookings hold stay. */
  withdrawn: boolean;
}

type PromotionRow = Omit<
  StoredPromotion,
  'catalogId' | 'catalog' | 'uses' | 'withdrawn' | 'paused'
>;

const dayOrNull = (date: string | null) => (date === null ? null : dayNumber(date));

function promotionOf({ percent, amount, currency, ...row }: PromotionRow): Promotion {
  const rest = { ...row, stayFrom: dayOrNull(row.stayFrom), stayTo: dayOrNull(row.stayTo) };
  return percent === null
    ? { ...rest, kind: 'amount', off: amount ?? 0, currency: currency ?? '' }
    : { ...rest, kind: 'percent', percent };
}

// `off` is in basis points, for processes of the release before: they do not know `off_millionths`, which counts only as
// long as it is what they have not changed.
const off = `CASE WHEN kind = 'percent'
        THEN (CASE WHEN greatest(1, off_millionths / 100) = off THEN off_millionths ELSE off * 100 END) / 10000.0
      END::float8 AS percent,
      CASE WHEN kind = 'amount' THEN off + off_above END AS amount`;

/** Reads a promotion of a catalog by its code; case is ignored. */
export const findPromotion = oneRow<
  [catalogId: string, code: string],
  PromotionRow & Omit<FoundPromotion, 'promotion'>,
  FoundPromotion
>({
  name: 'find-promotion',
  text: `SELECT code, label, ${off}, currency, stay_from AS "stayFrom", stay_to AS "stayTo",
      book_from AS "bookFrom", book_to AS "bookTo", listing_ids AS "listingIds", collection_ids AS "collectionIds",
      min_nights AS "minNights", max_uses AS "maxUses", uses,
      withdrawn_at IS NOT NULL OR paused_at IS NOT NULL AS withdrawn
    FROM promotions
    WHERE upper(code COLLATE pg_c_utf8) = upper($2 COLLATE pg_c_utf8) AND catalog_id = $1`,
  result: ({ uses, withdrawn, ...row }) => ({ promotion: promotionOf(row), uses, withdrawn }),
});

/** A promotion to write; dates are `YYYY-MM-DD`. */
export interface NewPromotion {
  catalogId: string;
  code: string;
  label: string;
  /** At most four decimals; null: an amount. */
  percent: number | null;
  /** In minor units of `currency`; null: a percentage. */
  amount: number | null;
  currency: string | null;
  stayFrom: string | null;
  stayTo: string | null;
  bookFrom: string | null;
  bookTo: string | null;
  listingIds: string[] | null;
  collectionIds: string[] | null;
  minNights: number;
  maxUses: number | null;
}

/** Inserts promotions, or updates those with the same canonical codes; their uses stay. Each code is there once. */
export const writePromotions = noRows<[promotions: readonly NewPromotion[]]>({
  name: 'write-promotions',
  text: `INSERT INTO promotions (catalog_id, code, label, kind, off, off_above, off_millionths, currency, stay_from,
      stay_to, book_from, book_to, listing_ids, collection_ids, min_nights, max_uses)
    SELECT "catalogId", code, label, CASE WHEN millionths IS NULL THEN 'amount' ELSE 'percent' END,
      CASE WHEN millionths IS NULL THEN least(amount, 2147483647) ELSE greatest(1, millionths / 100) END,
      coalesce(greatest(amount - 2147483647, 0), 0), millionths, currency, "stayFrom", "stayTo", "bookFrom",
      "bookTo", "listingIds", "collectionIds", "minNights", "maxUses"
    FROM json_to_recordset($1::json) AS p ("catalogId" uuid, code text, label text, millionths integer, amount bigint,
      currency text, "stayFrom" date, "stayTo" date, "bookFrom" timestamptz, "bookTo" timestamptz, "listingIds" uuid[],
      "collectionIds" uuid[], "minNights" integer, "maxUses" integer)
    ON CONFLICT (code) DO UPDATE SET label = excluded.label, kind = excluded.kind,
      off = excluded.off, off_above = excluded.off_above,
      off_millionths = excluded.off_millionths, currency = excluded.currency, stay_from = excluded.stay_from,
      stay_to = excluded.stay_to, book_from = excluded.book_from, book_to = excluded.book_to,
      listing_ids = excluded.listing_ids, collection_ids = excluded.collection_ids,
      min_nights = excluded.min_nights, max_uses = excluded.max_uses, withdrawn_at = NULL`,
  values: (promotions) => [
    JSON.stringify(
      promotions.map(({ code, percent, ...promotion }) => ({
        ...promotion,
        code: canonicalCode(code),
        millionths: percent === null ? null : millionths(percent),
      })),
    ),
  ],
});

/** A promotion as it is stored. */
export interface StoredPromotion extends Omit<NewPromotion, 'bookFrom' | 'bookTo'> {
  bookFrom: EpochMs | null;
  bookTo: EpochMs | null;
  /** The slug of its catalog. */
  catalog: string;
  uses: number;
  withdrawn: boolean;
  paused: boolean;
}

const storedColumns = `p.catalog_id AS "catalogId", c.slug AS catalog, p.code, p.label,
      ${off}, p.currency, p.stay_from AS "stayFrom", p.stay_to AS "stayTo", p.book_from AS "bookFrom",
      p.book_to AS "bookTo", p.listing_ids AS "listingIds", p.collection_ids AS "collectionIds",
      p.min_nights AS "minNights", p.max_uses AS "maxUses", p.uses,
      p.withdrawn_at IS NOT NULL AS withdrawn, p.paused_at IS NOT NULL AS paused
    FROM promotions p JOIN catalogs c ON c.catalog_id = p.catalog_id`;

/** Reads and locks the promotions of a catalog, and those with one of these codes in any catalog. */
export const lockPromotions = manyRows<
  [catalogId: string | null, codes: readonly string[]],
  StoredPromotion
>({
  name: 'lock-promotions',
  // Locked, so that uses cannot grow past a new `maxUses` during the import.
  text: `SELECT ${storedColumns}
    WHERE p.catalog_id = $1 OR p.code = ANY ($2) ORDER BY p.code FOR UPDATE OF p`,
});

/** Reads the promotions that a catalog offers, sorted by code. */
export const readPromotions = manyRows<[catalogId: string], StoredPromotion>({
  name: 'read-promotions',
  text: `SELECT ${storedColumns}
    WHERE p.catalog_id = $1 AND p.withdrawn_at IS NULL ORDER BY p.code`,
});

const pageOfPromotions = (condition: string): string => `SELECT ${storedColumns}
    WHERE p.code > $1${condition} ORDER BY p.code LIMIT $2`;

const listStatement: Statement = { name: 'list-promotions', text: pageOfPromotions('') };

const listOfCatalogStatement: Statement = {
  name: 'list-promotions-of-catalog',
  text: pageOfPromotions(' AND p.catalog_id = $3'),
};

/** Lists promotions after a code, ended ones included. `catalogId` null: of all catalogs. */
export const listPromotions = (
  executor: Executor,
  catalogId: string | null,
  after: string | null,
  atMost: number,
): Promise<StoredPromotion[]> =>
  catalogId === null
    ? executor.query<StoredPromotion>(listStatement, [after ?? '', atMost])
    : executor.query<StoredPromotion>(listOfCatalogStatement, [after ?? '', atMost, catalogId]);

/** Ends promotions; the uses that bookings hold stay. */
export const withdrawPromotions = noRows<[codes: readonly string[]]>({
  name: 'withdraw-promotions',
  text: 'UPDATE promotions SET withdrawn_at = now(), paused_at = NULL WHERE code = ANY ($1)',
});

/** Pauses or resumes a promotion. */
export const setPaused = noRows<[code: string, isPaused: boolean]>({
  name: 'pause-promotion',
  text: 'UPDATE promotions SET paused_at = CASE WHEN $2 THEN now() END WHERE code = $1',
});
