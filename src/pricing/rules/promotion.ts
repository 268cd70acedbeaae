/** Promotion codes: what they take off, and where and when they do. */

import type { DetailsOf } from '../../contract/errors.ts';
import type { BasisPoints, DayNumber, Listing, Minor, Stay } from './listing.ts';
import { share, WHOLE } from './money.ts';
import { nightsOf } from './stay.ts';

/**
 * A code as it is stored and compared: upper and lower case do not matter, nor do blanks around it.
 * Spec: decisions, Promotion codes.
 */
export const canonicalCode = (typed: string): string => typed.trim().toUpperCase();

/** What a promotion takes off accommodation. Spec: decisions, Promotion codes. */
export type PromotionOff =
  | { kind: 'percent'; off: BasisPoints }
  | { kind: 'amount'; off: Minor; currency: string };

/** The limits of a promotion; null: none. Spec: decisions, Promotion codes. */
export interface PromotionLimits {
  /** First and last night that a stay may have, both included. */
  stayFrom: DayNumber | null;
  stayTo: DayNumber | null;
  /** When it can be used, epoch milliseconds: `bookFrom` included, `bookTo` not. */
  bookFrom: number | null;
  bookTo: number | null;
  /** Homes it is for, by themselves or by collection: one of the two is enough. Both null: all. */
  listingIds: string[] | null;
  collectionIds: string[] | null;
  minNights: number;
  maxUses: number | null;
}

/** A code that lowers the price of some stays. Spec: decisions, Promotion codes. */
export type Promotion = { code: string; label: string } & PromotionOff & PromotionLimits;

/** A use of a promotion that somebody asks for. */
export interface PromotionUse {
  listing: Pick<Listing, 'listingId' | 'collectionId' | 'currency'>;
  stay: Stay;
  /** Epoch milliseconds. */
  now: number;
  /** Uses already counted against `maxUses`, this one not among them. */
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
    broken: (promotion, { listing }) => !isFor(promotion, listing),
  },
  {
    reason: 'promotion_not_applicable',
    broken: (promotion, { listing }) => !paysIn(promotion, listing.currency),
  },
] as const satisfies {
  reason: DetailsOf<'policy_restricted'>['reason'];
  broken: (promotion: Promotion, use: PromotionUse) => boolean;
}[];

/** Why a known promotion cannot be used. Spec: decisions, Promotion codes. */
export type PromotionRefusal = (typeof PROMOTION_RULES)[number]['reason'];

/**
 * Why a promotion cannot be used for a stay, or null where it can.
 *
 * One that is over or used up has ended, also where it would not have applied; one that has not
 * begun does not apply. A code that names no promotion is the caller's to refuse.
 *
 * Spec: decisions, Promotion codes.
 */
export function promotionRefusal(promotion: Promotion, use: PromotionUse): PromotionRefusal | null {
  return PROMOTION_RULES.find((rule) => rule.broken(promotion, use))?.reason ?? null;
}

/**
 * What a promotion takes off accommodation: an amount from 0 to all of it.
 *
 * `accommodation` is what is left after length-of-stay discounts, in minor units of `currency`. An
 * amount in another currency takes nothing off. Whether the promotion may be used is not asked here.
 *
 * Spec: decisions, Charges and Promotion codes.
 */
export function promotionOff(promotion: Promotion, accommodation: Minor, currency: string): Minor {
  if (!paysIn(promotion, currency)) return 0;
  if (promotion.kind === 'percent')
    return share(accommodation, Math.min(Math.max(promotion.off, 0), WHOLE));
  return Math.min(Math.max(promotion.off, 0), accommodation);
}

function isFor(
  { listingIds, collectionIds }: Promotion,
  { listingId, collectionId }: PromotionUse['listing'],
): boolean {
  if (listingIds === null && collectionIds === null) return true;
  if (listingIds?.includes(listingId)) return true;
  return collectionId !== null && (collectionIds?.includes(collectionId) ?? false);
}

function paysIn(promotion: Promotion, currency: string): boolean {
  return promotion.kind === 'percent' || promotion.currency === currency;
}
