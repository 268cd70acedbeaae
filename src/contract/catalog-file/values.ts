/** Kinds of values in a catalog file. */
import * as Type from '../type.ts';
import { patterns } from '../patterns.ts';
import { weekdays } from '../weekdays.ts';

/** An object that has no other members. */
export const Closed = <Members extends Type.TProperties>(description: string, members: Members) =>
  Type.Object(members, { description, additionalProperties: false });

/** The largest amount: it keeps every sum of a stay far below the largest exact integer of a JSON number. */
export const largestAmount = 1_000_000_000_000;

/** A name in lower case that identifies something. */
export const Slug = (description: string) => Type.GivenText(100, description, patterns.slug);
/** An ID. */
export const Uuid = (description: string) =>
  Type.String({ pattern: patterns.uuid.pattern, description });
/** A short text. */
export const Name = (description: string) => Type.GivenText(200, description);
/** A long text. */
export const LongText = (description: string) => Type.String({ maxLength: 20_000, description });
/** A member that may be absent or null. */
export const OrNull = <T extends Type.TSchema>(schema: T) => Type.Optional(Type.Nullable(schema));
/** An amount in minor units. */
export const Amount = (description: string) =>
  Type.WholeFrom(0, largestAmount, `${description} In minor units of the currency.`);
/** A percentage from 0 to 100. */
export const Percent = (description: string) =>
  Type.Number({ minimum: 0, maximum: 100, description: `${description} At most four decimals.` });
/** A number of nights. */
export const Nights = (description: string) => Type.WholeFrom(1, 90, description);
/** A number of days. */
export const Days = (description: string) => Type.WholeFrom(0, 3_650, description);
/** A date. */
export const Date = (description: string) =>
  Type.String({ pattern: patterns.keptDate.pattern, description: `${description} YYYY-MM-DD.` });
/** A time of day. */
export const Time = (description: string) =>
  Type.String({ pattern: patterns.timeOfDay.pattern, description: `${description} HH:MM.` });
const Weekday = Type.Enum([...weekdays], { $id: 'Weekday' });
/** Some days of the week. */
export const Weekdays = (description: string) =>
  Type.Array(Weekday, { minItems: 1, uniqueItems: true, description });

const seasonDay = patterns.seasonDay.pattern;
const seasonDayText = '`MM-DD` applies every year, `YYYY-MM-DD` once.';
/** The first day of a part of the year. */
export const firstDay = Type.String({
  pattern: seasonDay,
  description: `First day. ${seasonDayText}`,
});
/** Its last day, included. */
export const lastDay = Type.String({
  pattern: seasonDay,
  description: `Last day, included. ${seasonDayText} Of the same form as \`from\`; an \`MM-DD\` before \`from\` spans the new year.`,
});
