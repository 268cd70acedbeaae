import { isRefusal, reasonMessages, type Refusal } from '../../contract/errors.ts';
import { type Listing, type Party, type Stay, stayOf } from '../../pricing/index.ts';
import {
  changedStay,
  decideChange,
  type StayChange,
  stayRefusal,
} from '../rules/change-reservation.ts';
import { factsOf } from './change-reservation.ts';
import type { StaffContext } from './context.ts';
import { reservationNamed } from './show-reservation.ts';

/** A reservation at another home, by the price of its current rates. */
interface MovePrice {
  total: number;
  warnings: { rule: string; message: string }[];
}

/** What a stay would cost at other homes. */
export interface PricedMove {
  catalogId: string;
  listingId: string;
  stay: Stay;
  party: Party;
  currency: string;
  /** What it costs now. */
  total: number;
  /** Null: it cannot be priced there. */
  priceAt(listing: Listing): MovePrice | null;
}

/** Prepares to price a reservation at other homes, by the same rules as a change that takes the price of current rates. */
export async function pricedMove(
  context: StaffContext,
  reference: string,
  change: StayChange,
): Promise<PricedMove | Refusal<'invalid_input' | 'not_found' | 'conflict'>> {
  const inFull = await reservationNamed(context, reference);
  if (isRefusal(inFull)) return inFull;
  const { reservation, application } = inFull;
  const wanted = changedStay(reservation, change);
  const facts = await factsOf(context.database, inFull, undefined);
  const refusal = stayRefusal(wanted) ?? (isRefusal(facts) ? facts : null);
  if (refusal || isRefusal(facts)) return refusal ?? (facts as Refusal<'not_found'>);
  return {
    catalogId: application.catalogId,
    listingId: reservation.listingId,
    stay: stayOf(wanted),
    party: wanted.party,
    currency: reservation.charges.currency,
    total: reservation.charges.total,
    priceAt(listing) {
      const after = { ...wanted, listingId: listing.listingId };
      const decided = decideChange({ ...facts, listing }, after, 'recalculate');
      if (isRefusal(decided)) return null;
      return {
        total: decided.update.next.charges.total,
        warnings: decided.warnings.map((rule) => ({
          rule,
          message: reasonMessages.policy_restricted[rule],
        })),
      };
    },
  };
}
