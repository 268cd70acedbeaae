/** Converts promotions between the catalog file and their rows. */

import { dayMs } from '../../contract/time.ts';
import type { CatalogPromotion } from '../../contract/catalog-file.ts';
import { canonicalCode, dateText, dayNumber } from '../../pricing/index.ts';
import type { NewPromotion, StoredPromotion } from '../store/promotions.ts';

/** A promotion of a file with defaults filled in. */
export type CompletePromotion = Required<
  Omit<CatalogPromotion, 'percent' | 'amount' | 'currency'>
> &
  Pick<CatalogPromotion, 'percent' | 'amount' | 'currency'>;

/** Fills in the defaults of a promotion. Spec: FILE-8. */
export const completePromotion = (promotion: CatalogPromotion): CompletePromotion => ({
  code: canonicalCode(promotion.code),
  label: promotion.label,
  ...(promotion.percent === undefined
    ? { amount: promotion.amount!, currency: promotion.currency! }
    : { percent: promotion.percent }),
  stayFrom: promotion.stayFrom ?? null,
  stayTo: promotion.stayTo ?? null,
  bookFrom: promotion.bookFrom ?? null,
  bookTo: promotion.bookTo ?? null,
  minNights: promotion.minNights ?? 1,
  maxUses: promotion.maxUses ?? null,
  listings: promotion.listings ?? null,
  collections: promotion.collections ?? null,
});

const dayOf = (instant: number): string => dateText(Math.floor(instant / dayMs));

/** A stored promotion as a file has it. */
export const promotionInFile = (
  row: StoredPromotion,
  slugs: { listings: ReadonlyMap<string, string>; collections: ReadonlyMap<string, string> },
): CompletePromotion => ({
  code: row.code,
  label: row.label,
  ...(row.percent === null
    ? { amount: row.amount!, currency: row.currency! }
    : { percent: row.percent }),
  stayFrom: row.stayFrom,
  stayTo: row.stayTo,
  bookFrom: row.bookFrom === null ? null : dayOf(row.bookFrom),
  // The date is inclusive, the stored instant exclusive.
  bookTo: row.bookTo === null ? null : dayOf(row.bookTo - 1),
  minNights: row.minNights,
  maxUses: row.maxUses,
  listings: row.listingIds?.map((id) => slugs.listings.get(id) ?? id) ?? null,
  collections: row.collectionIds?.map((id) => slugs.collections.get(id) ?? id) ?? null,
});

const idsOf = (
  slugs: readonly string[] | null,
  ids: { get(slug: string): string | undefined },
): string[] | null => slugs?.map((slug) => ids.get(slug)!) ?? null;

const midnight = (day: number): string => `${dateText(day)}T00:00Z`;

/** The row of a promotion of a file. */
export const promotionRow = (
  promotion: CompletePromotion,
  catalogId: string,
  ids: {
    listings: { get(slug: string): string | undefined };
    collections: { get(slug: string): string | undefined };
  },
): NewPromotion => {
  const { code, label, percent, amount, bookFrom, bookTo } = promotion;
  return {
    catalogId,
    code,
    label,
    percent: percent ?? null,
    amount: amount ?? null,
    currency: promotion.currency ?? null,
    stayFrom: promotion.stayFrom,
    stayTo: promotion.stayTo,
    bookFrom: bookFrom === null ? null : midnight(dayNumber(bookFrom)),
    bookTo: bookTo === null ? null : midnight(dayNumber(bookTo) + 1),
    listingIds: idsOf(promotion.listings, ids.listings),
    collectionIds: idsOf(promotion.collections, ids.collections),
    minNights: promotion.minNights,
    maxUses: promotion.maxUses,
  };
};
