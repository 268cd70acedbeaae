import { findPromotion } from '../../catalog/index.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import {
  canonicalCode,
  type Listing,
  type Promotion,
  promotionRefusal,
  type Stay,
} from '../../pricing/index.ts';

/** The use of a code that somebody asks for. */
export interface WantedUse {
  /** Undefined: the catalog no longer has the home. */
  listing: Listing | undefined;
  stay: Stay;
  now: EpochMs;
  /** The code whose use the checkout holds already; null: none. */
  held: string | null;
}

/** Why a code cannot be used. */
export type UseRefusal = 'promotion_unknown' | 'promotion_ended' | 'promotion_not_applicable';

/** Finds the promotion of a code if a stay may have it, else why not. Spec: PROMOTION-2. */
export async function findPromotionUse(
  executor: Executor,
  catalogId: string,
  typed: string,
  { listing, stay, now, held }: WantedUse,
): Promise<Promotion | UseRefusal> {
  const found = await findPromotion(executor, catalogId, canonicalCode(typed));
  if (!found) return 'promotion_unknown';
  if (!listing) return 'promotion_not_applicable';
  const { promotion, withdrawn } = found;
  if (withdrawn) return 'promotion_ended';
  // A use that this checkout already holds does not count against it.
  const uses = found.uses - (held === promotion.code ? 1 : 0);
  return promotionRefusal(promotion, { listing, stay, now, uses }) ?? promotion;
}
