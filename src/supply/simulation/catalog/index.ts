import { families } from './families.ts';
import { identityOf } from './identity.ts';
import { listingOf } from './listing.ts';
import { promotions } from './promotions.ts';
import type { SimulatedCatalog } from './shapes.ts';
import { site } from './site.ts';

/** The catalog of the simulation: the same at every start, and a copy of its own for every caller. */
export function simulatedCatalog(): SimulatedCatalog {
  return structuredClone({
    site,
    collections: families.map(({ slug, name, description }, position) => ({
      collectionId: identityOf('collection', slug),
      slug,
      name,
      description,
      position,
    })),
    listings: families.flatMap((family) => family.homes.map((home) => listingOf(family, home))),
    promotions,
  });
}
