/** Conditions of fees, taxes and discounts in a catalog file. */
import * as Type from '../type.ts';
import { Closed, firstDay, lastDay } from './values.ts';

const Range = (description: string, largest: number) =>
  Type.Optional(
    Closed(description, {
      min: Type.Optional(Type.Integer({ minimum: 0, maximum: largest })),
      max: Type.Optional(Type.Integer({ minimum: 0, maximum: largest })),
    }),
  );

const stayNights = Range('The length of the stay, in nights. All or nothing.', 90);
const daysAhead = Range(
  "The days at the property from the quote's creation to arrival. All or nothing.",
  3_650,
);

/** When a fee, tax or discount applies. */
export const When = Type.Optional(
  Closed('When it applies. Absent: always.', {
    nights: Type.Optional(
      Closed(
        'Only these nights. What is not per night applies if the arrival night is one of them.',
        { from: firstDay, to: lastDay },
      ),
    ),
    stayNights,
    daysAhead,
  }),
);

export type When = NonNullable<Type.Static<typeof When>>;
