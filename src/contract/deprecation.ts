import type { Row } from './rows.ts';

const epochSeconds = (date: string): number =>
  Temporal.PlainDate.from(date).toZonedDateTime('UTC').epochMilliseconds / 1000;

// Operations share most schemas.
const known = new WeakMap<object, string[]>();

/** Every `deprecatedSince` at any depth. A schema property with that name has an object as value and is skipped. */
function datesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const earlier = known.get(value);
  if (earlier) return earlier;
  const dates = Object.entries(value).flatMap(([key, inner]) =>
    key === 'deprecatedSince' && typeof inner === 'string' ? [inner] : datesIn(inner),
  );
  known.set(value, dates);
  return dates;
}

/**
 * The `Deprecation` header (RFC 9745) of an operation: `@` and the seconds since 1970 of the earliest
 * `deprecatedSince` on its row or on a schema of its input or response. Null: none.
 * Throws a RangeError for a date that does not exist. Spec: VERSION-5.
 */
export function deprecationOf(row: Row): string | null {
  const { params, query, body, reply, deprecatedSince } = row;
  const dates = datesIn({ params, query, body, reply, deprecatedSince });
  return dates.length === 0 ? null : `@${Math.min(...dates.map(epochSeconds))}`;
}
