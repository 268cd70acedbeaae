/** Calls that have set unusual prices, until staff say that they are meant. */
import { noRows, oneRow } from '../../platform/postgres/statement-functions.ts';

/** A call that has set unusual prices. */
interface UnusualCall {
  /** The first of the homes. */
  listingId: string;
  /** What its first unusual night costs now, in minor units. */
  price: number;
  currency: string;
  /** In words. */
  about: string;
}

/** Stores a call that has set unusual prices. */
export const insertUnusualRates = noRows<[unusualCall: UnusualCall]>({
  name: 'insert-unusual-rates',
  text: `INSERT INTO unusual_rates (listing_id, price_minor, currency, about) VALUES ($1, $2, $3, $4)`,
  values: ({ listingId, price, currency, about }) => [listingId, price, currency, about],
});

/** Removes a call that has set unusual prices. Undefined: there is none with this ID. */
export const deleteUnusualRates = oneRow<[changeId: string], { about: string }>({
  name: 'delete-unusual-rates',
  text: 'DELETE FROM unusual_rates WHERE change_id = $1 RETURNING about',
});
