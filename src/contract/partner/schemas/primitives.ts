import * as Type from '../../type.ts';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';

/** The body of a call that changes something and needs no input, in the portal and the operator's API. */
export const EmptyBody = Type.RequestObject(
  'EmptyBody',
  'An object without members. It proves that no HTML form of another site sent the call.',
  {},
);

export const Cursor = Type.String({
  $id: 'Cursor',
  minLength: limits.cursorLength.min,
  maxLength: limits.cursorLength.max,
  pattern: patterns.cursor.pattern,
  description:
    'The position in a list. Opaque: take it from `nextCursor`, never build one. It is valid only for the same operation, application and filters; `limit` may differ. Any other cursor is `invalid_input`.',
});

/** The cursor of a body: an empty one counts as absent, as in a query. */
export const EmptiableCursor = Type.String({
  $id: 'EmptiableCursor',
  maxLength: limits.cursorLength.max,
  pattern: patterns.emptiableCursor.pattern,
  description: 'Like `Cursor`. An empty string counts as absent: it returns the first page.',
});

/** The query members of a list that is read in pages, with the page sizes of its API. */
export const pageMembers = (size: { min: number; max: number; default: number }) => ({
  limit: Type.Optional(
    Type.WholeFrom(size.min, size.max, `Maximum number of items; ${size.default} if absent.`),
  ),
  cursor: Type.Optional(
    Type.Described(Cursor, '`nextCursor` of the previous page. Absent: the first page.'),
  ),
});

/** The query members of partners' lists. */
export const paged = pageMembers(limits.pageSize);

export const NextCursor = Type.Nullable(Cursor);

export const Policy = Type.ResponseObject('Policy', 'A rule or standard, as a text for guests.', {
  label: Type.String(),
  body: Type.String(),
});

/** Spec: LISTING-5. */
const Completeness = Type.Enum(['complete', 'partial', 'unavailable'], {
  $id: 'Completeness',
  description: 'Whether a result is complete.',
});

export const Meta = Type.ResponseObject('Meta', 'Freshness and completeness of a result.', {
  asOf: Type.Nullable(
    Type.Instant(
      'The time up to which the result includes all changes: at most one minute ago in a search, two minutes in a calendar. For listings: when the catalog last changed, so that equal content has equal bytes and an equal `ETag` in every process.',
    ),
  ),
  completeness: Completeness,
  definitionVersion: Type.String({
    minLength: 1,
    description:
      'The source of the result; `booking-simulation/1` means that it is simulated, `latchkey-inventory/1` that it is the operator’s own inventory.',
  }),
  sections: Type.Optional(
    Type.Record(
      Type.String(),
      Type.ResponseObject('SectionMeta', 'Freshness and completeness of a section.', {
        asOf: Type.Nullable(Type.Instant('When the section was read.')),
        completeness: Completeness,
      }),
    ),
  ),
});
export type Meta = Type.Static<typeof Meta>;

const otherGuests = (description: string) =>
  Type.Optional(
    Type.WholeFrom(limits.otherGuests.min, limits.otherGuests.max, `${description} 0 if absent.`),
  );

export const PartyInput = Type.RequestObject(
  'PartyInput',
  'The guests and pets. Adult: 18 or older at check-in. Child: 2 to 17. Infant: under 2. Absent members, except `adults`, are 0.',
  {
    adults: Type.WholeFrom(
      limits.adults.min,
      limits.adults.max,
      `At least one. Adults count against \`sleeps\`. If \`sleeps\` is null, the maximum is ${limits.guestsWithoutSleeps} adults and children.`,
    ),
    children: otherGuests('Children count against `sleeps`, like adults.'),
    infants: otherGuests(
      `Infants do not count against \`sleeps\`. The maximum for any home is ${limits.infants}.`,
    ),
    pets: otherGuests('Only if the home accepts pets.'),
    childAges: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 17 }), {
        maxItems: limits.otherGuests.max,
        description:
          'The age of each child at check-in: exactly one for each of `children`. Some taxes and fees depend on it. Without it, every child counts where a range of ages holds an age from 2 to 17.',
      }),
    ),
  },
);
export type PartyInput = Type.Static<typeof PartyInput>;

export const Party = Type.ResponseObject(
  'Party',
  'The guests and pets. Adult: 18 or older at check-in. Child: 2 to 17. Infant: under 2.',
  {
    adults: Type.Integer(),
    children: Type.Integer(),
    infants: Type.Integer(),
    pets: Type.Integer(),
    childAges: Type.Optional(
      Type.Array(Type.Integer(), {
        description: 'The age of each child at check-in, as sent. Absent: not known.',
      }),
    ),
  },
);
