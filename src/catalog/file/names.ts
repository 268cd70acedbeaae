/** Checks that the names of a catalog file are unique, and that what they refer to exists. */

import { canonicalCode } from '../../pricing/index.ts';
import type { Batch } from './read-catalog-file.ts';

/** The slugs that the catalog already has; a file may refer to them. */
export interface KnownSlugs {
  listings: { has(slug: string): boolean };
  collections: { has(slug: string): boolean };
}

type Report = (pointer: string, message: string) => void;

/** Creates the check of one file. It is called with every batch, in order. */
export function createNameCheck(known: KnownSlugs): (batch: Batch) => void {
  // The index in the file; -1: in an entry with problems, or in the head.
  const listings = new Map<string, number>();
  const ids = new Map<string, number>();
  const codes = new Map<string, number>();
  const collections = new Set<string>();

  function unique(
    names: Map<string, number>,
    name: string,
    at: number,
    [list, member]: readonly [list: string, member: string],
    report: Report,
  ): void {
    const first = names.get(name);
    if (first === undefined) names.set(name, at);
    else report(`/${member}`, `repeats /${list}/${first}/${member}`);
  }

  function checkListing(slug: string, pointer: string, report: Report): void {
    if (listings.has(slug) || known.listings.has(slug)) return;
    report(pointer, `there is no listing ${slug} in this catalog`);
  }

  function checkCollection(slug: string, pointer: string, report: Report): void {
    if (collections.has(slug) || known.collections.has(slug)) return;
    report(pointer, `there is no collection ${slug} in this catalog`);
  }

  return (batch) => {
    switch (batch.list) {
      case 'head':
        for (const slug of batch.collections) collections.add(slug);
        return;
      case 'listings':
        for (const { at, value, report } of batch.entries) {
          unique(listings, value.slug, at, ['listings', 'slug'], report);
          const { listingId, collection } = value;
          if (listingId !== null) unique(ids, listingId, at, ['listings', 'listingId'], report);
          if (collection !== null) checkCollection(collection, '/collection', report);
        }
        for (const slug of batch.failed) if (!listings.has(slug)) listings.set(slug, -1);
        return;
      case 'promotions':
        for (const { at, value, report } of batch.entries) {
          unique(codes, canonicalCode(value.code), at, ['promotions', 'code'], report);
          const { listings: homes, collections: groups } = value;
          homes?.forEach((slug, index) => checkListing(slug, `/listings/${index}`, report));
          groups?.forEach((slug, index) => checkCollection(slug, `/collections/${index}`, report));
        }
        return;
      case 'blocks':
        for (const { value, report } of batch.entries) {
          checkListing(value.listing, '/listing', report);
        }
    }
  };
}
