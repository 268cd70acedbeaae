import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { catalogsQuery } from '../../api/homes-queries.ts';
import type { HomeContent } from '../../api/homes-types.ts';

/** The collection of a home in a catalog, by the slug of both. */
export function Collection({
  catalog,
  draft,
  onChange,
}: {
  catalog: string | null | undefined;
  draft: HomeContent;
  onChange: (draft: HomeContent) => void;
}) {
  const catalogs = useQuery(catalogsQuery);
  const own = catalogs.data?.items.find(({ slug }) => slug === catalog);
  if (!own || own.collections.length === 0) return undefined;
  return (
    <Select
      label={`Collection in ${own.name}`}
      clearable
      data={own.collections.map(({ slug, name }) => ({ value: slug, label: name }))}
      value={draft.collection ?? null}
      onChange={(collection) => onChange({ ...draft, collection })}
    />
  );
}
