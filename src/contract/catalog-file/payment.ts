/** Payments in a catalog file. */
import * as Type from '../type.ts';
import { Amount, Closed, Days, Nights, Percent } from './values.ts';

/** When the total is due. */
export const Payment = Closed('When the total is due.', {
  ...Type.AllOptional({
    dueNowPercent: Percent('Percentage of the total that is due at booking. Absent: 100.'),
    balanceDaysBefore: Days('Days before arrival on which the rest is due. Absent: 0.'),
    schedule: Type.Array(
      Closed(
        'A payment: `percent`, `amount` or `nights`, never more than what is left. The last one has none of them and is the rest.',
        {
          daysBefore: Type.Optional(
            Days('Days before arrival on which it is due. Absent in the first entry: at booking.'),
          ),
          percent: Type.Optional(Percent('Of the total without what is paid at the property.')),
          amount: Type.Optional(Amount('An amount.')),
          nights: Type.Optional(Nights('The price of the first so many nights.')),
        },
      ),
      {
        minItems: 1,
        maxItems: 20,
        description: 'In place of the other members. `daysBefore` falls from entry to entry.',
      },
    ),
  }),
});

/** A deposit that the operator takes. */
export const SecurityDeposit = Closed(
  'Shown in the terms; no part of the total, and never collected by Latchkey.',
  {
    amount: Amount('The amount.'),
    dueDaysBefore: Type.Optional(Days('Days before arrival on which it is due. Absent: 0.')),
    returnedDaysAfter: Type.Optional(
      Days('Days after departure until which it is returned. Absent: 0.'),
    ),
  },
);
