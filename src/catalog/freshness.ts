import { after, type MaybePromise } from '../api/maybe-promise.ts';
import { refuse, type Refusal } from '../contract/errors.ts';
import { type EpochMs, instant } from '../contract/time.ts';
import { DatabaseUnavailableError } from '../platform/postgres/database-errors.ts';
import type { Catalog } from './catalog.ts';
import type { CatalogContext } from './context.ts';

type Known = Pick<CatalogContext, 'catalog' | 'isCurrent'>;

/**
 * Reads what the feed of changes has published, if this process may not have it. Null: it has. Throws
 * `DatabaseUnavailableError`. Spec: COPY-2.
 */
export function followTold({
  catalog,
  isCurrent,
}: Known): MaybePromise<Refusal<'unavailable'> | null> {
  if (isCurrent()) return null;
  return catalog
    .followSoon()
    .then((isFollowed) => (isFollowed ? null : { ...refuse('unavailable'), retryAfterSeconds: 1 }));
}

/**
 * Reads the catalog of an application that this process does not know: it may be new. Throws
 * `DatabaseUnavailableError` if that takes too long.
 */
export async function untilKnown(catalog: Catalog, catalogId: string): Promise<void> {
  if (catalog.has(catalogId) || (await catalog.followSoon())) return;
  throw new DatabaseUnavailableError('the catalog is still being read');
}

/** Answers after this process has read what the feed of changes has published. */
export const withFollowed = <T>(
  context: Known,
  answer: () => T,
): MaybePromise<T | Refusal<'unavailable'>> =>
  after(followTold(context), (refusal) => refusal ?? answer());

// Many consecutive responses have the same time.
let lastAsOf = { asOf: 0, text: instant(0) };

/** An instant of many responses as text. */
export function asOfText(asOf: EpochMs): string {
  if (asOf !== lastAsOf.asOf) lastAsOf = { asOf, text: instant(asOf) };
  return lastAsOf.text;
}

/** The time up to which a response from the catalog includes all changes. */
export const catalogAsOf = ({ catalog }: Known): string => asOfText(catalog.knownUntil());
