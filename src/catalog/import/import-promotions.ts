/** Promotions, in an import. */

import type { CatalogPromotion } from '../../contract/catalog-file.ts';
import type { FileEntry } from '../file/read-catalog-file.ts';
import { inSlices } from '../../platform/slices.ts';
import {
  lockPromotions,
  type NewPromotion,
  withdrawPromotions,
  writePromotions,
} from '../store/promotions.ts';
import { addChange, changedMembers, entryChange } from './difference.ts';
import type { ImportState } from './import-state.ts';
import { completePromotion, promotionInFile, promotionRow } from './promotions.ts';

const writtenAtOnce = 1_000;

/** Compares the promotions of the file with what is stored, and writes those that differ. */
export async function importPromotions(
  state: ImportState,
  promotions: readonly FileEntry<CatalogPromotion>[],
): Promise<void> {
  const { mode } = state.options;
  if (promotions.length === 0 && mode === 'merge') return;
  const written = promotions.map(({ value, report }) => ({
    promotion: completePromotion(value),
    report,
  }));
  const codes = written.map(({ promotion }) => promotion.code);
  const stored = await lockPromotions(state.executor, state.catalogId, codes);
  const known = new Map(stored.map((row) => [row.code, row]));
  const ids = {
    listings: { get: (slug: string) => state.listingId(slug) },
    collections: { get: (slug: string) => state.collections.get(slug)?.collectionId },
  };
  const slugs = {
    listings: await state.slugsOf(new Set(stored.flatMap(({ listingIds }) => listingIds ?? []))),
    collections: new Map(
      [...state.collections].map(([slug, { collectionId }]) => [collectionId, slug]),
    ),
  };
  const rows: NewPromotion[] = [];
  for (const { promotion, report } of written) {
    const row = known.get(promotion.code);
    if (row && row.catalogId !== state.catalogId) {
      report('/code', `is a code of the catalog ${row.catalog}`);
      continue;
    }
    if (row && promotion.maxUses !== null && promotion.maxUses < row.uses) {
      report('/maxUses', `must not be less than the uses so far: ${row.uses}`);
      continue;
    }
    const members = row ? changedMembers(promotionInFile(row, slugs), promotion) : [];
    const isSold = row && !row.withdrawn;
    if (isSold && members.length === 0) continue;
    const change = isSold ? 'changed' : 'added';
    const currency = promotion.currency ?? null;
    addChange(
      state.difference,
      'promotions',
      entryChange(change, promotion.code, { members, currency }),
    );
    if (state.isSound()) rows.push(promotionRow(promotion, state.catalogId!, ids));
  }
  if (!state.isSound()) return;
  // Others wait for the lock: few statements, however many promotions there are.
  for await (const some of inSlices(rows, writtenAtOnce)) {
    await writePromotions(state.executor, some);
  }
  if (mode === 'merge') return;
  const named = new Set(codes);
  const others = stored.filter(({ code, withdrawn }) => !withdrawn && !named.has(code));
  for (const { code } of others)
    addChange(state.difference, 'promotions', entryChange('withdrawn', code));
  const ended = others.map(({ code }) => code);
  if (ended.length > 0) await withdrawPromotions(state.executor, ended);
}
