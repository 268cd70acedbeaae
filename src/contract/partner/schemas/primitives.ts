import Type from 'typebox';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';

/** An ID in a request. Spec: CALL-7. */
export const UuidInput = (description: string) =>
  Type.String({
    format: 'uuid',
    pattern: patterns.uuid.pattern,
    maxLength: 36,
    description,
  });

/** An ID in a response, always in lower case. */
export const Uuid = (description: string) => Type.String({ format: 'uuid', description });

/** A calendar date at the property. Spec: CALL-15. */
export const CalendarDate = (description: string) =>
  Type.String({ format: 'date', pattern: patterns.date.pattern, description });

/** An instant in a request. */
export const InstantInput = (description: string) =>
  Type.String({ format: 'date-time', pattern: patterns.instant.pattern, description });

export const Instant = (description: string) => Type.String({ format: 'date-time', description });

/** A text of a response. */
export const Text = (description: string) => Type.String({ description });

/** A number of a response. */
export const Integer = (description: string) => Type.Integer({ description });

/** Whether something is so. */
export const Flag = (description: string) => Type.Boolean({ description });

export const Minor = (description: string) => Type.Integer({ description });

export const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Members that may be absent. */
export const optional = <Members extends Type.TProperties>(members: Members) =>
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as { [Name in keyof Members]: Type.TOptional<Members[Name]> };

/** A schema with an `$id`, described for one place where it is used. */
export const Described = <T extends Type.TSchema>(schema: T, here: string): T =>
  Type.With(schema, { here }) as T;

/** A union that is told apart by a member, in a place that also takes what has a value that nobody knows yet. */
export const OrUnknown = <T extends Type.TSchema>(schema: T, otherwise: Type.TSchema): T =>
  Type.With(schema, { otherwise }) as T;

/** Builds an object from its name in the documents and its description, where it has them, and its members. */
interface ObjectBuilder {
  <Members extends Type.TProperties>(members: Members): Type.TObject<Members>;
  <Members extends Type.TProperties>($id: string, members: Members): Type.TObject<Members>;
  <Members extends Type.TProperties>(
    $id: string,
    description: string,
    members: Members,
  ): Type.TObject<Members>;
}

const objectsWith =
  (options: Type.TObjectOptions): ObjectBuilder =>
  <Members extends Type.TProperties>(...given: readonly [...string[], Members]) => {
    const [$id, description] = given.slice(0, -1) as string[];
    return Type.Object(given.at(-1) as Members, {
      ...($id !== undefined && { $id }),
      ...(description !== undefined && { description }),
      ...options,
    });
  };

/** An object of a request: unknown members are refused, so that a typo cannot go unnoticed. */
export const RequestObject = objectsWith({ additionalProperties: false });

/** An object of a response: members may be added within a wire version. Spec: VERSION-2. */
export const ResponseObject = objectsWith({});

/** The body of a call that changes something and needs no input, in the portal and the operator's API. */
export const EmptyBody = RequestObject(
  'EmptyBody',
  'An object without members. It proves that no HTML form of another site sent the call.',
  {},
);

/**
 * An enum of a response to which values may be added within a wire version: the document accepts any text, so that
 * a validator made from it does. Spec: VERSION-3.
 */
export const OpenEnum = <const V extends readonly string[]>(
  values: V,
  $id: string,
  description: string,
) => Type.Enum<[...V]>([...values], { $id, description, open: true });

/** The values of an open enum that exist today: what a caller can choose from. */
export const KnownValue = <V extends string[]>(schema: Type.TEnum<V>): Type.TEnum<V> => {
  const { $id } = schema as { $id?: string };
  return Type.Enum<V>([...schema.enum] as unknown as V, {
    $id: `Known${$id}`,
    description: `The values of \`${$id}\` that exist today.`,
  });
};

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
    Type.Integer({
      minimum: size.min,
      maximum: size.max,
      description: `Maximum number of items; ${size.default} if absent.`,
    }),
  ),
  cursor: Type.Optional(
    Described(Cursor, '`nextCursor` of the previous page. Absent: the first page.'),
  ),
});

/** The query members of partners' lists. */
export const paged = pageMembers(limits.pageSize);

export const NextCursor = Nullable(Cursor);

export const Policy = ResponseObject('Policy', 'A rule or standard, as a text for guests.', {
  label: Type.String(),
  body: Type.String(),
});

/** Spec: LISTING-5. */
const Completeness = Type.Enum(['complete', 'partial', 'unavailable'], {
  $id: 'Completeness',
  description: 'Whether a result is complete.',
});

export const Meta = ResponseObject('Meta', 'Freshness and completeness of a result.', {
  asOf: Nullable(
    Instant(
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
      ResponseObject('SectionMeta', 'Freshness and completeness of a section.', {
        asOf: Nullable(Instant('When the section was read.')),
        completeness: Completeness,
      }),
    ),
  ),
});
export type Meta = Type.Static<typeof Meta>;

const otherGuests = (description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: limits.otherGuests.min,
      maximum: limits.otherGuests.max,
      description: `${description} 0 if absent.`,
    }),
  );

export const PartyInput = RequestObject(
  'PartyInput',
  'The guests and pets. Adult: 18 or older at check-in. Child: 2 to 17. Infant: under 2. Absent members, except `adults`, are 0.',
  {
    adults: Type.Integer({
      minimum: limits.adults.min,
      maximum: limits.adults.max,
      description: `At least one. Adults count against \`sleeps\`. If \`sleeps\` is null, the maximum is ${limits.guestsWithoutSleeps} adults and children.`,
    }),
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

export const Party = ResponseObject(
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
