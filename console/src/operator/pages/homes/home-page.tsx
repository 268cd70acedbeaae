import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Contents, sectionId } from '../../../base/components/contents.tsx';
import { CallFailure } from '../../../base/api/call.ts';
import { fieldErrors } from '../../../base/components/field-errors.ts';
import { ButtonLink, TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { notifyDone, notifyUndo } from '../../../base/components/notify.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Section } from '../../../base/components/section.tsx';
import { useUnsaved } from '../../../base/components/unsaved.tsx';
import { homes } from '../../api/homes.ts';
import { catalogsQuery, homeQuery } from '../../api/homes-queries.ts';
import type { HomeContent, HomeDetail } from '../../api/homes-types.ts';
import { UnusualPrices, unusualOf } from '../../components/unusual-prices.tsx';
import { useMay } from '../../frame/session.ts';
import { Calculator, usePrice } from './calculator.tsx';
import { Collection } from './collection.tsx';
import { HomeFailure } from './home-failure.tsx';
import { HomeForm, sections, wordsOfMember } from './home-form.tsx';
import { mergeDrafts } from './merge-drafts.ts';
import type { Problems } from './values.ts';

const inBody = '/listing';

/** What the service says of members of the home, by their place in it. */
export function problemsOf(error: Error | null): Problems {
  const ofHome = [...fieldErrors(error)].filter(([path]) => path.startsWith(inBody));
  return new Map(ofHome.map(([path, message]) => [path.slice(inBody.length), message]));
}

const isStale = (error: Error | null): boolean =>
  error instanceof CallFailure && error.code === 'precondition_failed';

/** The catalogs that sell the home. */
function Places({ home }: { home: HomeDetail }) {
  const canAct = useMay('inventory');
  const client = useQueryClient();
  const catalogs = useQuery(catalogsQuery);
  const change = useMutation({
    mutationFn: ({ catalog, sells }: { catalog: string; sells: boolean }) =>
      sells ? homes.withdraw(home.listing.slug, catalog) : homes.offer(home.listing.slug, catalog),
    onSuccess: (_, { catalog, sells }) => {
      const { slug, name } = home.listing;
      if (!sells) notifyDone(`${name} is for sale.`);
      else
        notifyUndo(`${name} is withdrawn.`, async () => {
          await homes.offer(slug, catalog);
          await client.invalidateQueries();
        });
    },
  });
  return (
    <Section
      id={sectionId('Catalogs')}
      title="Catalogs"
      about="Reservations and blocks stay when a home is withdrawn."
    >
      <Stack gap="xs">
        {(catalogs.data?.items ?? []).map(({ slug, name }) => {
          const place = home.places.find(({ catalog }) => catalog === slug);
          return (
            <Group key={slug} justify="space-between">
              <span className="break">
                {name}{' '}
                {place && (
                  <Badge variant="light" color="teal" className="badge">
                    For sale
                  </Badge>
                )}
              </span>
              {canAct && (
                <Button
                  size="xs"
                  variant="default"
                  color={place ? 'red' : 'gray'}
                  loading={change.isPending}
                  onClick={() => change.mutate({ catalog: slug, sells: place !== undefined })}
                >
                  {place ? 'Withdraw' : 'Sell here'}
                </Button>
              )}
            </Group>
          );
        })}
      </Stack>
    </Section>
  );
}

const textOfMembers = (pointers: readonly string[]): string =>
  [...new Set(pointers.map(wordsOfMember))].join(', ');

/** Says what somebody else has saved while the form was open, and lets the person go on with or without what they typed. */
function ChangedMeanwhile({
  base,
  draft,
  saved,
  onKeep,
  onDiscard,
}: {
  base: HomeContent;
  draft: HomeContent;
  saved: HomeContent;
  onKeep: (merged: HomeContent) => void;
  onDiscard: () => void;
}) {
  const { merged, theirs, both } = mergeDrafts(base, draft, saved);
  return (
    <Alert color="yellow" variant="light" title="Somebody else has changed this home" mt="xs">
      <Group justify="space-between">
        <Text size="sm" className="break">
          Changed by them: {textOfMembers(theirs) || 'the catalog'}.
          {both.length > 0 && ` Your entries would replace theirs in: ${textOfMembers(both)}.`}
        </Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => onKeep(merged)}>
            Keep my entries
          </Button>
          <Button size="xs" variant="default" onClick={onDiscard}>
            Discard my entries
          </Button>
        </Group>
      </Group>
    </Alert>
  );
}

