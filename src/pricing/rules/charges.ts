import type { Charges } from '../../contract/partner/schemas/quote.ts';

/** The price of a stay, in its wire form. Spec: PRICE-1. */
export type { Charges };

/** One line of a price; discounts and promotions are negative. */
export type ChargeLine = Charges['lines'][number];

/** The price of one night before any discount. */
export type ChargedNight = Charges['nights'][number];

/** A future payment. */
export type DuePayment = Charges['schedule'][number];

/** A tax that the prices contain. */
export type IncludedTax = NonNullable<Charges['includedTaxes']>[number];
