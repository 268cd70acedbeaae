/** The types of schemas: those of TypeBox, and ours. Imported as `Type`. */
import Type from 'typebox';
import { patterns } from './patterns.ts';

export * from 'typebox';

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

/** A whole number of a response. */
export const Whole = (description: string) => Type.Integer({ description });

/** A text of a request, with at least one character. */
export const GivenText = (longest: number, description: string, form?: { pattern: string }) =>
  Type.String({
    minLength: 1,
    maxLength: longest,
    ...(form && { pattern: form.pattern }),
    description,
  });

/** A whole number of a request. */
export const WholeFrom = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });

/** A whole number without a largest one. */
export const AtLeast = (minimum: number, description: string) =>
  Type.Integer({ minimum, description });

/** Whether something is so. */
export const Flag = (description: string) => Type.Boolean({ description });

export const Minor = (description: string) => Type.Integer({ description });

/** A schema, or null; described together, or the schema alone. */
export const Nullable = <T extends Type.TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** Members that may be absent. */
export const AllOptional = <Members extends Type.TProperties>(members: Members) =>
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

/** A whole list. */
export const ListOf = <T extends Type.TSchema>(item: T, $id: string, description: string) =>
  ResponseObject($id, description, { items: Type.Array(item) });

/** A date that is stored, or that staff search for: in the years 1900 to 8999. */
export const KeptDate = (description: string) =>
  Type.String({ format: 'date', pattern: patterns.keptDate.pattern, description });

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
