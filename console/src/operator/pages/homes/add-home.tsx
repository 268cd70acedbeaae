import { Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { Loaded } from '../../../base/components/loaded.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { useUnsaved } from '../../../base/components/unsaved.tsx';
import { homes } from '../../api/homes.ts';
import { catalogsQuery, homeQuery } from '../../api/homes-queries.ts';
import type { HomeContent, HomeDetail } from '../../api/homes-types.ts';
import { useMay } from '../../frame/session.ts';
import { Calculator, usePrice } from './calculator.tsx';
import { Collection } from './collection.tsx';
import { HomeFailure } from './home-failure.tsx';
import { HomeForm } from './home-form.tsx';
import { problemsOf } from './home-page.tsx';

const blank: HomeContent = { slug: '', name: '', currency: 'EUR', rates: {} };

/** A new home like another one: without what only that one has. */
function copyOf({ listing }: HomeDetail): HomeContent {
  const { listingId: _id, slug: _slug, registration: _number, images: _images, ...same } = listing;
  return { ...same, slug: '', name: '' };
}

const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

/** The form of a new home. */
function NewHome({ start, from }: { start: HomeContent; from: HomeDetail | null }) {
  const navigate = useNavigate();
  const catalogs = useQuery(catalogsQuery);
  const [draft, setDraft] = useState(start);
  const [catalog, setCatalog] = useState<string | null>(from?.catalog ?? null);
  // A price does not depend on the names, which are still missing.
  const priced = useMemo(
    () => ({ ...draft, slug: draft.slug || 'new-home', name: draft.name || 'New home' }),
    [draft],
  );
  const price = usePrice(priced);
  const { items = [] } = catalogs.data ?? {};
  const chosen = catalog ?? items[0]?.slug;
  const add = useMutation({
    mutationFn: (isDraft: boolean) =>
      homes.add({ ...(chosen && { catalog: chosen }), draft: isDraft, listing: draft }),
    meta: { shown: true },
    onSuccess: ({ listing: { slug, name }, places }) => {
      notifyDone(places.length > 0 ? `${name} is for sale.` : `${name} is kept as a draft.`);
      const params = { listing: slug };
      void navigate({ to: '/homes/$listing', params, ignoreBlocker: true });
    },
  });
  useUnsaved(draft !== start);
  const problems = problemsOf(add.error ?? price.query.error);
  return (
    <>
      <div className="home-head">
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
            <>
              <Button variant="default" loading={add.isPending} onClick={() => add.mutate(false)}>
                Add and sell
              </Button>
              <Button loading={add.isPending} onClick={() => add.mutate(true)}>
                Keep as a draft
              </Button>
            </>
          )}
        </PageTitle>
      </div>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {from && `Everything as at ${from.listing.name}, without its pictures and registration. `}
          A draft is not sold until you offer it on its page.
        </Text>
        {add.error && <HomeFailure error={add.error} />}
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

/** Adds a home to a catalog: empty, or like another one. */
export function AddHome() {
  const { copy } = useSearch({ from: '/inside/homes/add' });
  const query = useQuery({ ...homeQuery(copy ?? ''), enabled: copy !== undefined });
  if (copy === undefined) return <NewHome start={blank} from={null} />;
  return (
    <Loaded query={query}>
      {(home) => <NewHome key={home.listingId} start={copyOf(home)} from={home} />}
    </Loaded>
  );
}
