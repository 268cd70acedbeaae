/** Schemas that the subjects of the operator's API share. */
import Type from 'typebox';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';
import {
  Integer,
  NextCursor,
  Nullable,
  pageMembers,
  ResponseObject,
  Text,
  Uuid,
} from '../../partner/schemas/primitives.ts';
import { operatorLimits } from '../limits.ts';

/** A date that is stored, or that staff search for: in the years 1900 to 8999. */
export const KeptDate = (description: string) =>
  Type.String({ format: 'date', pattern: patterns.keptDate.pattern, description });

/** The query members of every list that is read in pages. */
export const pageQuery = pageMembers(operatorLimits.pageSize);

/** A page of items. */
export const PageOf = <T extends Type.TSchema>(item: T, id: string, description: string) =>
  ResponseObject(id, description, { items: Type.Array(item), nextCursor: NextCursor });

/** Why staff do something. */
export const reasonInput = {
  reason: Type.String({
    minLength: 1,
    maxLength: operatorLimits.reasonLength,
    pattern: patterns.line.pattern,
    description: 'For staff only; it is in the audit trail.',
  }),
};

/** The balance that the caller has seen. */
export const expectedBalance = {
  expectedBalance: Type.Optional(
    Type.Integer({
      minimum: -Number.MAX_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'The balance `open` that you have seen, in minor units: `precondition_failed` if it is another. Absent: any.',
    }),
  ),
};

/** The balance on which a preview was decided. */
export const openBefore = {
  openBefore: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'The balance `open` before it, in minor units: send that of the preview as `expectedBalance`. Null: the partner collects.',
  }),
};

/** The version of a resource that the caller has seen. */
export const expectedVersion = {
  expectedVersion: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: limits.maxVersion,
      description:
        'The version that you have seen: `precondition_failed` if there is a newer one. Absent: any.',
    }),
  ),
};

/** The version of what staff edit, in a reply. */
export const shownVersion = Integer(
  'A number for what it says now: another one after every change. Send it as `expectedVersion`.',
);

/** A home as a list or document of staff names it. */
export const NamedHome = ResponseObject('NamedHome', 'A home.', {
  listingId: Uuid('The home.'),
  slug: Nullable(Text('Null: the home no longer exists.')),
  name: Nullable(Type.String()),
  timeZone: Type.Optional(Nullable(Text('IANA time zone.'))),
});

/** What a reservation costs, and what of it is collected, open or refunded. */
export const balances = {
  due: Integer('What it costs; after a cancellation, what you keep.'),
  collected: Type.Integer(),
  open: Integer('Still to be collected; below 0: still to be refunded.'),
  refunded: Type.Integer(),
};

export const Balances = ResponseObject(
  'Balances',
  'In minor units; `due` = `collected` + `open` - `refunded`.',
  balances,
);

/** A payment of a reservation. */
export const PaymentOfReservation = ResponseObject(
  'PaymentOfReservation',
  'An attempt to take money from the card.',
  {
    paymentId: Uuid('The payment.'),
    purpose: Text('`booking`, `instalment`, `difference` or `link`.'),
    dueOn: Type.String({ format: 'date', description: 'The day of the schedule.' }),
    amount: Integer('In minor units.'),
    state: Text(
      '`requested`, `action_needed`, `authorized`, `captured`, `voided`, `refused` or `unknown`.',
    ),
    refunded: Integer('In minor units.'),
  },
);

/** An event of the contract that a change sends. */
export const EventToSend = ResponseObject('EventToSend', 'An event that the partner gets.', {
  type: Text('The type of the event.'),
  data: Type.Record(Type.String(), Type.Unknown()),
});

/** Something that happened; its further members depend on `what`. */
export const HistoryItem = Type.Object(
  {
    at: Type.String({ format: 'date-time' }),
    what: Text('For example `quote.created`, `command`, `event`, `reservation.cancel`.'),
    actor: Type.Optional(Text('Who did it: staff.')),
    reason: Type.Optional(Nullable(Text('Why; null: it was erased with the guest.'))),
  },
  {
    $id: 'HistoryItem',
    description: 'Something that happened. Further members depend on `what`.',
    additionalProperties: true,
  },
);
