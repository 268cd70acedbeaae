/** The collections of a catalog, as staff name them. */

import { refuse, type Refusal } from '../contract/errors.ts';
import type { StoredCatalog } from './store/catalogs.ts';

/** The slug of a collection; null: the catalog has no such collection. */
export const slugOfCollection = (
  { collections }: StoredCatalog,
  id: string | null,
): string | null => collections.find(({ collectionId }) => collectionId === id)?.slug ?? null;

/**
 * The ID of a collection. Refuses one that the catalog does not have.
 *
 * @param path the member of the request that names it
 */
export function collectionIdOf(
  { slug: catalog, collections }: StoredCatalog,
  slug: string | null,
  path: '/listing/collection' | '/collection',
): string | null | Refusal<'invalid_input'> {
  if (slug === null) return null;
  const found = collections.find((each) => each.slug === slug);
  if (found) return found.collectionId;
  const message = `there is no collection ${slug} in the catalog ${catalog}`;
  return refuse('invalid_input', { fields: [{ path, message }] });
}
