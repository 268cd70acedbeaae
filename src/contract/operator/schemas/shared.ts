/** Schemas that the subjects of the operator's API share. */
import * as Type from '../../type.ts';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import { NextCursor, pageMembers } from '../../partner/schemas/primitives.ts';
import { operatorLimits } from '../limits.ts';

/** The query members of every list that is read in pages. */
export const pageQuery = pageMembers(operatorLimits.pageSize);

const { min, max, default: usual } = operatorLimits.longPageSize;
const most = `Maximum number of items; ${usual} if absent.`;

/** The query of a list that was once returned whole. */
export const LongPageQuery = Type.RequestObject({
  limit: Type.Optional(Type.Described(Type.WholeFrom(min, max, most), most)),
  cursor: pageQuery.cursor,
});

/** A page of items. */
export const PageOf = <T extends Type.TSchema>(item: T, id: string, description: string) =>
  Type.ResponseObject(id, description, { items: Type.Array(item), nextCursor: NextCursor });

/** Why staff do something. */
export const reasonInput = {
  reason: Type.GivenText(
    operatorLimits.reasonLength,
    'For staff only; it is in the audit trail.',
    patterns.line,
  ),
};

/** The balance that the caller has seen. */
export const expectedBalance = {
  expectedBalance: Type.Optional(
    Type.WholeFrom(
      -Number.MAX_SAFE_INTEGER,
      Number.MAX_SAFE_INTEGER,
      'The balance `open` that you have seen, in minor units: `precondition_failed` if it is another. Absent: any.',
    ),
  ),
};

/** The balance on which a preview was decided. */
export const openBefore = {
  openBefore: Type.Nullable(
    Type.Integer(),
    'The balance `open` before it, in minor units: send that of the preview as `expectedBalance`. Null: the partner collects.',
  ),
};

/** The version of a resource that the caller has seen. */
export const expectedVersion = {
  expectedVersion: Type.Optional(
    Type.WholeFrom(
      1,
      limits.maxVersion,
      'The version that you have seen: `precondition_failed` if there is a newer one. Absent: any.',
    ),
  ),
};

/** The version of what staff edit, in a reply. */
export const shownVersion = Type.Whole(
  'A number for what it says now: another one after every change. Send it as `expectedVersion`.',
);

/** A home as a list or document of staff names it. */
export const NamedHome = Type.ResponseObject('NamedHome', 'A home.', {
  listingId: Type.Uuid('The home.'),
  slug: Type.Nullable(Type.Text('Null: the home no longer exists.')),
  name: Type.Nullable(Type.String()),
  timeZone: Type.Optional(Type.Nullable(Type.Text('IANA time zone.'))),
});

/** What a reservation costs, and what of it is collected, open or refunded. */
export const balances = {
  due: Type.Whole('What it costs; after a cancellation, what you keep.'),
  collected: Type.Integer(),
  open: Type.Whole('Still to be collected; below 0: still to be refunded.'),
  refunded: Type.Integer(),
};

export const Balances = Type.ResponseObject(
  'Balances',
  'In minor units; `due` = `collected` + `open` - `refunded`.',
  balances,
);

/** A payment of a reservation. */
export const PaymentOfReservation = Type.ResponseObject(
  'PaymentOfReservation',
  'An attempt to take money from the card.',
  {
    paymentId: Type.Uuid('The payment.'),
    purpose: Type.Text('`booking`, `instalment`, `difference` or `link`.'),
    dueOn: Type.String({ format: 'date', description: 'The day of the schedule.' }),
    amount: Type.Whole('In minor units.'),
    state: Type.Text(
      '`requested`, `action_needed`, `authorized`, `captured`, `voided`, `refused` or `unknown`.',
    ),
    refunded: Type.Whole('In minor units.'),
  },
);

/** An event of the contract that a change sends. */
export const EventToSend = Type.ResponseObject('EventToSend', 'An event that the partner gets.', {
  type: Type.Text('The type of the event.'),
  data: Type.Record(Type.String(), Type.Unknown()),
});

/** Something that happened; its further members depend on `what`. */
export const HistoryItem = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    what: Type.Text('For example `quote.created`, `command`, `event`, `reservation.cancel`.'),
    actor: Type.Optional(Type.Text('Who did it: staff.')),
    reason: Type.Optional(Type.Nullable(Type.Text('Why; null: it was erased with the guest.'))),
  },
  {
    $id: 'HistoryItem',
    description: 'Something that happened. Further members depend on `what`.',
    additionalProperties: true,
  },
);
