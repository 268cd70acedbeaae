import { useQuery } from '@tanstack/react-query';
import { catalogsQuery } from '../api/homes-queries.ts';

/** The name of a catalog, with its slug on hover. */
export function CatalogName({ slug }: { slug: string | null }) {
  const { data } = useQuery(catalogsQuery);
  if (slug === null) return '–';
  const name = data?.items.find((catalog) => catalog.slug === slug)?.name;
  return <span title={slug}>{name ?? slug}</span>;
}
