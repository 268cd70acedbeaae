import { isUuid } from '../platform/uuid.ts';

/** The home and the dates that a call is about; null: it names none. */
export interface LoggedStay {
  listingId: string | null;
  checkIn: string | null;
  checkOut: string | null;
}

const isDate = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && name in value
    ? (value as Record<string, unknown>)[name]
    : undefined;

/**
 * Finds them in what a valid call carries, or in the quote of the resource that it is about. Nothing else of a body is
 * kept: it could be about a person.
 */
export function stayOf(...places: readonly unknown[]): LoggedStay {
  const all = places.flatMap((place) => [place, memberOf(place, 'quote')]);
  const first = <Value>(name: string, isWanted: (value: unknown) => value is Value): Value | null =>
    all.map((place) => memberOf(place, name)).find(isWanted) ?? null;
  return {
    listingId: first(
      'listingId',
      (value): value is string => typeof value === 'string' && isUuid(value.toLowerCase()),
    ),
    checkIn: first('checkIn', isDate),
    checkOut: first('checkOut', isDate),
  };
}
