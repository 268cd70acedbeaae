import * as Type from '../../type.ts';
import { patterns } from '../../patterns.ts';
import { Settlement } from '../../partner/schemas/states.ts';

const minor = (description: string) => Type.Whole(description);

const Month = Type.String({
  pattern: patterns.month.pattern,
  description: 'The month in UTC, as `2026-11`.',
});

export const StatementQuery = Type.RequestObject({ month: Month });

const StatementLine = Type.ResponseObject(
  'StatementLine',
  'One effect on what a partner has sold.',
  {
    reference: Type.Text('The reservation.'),
    kind: Type.Enum(['sold', 'changed', 'cancelled'], { $id: 'StatementLineKind' }),
    on: Type.String({ format: 'date', description: 'The day in UTC.' }),
    amount: minor('In minor units; of a cancellation below 0.'),
  },
);

const StatementCurrency = Type.ResponseObject(
  'StatementCurrency',
  'The sums of one currency, in minor units.',
  {
    currency: Type.String(),
    sold: minor('The totals of the reservations that were confirmed.'),
    changed: minor('The differences of later changes; below 0: they became cheaper.'),
    cancelled: minor('The totals of cancelled reservations less what was kept of them.'),
    atProperty: minor('What guests pay at the property; it is in the other amounts.'),
    commission: Type.Nullable(
      minor('The commission on what is owed, rounded once. Null: none is set, or nothing is owed.'),
    ),
    owed: Type.Nullable(
      minor(
        '`sold` + `changed` − `cancelled` − `atProperty`, less the commission. Null: the operator charges the cards of the guests.',
      ),
    ),
    lines: Type.Array(StatementLine, { description: 'Oldest first. They add up to the sums.' }),
  },
);

export const Statement = Type.ResponseObject(
  'Statement',
  'What a partner sold, changed, cancelled and owes in a month.',
  {
    applicationId: Type.Uuid('The application.'),
    application: Type.Text('Its name.'),
    settlement: Settlement,
    month: Type.Text('The month in UTC.'),
    commissionPercent: Type.Nullable(
      Type.Number({ description: 'What the partner keeps, as it is set now. Null: none is set.' }),
    ),
    currencies: Type.Array(StatementCurrency, { description: 'By the name of the currency.' }),
  },
);
