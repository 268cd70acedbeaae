import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Choice } from '../../../base/components/choice.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { ButtonLink, ListedLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { counted } from '../../../base/words/plural.ts';
import { catalogsQuery, homesOffset, homesPageSize, homesQuery } from '../../api/homes-queries.ts';
import type { HomePage } from '../../api/homes-types.ts';
import { moneyText } from '../../../base/words/money.ts';
import { hrefOf } from '../../words/addresses.ts';
import { useMay } from '../../frame/session.ts';
import { openReplaceText } from './replace-text.tsx';
import { WithdrawnHomes } from './withdrawn.tsx';

const typedMs = 250;

const columns: readonly Column<HomePage['items'][number]>[] = [
  {
    name: 'Home',
    cell: ({ slug, name }) => <ListedLink href={hrefOf(['homes', slug])}>{name}</ListedLink>,
  },
  { name: 'Where', cell: ({ destination }) => destination ?? '–' },
  { name: 'Sleeps', isFigure: true, cell: ({ sleeps }) => sleeps ?? '–' },
  { name: 'Bedrooms', isFigure: true, cell: ({ bedrooms }) => bedrooms ?? '–' },
  {
    name: 'Price of a night',
    isFigure: true,
    cell: ({ nightly, currency }) => (nightly === null ? '–' : moneyText(nightly, currency)),
  },
  { name: 'Pictures', isFigure: true, cell: ({ pictures }) => pictures },
];

interface Filter {
  text: string | undefined;
  catalogId: string | undefined;
}

/** The homes that catalogs sell. */
function HomesForSale({
  filter,
  offset,
  onGo,
}: {
  filter: Filter;
  offset: string | undefined;
  onGo: (offset: number) => void;
}) {
  const query = useQuery(homesQuery(filter, offset));
  const first = homesOffset(offset);
  return (
    <Loaded query={query}>
      {(page) =>
        page.items.length === 0 ? (
          <Empty title="No home">
            {filter.text ? 'No home matches the search.' : 'Import a catalog, or add a home.'}
          </Empty>
        ) : (
          <>
            <Text size="sm" c="dimmed">
              {counted(page.total, 'home')}
            </Text>
            <ItemTable
              caption="Homes"
              columns={columns}
              items={page.items}
              keyOf={({ listingId }) => listingId}
            />
            <Group justify="center" gap="xs">
              <Button
                variant="default"
                size="xs"
                disabled={first === 0}
                onClick={() => onGo(Math.max(0, first - homesPageSize))}
              >
                Back
              </Button>
              <Button
                variant="default"
                size="xs"
                disabled={first + homesPageSize >= page.total}
                onClick={() => onGo(first + homesPageSize)}
              >
                More
              </Button>
            </Group>
          </>
        )
      }
    </Loaded>
  );
}

/** The homes: those for sale, or those that a catalog no longer sells. */
export function Homes() {
  const search = useSearch({ from: '/inside/homes' });
  const navigate = useNavigate({ from: '/homes' });
  const catalogs = useQuery(catalogsQuery);
  const { text, catalogId, cursor } = search;
  const isWithdrawn = search.state === 'withdrawn';
  const canAct = useMay('inventory');
  const go = (changes: Partial<typeof search>) =>
    void navigate({
      search: (before) => ({ ...before, offset: undefined, cursor: undefined, ...changes }),
      replace: true,
    });
  const typed = useDebouncedCallback((value: string) => go({ text: value || undefined }), typedMs);
  const { items = [] } = catalogs.data ?? {};
  const chosen = items.find((each) => each.catalogId === catalogId) ?? items[0];
  return (
    <Stack gap="md">
      <PageTitle title="Homes">
        {canAct && !isWithdrawn && (
          <Button variant="default" onClick={() => openReplaceText({ text, catalogId })}>
            Replace a text
          </Button>
        )}
        {canAct && <ButtonLink to="/homes/add">Add a home</ButtonLink>}
      </PageTitle>
      <Stack gap="md">
        <Group gap="xs" align="flex-end">
          <NativeSelect
            label="Show"
            size="xs"
            className="choice"
            value={isWithdrawn ? 'withdrawn' : ''}
            onChange={({ currentTarget }) => go({ state: currentTarget.value || undefined })}
            data={[
              { value: '', label: 'For sale' },
              { value: 'withdrawn', label: 'Not for sale' },
            ]}
          />
          {!isWithdrawn && (
            <TextInput
              label="Search"
              placeholder="Name or place"
              size="xs"
              className="choice"
              defaultValue={text ?? ''}
              onChange={({ currentTarget }) => typed(currentTarget.value.trim())}
            />
          )}
          {items.length > 1 && (
            <Choice
              label="Catalog"
              value={isWithdrawn ? chosen?.catalogId : catalogId}
              choices={items.map(({ catalogId: value, name: label }) => ({ value, label }))}
              onChoose={(value) => go({ catalogId: value })}
            />
          )}
        </Group>
        {!isWithdrawn && (
          <HomesForSale
            filter={{ text, catalogId }}
            offset={search.offset}
            onGo={(offset) => go({ offset: String(offset) })}
          />
        )}
        {isWithdrawn && chosen && (
          <WithdrawnHomes
            catalog={chosen.slug}
            cursor={cursor}
            onGo={(next) => go({ cursor: next })}
          />
        )}
      </Stack>
    </Stack>
  );
}
