import { Button, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Failure } from '../../../base/components/failure.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { useUnsaved } from '../../../base/components/unsaved.tsx';
import { homes } from '../../api/homes.ts';
import { catalogsQuery } from '../../api/homes-queries.ts';
import type { HomeContent } from '../../api/homes-types.ts';
import { useMay } from '../../frame/session.ts';
import { Calculator, usePrice } from './calculator.tsx';
import { Collection } from './collection.tsx';
import { HomeForm } from './home-form.tsx';
import { problemsOf } from './home-page.tsx';

const blank: HomeContent = { slug: '', name: '', currency: 'EUR', rates: {} };

const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

/** Adds a home to a catalog. */
export function AddHome() {
  const navigate = useNavigate();
  const catalogs = useQuery(catalogsQuery);
  const [draft, setDraft] = useState(blank);
  const [catalog, setCatalog] = useState<string | null>(null);
  // A price does not depend on the names, which are still missing.
  const priced = useMemo(
    () => ({ ...draft, slug: draft.slug || 'new-home', name: draft.name || 'New home' }),
    [draft],
  );
  const price = usePrice(priced);
  const { items = [] } = catalogs.data ?? {};
  const chosen = catalog ?? items[0]?.slug;
  const add = useMutation({
    mutationFn: () => homes.add({ ...(chosen && { catalog: chosen }), listing: draft }),
    meta: { shown: true },
    onSuccess: ({ listing: { slug, name } }) => {
      notifyDone(`${name} is for sale.`);
      const params = { listing: slug };
      void navigate({ to: '/homes/$listing', params, ignoreBlocker: true });
    },
  });
  useUnsaved(draft !== blank);
  const problems = problemsOf(add.error ?? price.query.error);
  return (
    <>
      <PageTitle
        title="Add a home"
        about={
          <>
            <TextLink to="/homes" underline="always">
              Homes
            </TextLink>{' '}
            / new
          </>
        }
      >
        {useMay('inventory') && (
          <Button loading={add.isPending} onClick={() => add.mutate()}>
            Add
          </Button>
        )}
      </PageTitle>
      <Stack gap="md">
        {add.error && <Failure error={add.error} />}
        <div className="home-columns">
          <Stack gap="md">
            <Select
              label="Catalog"
              data={items.map(({ slug, name }) => ({ value: slug, label: name }))}
              value={chosen ?? null}
              onChange={(slug) => {
                setCatalog(slug);
                setDraft((before) => ({ ...before, collection: null }));
              }}
            />
            <Collection catalog={chosen} draft={draft} onChange={setDraft} />
            <TextInput
              label="Slug"
              description="Its identity in the installation. It never changes."
              value={draft.slug}
              error={problems.get('/slug')}
              onChange={({ currentTarget: { value } }) => setDraft({ ...draft, slug: value })}
            />
            <HomeForm
              draft={draft}
              problems={problems}
              onChange={(next) =>
                setDraft((before) => {
                  const changed = next(before);
                  const isDerived = before.slug === slugOf(before.name);
                  return isDerived ? { ...changed, slug: slugOf(changed.name) } : changed;
                })
              }
            />
          </Stack>
          <div className="home-side">
            <Calculator {...price} />
          </div>
        </div>
      </Stack>
    </>
  );
}
