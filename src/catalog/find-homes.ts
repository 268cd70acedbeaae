import type { Catalog } from './catalog.ts';
import type { CatalogView, PublishedListing } from './view.ts';

/** Which homes a list of staff has: those that match all members. */
export interface HomesFilter {
  /** In name, slug or destination; case and accents do not count. */
  text?: string | undefined;
  catalogId?: string | undefined;
  collectionId?: string | undefined;
}

/** Homes of a list, and how many it has. */
export interface FoundHomes {
  homes: readonly PublishedListing[];
  total: number;
}

const folded = (text: string): string =>
  text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const texts = new WeakMap<PublishedListing, string>();

function textOf(published: PublishedListing): string {
  const known = texts.get(published);
  if (known !== undefined) return known;
  const { name, slug, destination } = published.listing;
  const made = folded(`${name}\n${slug}\n${destination ?? ''}`);
  texts.set(published, made);
  return made;
}

/** The homes of several catalogs, each once. */
function once(lists: readonly (readonly PublishedListing[])[]): readonly PublishedListing[] {
  const [only = [], ...others] = lists.filter(({ length }) => length > 0);
  if (others.length === 0) return only;
  const byId = new Map(only.map((home) => [home.listing.listingId, home]));
  for (const home of others.flat()) {
    if (!byId.has(home.listing.listingId)) byId.set(home.listing.listingId, home);
  }
  return [...byId.values()];
}

const viewsOf = (catalog: Catalog, catalogId: string | undefined): CatalogView[] =>
  [...catalog.views()].filter((view) => catalogId === undefined || view.catalogId === catalogId);

/**
 * Finds homes that catalogs sell, in the order of the catalogs, from what this process knows of them. 100,000
 * homes take some milliseconds, and no query. `isWanted`: only those for which it is true.
 */
export function findHomes(
  catalog: Catalog,
  { text = '', catalogId, collectionId }: HomesFilter,
  { offset, limit }: { offset: number; limit: number },
  isWanted?: (home: PublishedListing) => boolean,
): FoundHomes {
  const all = once(viewsOf(catalog, catalogId).map((view) => view.within(collectionId)));
  const wanted = folded(text.trim());
  const named = wanted === '' ? all : all.filter((home) => textOf(home).includes(wanted));
  const found = isWanted ? named.filter(isWanted) : named;
  return { homes: found.slice(offset, offset + limit), total: found.length };
}