/** What a save has met is in view, however far down it was pressed. */
const reveal = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'center' });

function HomeEditor({ home, readAgain }: { home: HomeDetail; readAgain: () => void }) {
  // Reading the home again does not overwrite what was typed.
  const [base, setBase] = useState(home);
  const [draft, setDraft] = useState<HomeContent>(home.listing);
  const price = usePrice(draft);
  const canAct = useMay('inventory');
  const { slug } = base.listing;
  const [isAllowed, setAllowed] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      homes.change(slug, {
        version: base.version,
        ...(base.catalog !== null && { catalog: base.catalog }),
        allowUnusual: isAllowed,
        listing: draft,
      }),
    meta: { shown: true },
    onSuccess: (saved) => {
      setBase(saved);
      setDraft(saved.listing);
      setAllowed(false);
      notifyDone(`${saved.listing.name} is saved.`);
      readAgain();
    },
    onError: (error) => isStale(error) && readAgain(),
  });
  // What the service has refused counts until something changes; the price beside it is checked at once.
  const change = (next: HomeContent | ((before: HomeContent) => HomeContent)) => {
    setDraft(next);
    setAllowed(false);
    if (save.error && !isStale(save.error)) save.reset();
  };
  const hasChanged = JSON.stringify(draft) !== JSON.stringify(base.listing);
  useUnsaved(hasChanged);
  const unusual = unusualOf(save.error);
  const isOld = home.version > base.version;
  const goOnWith = (listing: HomeContent) => {
    setBase(home);
    setDraft(listing);
    save.reset();
  };
  if (isOld && !hasChanged) {
    setBase(home);
    setDraft(home.listing);
  }
  return (
    <>
      <div className="home-head">
        <PageTitle
          title={draft.name || slug}
          about={
            <>
              <TextLink to="/homes" underline="always">
                Homes
              </TextLink>{' '}
              / {slug} · {home.places.length === 0 && 'Not for sale · '}
              <TextLink to="/calendar" search={{ text: slug }} underline="always">
                Show on the calendar
              </TextLink>
            </>
          }
        >
          {canAct && (
            <>
              <Button
                variant="default"
                disabled={!hasChanged}
                onClick={() => setDraft(base.listing)}
              >
                Undo
              </Button>
              <Button disabled={!hasChanged} loading={save.isPending} onClick={() => save.mutate()}>
                Save
              </Button>
              <ButtonLink to="/homes/add" search={{ copy: slug }} variant="default">
                Copy
              </ButtonLink>
            </>
          )}
        </PageTitle>
        {isOld && (
          <ChangedMeanwhile
            base={base.listing}
            draft={draft}
            saved={home.listing}
            onKeep={goOnWith}
            onDiscard={() => goOnWith(home.listing)}
          />
        )}
      </div>
      <Stack gap="md">
        <Contents titles={[...sections, 'Price of a stay', 'Catalogs']} />
        {save.error && !isStale(save.error) && (
          <div ref={reveal}>
            {unusual ? (
              <UnusualPrices unusual={unusual} isAllowed={isAllowed} onChange={setAllowed} />
            ) : (
              <HomeFailure error={save.error} />
            )}
          </div>
        )}
        <div className="home-columns">
          <fieldset className="home-fieldset" disabled={!canAct}>
            <Stack gap="md">
              <Collection catalog={base.catalog} draft={draft} onChange={change} />
              <HomeForm
                draft={draft}
                problems={problemsOf(save.error ?? price.query.error)}
                onChange={change}
              />
            </Stack>
          </fieldset>
          <div className="home-side">
            <Stack gap="md">
              <Calculator {...price} />
              <Places home={home} />
            </Stack>
          </div>
        </div>
      </Stack>
    </>
  );
}

/** One home: everything about it, beside the price of a stay. */
export function HomePage() {
  const { listing } = useParams({ from: '/inside/homes/$listing' });
  const query = useQuery(homeQuery(listing));
  return (
    <Loaded query={query}>
      {(home) => (
        <HomeEditor key={home.listingId} home={home} readAgain={() => void query.refetch()} />
      )}
    </Loaded>
  );
}
