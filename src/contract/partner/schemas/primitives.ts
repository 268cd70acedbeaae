import Type from 'typebox';
import { limits } from '../../limits.ts';
import { patterns } from '../../patterns.ts';

/** An ID in a request. Spec: Resources and their fields. */
export const UuidInput = (description: string) =>
  Type.String({
    format: 'uuid',
    pattern: patterns.uuid.pattern,
    maxLength: 36,
    description,
  });

/** An ID in an answer, always in lower case. */
export const Uuid = (description: string) => Type.String({ format: 'uuid', description });

/** A calendar date at the property. Spec: Conventions, 1. */
export const CalendarDate = (description: string) =>
  Type.String({ format: 'date', pattern: patterns.date.pattern, description });

export const Instant = (description: string) => Type.String({ format: 'date-time', description });

export const Minor = (description: string) => Type.Integer({ description });

export const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** An object of a request: members that we do not know are refused, so that a typo cannot pass. */
export const requestOptions = (id: string, description: string) => ({
  $id: id,
  description,
  additionalProperties: false,
});

/** An object of an answer: it may gain members within a wire version. Spec: Versioning, rule 2. */
export const responseOptions = (id: string, description: string) => ({ $id: id, description });

export const Cursor = Type.String({
  $id: 'Cursor',
  minLength: limits.cursorLength.min,
  maxLength: limits.cursorLength.max,
  pattern: patterns.cursor.pattern,
  description:
    'Where a list goes on. Opaque: take it from `nextCursor`, never build one. It is sealed, and good only for the operation, the application and the filters that it came from; `limit` may differ. Any other is `invalid_input`.',
});

/** The cursor of a body: an empty one counts as left out, as in a query. */
export const EmptiableCursor = Type.String({
  $id: 'EmptiableCursor',
  maxLength: limits.cursorLength.max,
  pattern: patterns.emptiableCursor.pattern,
  description: 'As `Cursor`. An empty text counts as left out: the list begins.',
});

export const PageLimit = Type.Integer({
  minimum: limits.pageSize.min,
  maximum: limits.pageSize.max,
  description: `How many items to answer with, at most; ${limits.pageSize.default} when left out.`,
});

export const NextCursor = Nullable(Cursor);

export const Policy = Type.Object(
  { label: Type.String(), body: Type.String() },
  responseOptions('Policy', 'A rule or standard, as text for guests.'),
);

/** Spec: Freshness metadata. */
const completeness = ['complete', 'partial', 'unavailable'] as const;

export const Meta = Type.Object(
  {
    asOf: Nullable(
      Instant(
        'When the result was read. For listings it is when the catalog last changed, so that the same content has the same bytes and the same `ETag`, whichever process answers.',
      ),
    ),
    completeness: Type.Enum([...completeness]),
    definitionVersion: Type.String({
      minLength: 1,
      description: 'What made the result; `booking-simulation/1` says that it is simulated.',
    }),
    sections: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({
          asOf: Nullable(Instant('When the section was read.')),
          completeness: Type.Enum([...completeness]),
        }),
      ),
    ),
  },
  responseOptions('Meta', 'How fresh and how complete a result is.'),
);
export type Meta = Type.Static<typeof Meta>;

const otherGuests = (description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: limits.otherGuests.min,
      maximum: limits.otherGuests.max,
      description: `${description} 0 when left out.`,
    }),
  );

export const PartyInput = Type.Object(
  {
    adults: Type.Integer({
      minimum: limits.adults.min,
      maximum: limits.adults.max,
      description: `At least one. They count against \`sleeps\`; where that is null, ${limits.guestsWithoutSleeps} adults and children are the most.`,
    }),
    children: otherGuests('Count against `sleeps`, as adults do.'),
    infants: otherGuests(
      `Do not count against \`sleeps\`, but more than ${limits.infants} are too many for any home.`,
    ),
    pets: otherGuests('Where the listing takes them.'),
  },
  requestOptions('PartyInput', 'Who comes. Members left out, `adults` apart, are 0.'),
);
export type PartyInput = Type.Static<typeof PartyInput>;

export const Party = Type.Object(
  {
    adults: Type.Integer(),
    children: Type.Integer(),
    infants: Type.Integer(),
    pets: Type.Integer(),
  },
  responseOptions('Party', 'Who comes.'),
);
