/** Promotion codes: their discount, and when they apply. */

import type { DetailsOf } from '../../contract/errors.ts';
import type { DayNumber, Listing, Minor, Percent, Stay } from './listing.ts';
import { inSteps, percentOf, stepOf } from './money.ts';
import { nightsOf } from './stay.ts';

/**
 * A code as it is stored and compared: case and surrounding blanks are ignored.
 * Spec: PROMOTION-3.
 */
export const canonicalCode = (typed: string): string => typed.trim().toUpperCase();

/** The discount of a promotion on accommodation. Spec: PROMOTION-1. */
export type PromotionDiscount =
  | { kind: 'percent'; percent: Percent }
  | { kind: 'amount'; off: Minor; currency: string };

/** The limits of a promotion; null: none. Spec: PROMOTION-1. */
export interface PromotionLimits {
  /** First and last possible night of a stay, both included. */
  stayFrom: DayNumber | null;
  stayTo: DayNumber | null;
  /** When the code can be used, epoch milliseconds: `bookFrom` included, `bookTo` not. */
  bookFrom: number | null;
  bookTo: number | null;
  /** The listings it applies to, by ID or by collection; one match is enough. Both null: all listings. */
  listingIds: string[] | null;
  collectionIds: string[] | null;
  minNights: number;
  maxUses: number | null;
}

/** A code that lowers the price of some stays. Spec: PROMOTION-1. */
export type Promotion = { code: string; label: string } & PromotionDiscount & PromotionLimits;

/** A requested use of a promotion. */
export interface PromotionUse {
  listing: Pick<Listing, 'listingId' | 'collectionId' | 'currency'>;
  stay: Stay;
  /** Epoch milliseconds. */
  now: number;
  /** Uses already counted against `maxUses`, without this one. */
  uses: number;
}

const PROMOTION_RULES = [
  {
    reason: 'promotion_ended',
    broken: ({ bookTo }, { now }) => bookTo !== null && now >= bookTo,
  },
  {
    reason: 'promotion_ended',
    broken: ({ maxUses }, { uses }) => maxUses !== null && uses >= maxUses,
  },
  {
    reason: 'promotion_not_applicable',
    broken: ({ bookFrom }, { now }) => bookFrom !== null && now < bookFrom,
  },
  {
    reason: 'promotion_not_applicable',
    broken: ({ stayFrom }, { stay }) => stayFrom !== null && stay.checkIn < stayFrom,
  },
  {
    reason: 'promotion_not_applicable',
    broken: ({ stayTo }, { stay }) => stayTo !== null && stay.checkOut - 1 > stayTo,
  },
  {
    reason: 'promotion_not_applicable',
    broken: ({ minNights }, { stay }) => nightsOf(stay) < minNights,
  },
  {
    reason: 'promotion_not_applicable',
    broken: (promotion, { listing }) => !appliesTo(promotion, listing),
  },
  {
    reason: 'promotion_not_applicable',
    broken: (promotion, { listing }) => !matchesCurrency(promotion, listing.currency),
  },
] as const satisfies {
  reason: DetailsOf<'policy_restricted'>['reason'];
  broken: (promotion: Promotion, use: PromotionUse) => boolean;
}[];

/** Why a known promotion cannot be used. Spec: PROMOTION-2. */
export type PromotionRefusal = (typeof PROMOTION_RULES)[number]['reason'];

/**
 * Why a promotion cannot be used for a stay; null: it can.
 *
 * A promotion that is over or used up is `promotion_ended`, even if it would not apply; one that has not
 * started is `promotion_not_applicable`. The caller refuses unknown codes.
 *
 * Spec: PROMOTION-2.
 */
export function promotionRefusal(promotion: Promotion, use: PromotionUse): PromotionRefusal | null {
  return PROMOTION_RULES.find((rule) => rule.broken(promotion, use))?.reason ?? null;
}

/**
 * The discount of a promotion on accommodation: from 0 to the full amount.
 *
 * `accommodation` is the amount after length-of-stay discounts, in minor units of `currency`. An amount
 * in another currency gives 0. Does not check whether the promotion may be used.
 *
 * Spec: PROMOTION-1.
 */
export function promotionDiscount(
  promotion: Promotion,
  accommodation: Minor,
  currency: string,
): Minor {
  if (!matchesCurrency(promotion, currency)) return 0;
  const step = stepOf(currency);
  if (promotion.kind === 'percent') return percentOf(accommodation, promotion.percent, step);
  return Math.min(Math.max(inSteps(promotion.off, step), 0), accommodation);
}

function appliesTo(
  { listingIds, collectionIds }: Promotion,
  { listingId, collectionId }: PromotionUse['listing'],
): boolean {
  if (listingIds === null && collectionIds === null) return true;
  if (listingIds?.includes(listingId)) return true;
  return collectionId !== null && (collectionIds?.includes(collectionId) ?? false);
}

function matchesCurrency(promotion: Promotion, currency: string): boolean {
  return promotion.kind === 'percent' || promotion.currency === currency;
}
