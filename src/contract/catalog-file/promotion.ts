/** Promotions in a catalog file. */
import * as Type from '../type.ts';
import { patterns } from '../patterns.ts';
import { Date, largestAmount, Name, Nights, OrNull, Slug } from './values.ts';

/** A promotion in a catalog file. */
export const CatalogPromotion = Type.RequestObject(
  'CatalogPromotion',
  'A code that lowers the price: either `percent`, or `amount` and `currency`.',
  {
    code: Type.GivenText(64, 'The code that the guest enters.', patterns.word),
    label: Name('The label of its line.'),
    ...Type.AllOptional({
      percent: Type.Number({
        exclusiveMinimum: 0,
        maximum: 100,
        description: 'Discount on accommodation. At most four decimals.',
      }),
      amount: Type.WholeFrom(
        1,
        largestAmount,
        'Discount on accommodation, in minor units of `currency`. Either this or `percent`.',
      ),
      currency: Type.String({
        pattern: patterns.currency.pattern,
        description: 'ISO 4217. With `amount`.',
      }),
    }),
    stayFrom: OrNull(Date('Earliest night of a stay.')),
    stayTo: OrNull(Date('Latest night of a stay.')),
    bookFrom: OrNull(Date('First day on which it can be used, in UTC.')),
    bookTo: OrNull(Date('Last day on which it can be used, in UTC.')),
    minNights: Type.Optional(Nights('Absent: 1.')),
    maxUses: OrNull(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
    listings: OrNull(Type.Array(Slug('A home to which it applies.'), { minItems: 1 })),
    collections: OrNull(Type.Array(Slug('A collection to which it applies.'), { minItems: 1 })),
  },
);

export type CatalogPromotion = Type.Static<typeof CatalogPromotion>;
