import { useQuery } from '@tanstack/react-query';
import { ActButton } from '../../../base/components/act-button.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PagedTable } from '../../../base/components/paged.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { homes } from '../../api/homes.ts';
import { withdrawnQuery } from '../../api/homes-queries.ts';
import type { WithdrawnPage } from '../../api/homes-types.ts';
import { useMay } from '../../frame/session.ts';

type Withdrawn = WithdrawnPage['items'][number];

const columns: readonly Column<Withdrawn>[] = [
  {
    name: 'Home',
    cell: ({ slug, name }) => (
      <TextLink to="/homes/$listing" params={{ listing: slug }}>
        {name}
      </TextLink>
    ),
  },
  { name: 'Where', cell: ({ destination }) => destination ?? '–' },
  { name: 'Collection', cell: ({ collection }) => collection ?? '–' },
  { name: 'Not for sale since', cell: ({ withdrawnAt }) => <Moment at={withdrawnAt} /> },
];

/** Sells a home where it was, or a draft where it is to be. */
const back: Column<Withdrawn> = {
  name: 'Back',
  cell: ({ slug, name, catalog }) => (
    <ActButton
      size="xs"
      aria-label={`Offer for sale: ${name}`}
      act={() => homes.offer(slug, catalog)}
      done={`${name} is for sale.`}
    >
      Offer for sale
    </ActButton>
  ),
};

/** The homes that a catalog does not sell, drafts and withdrawn ones, with the way to sell them. */
export function WithdrawnHomes({
  catalog,
  cursor,
  onGo,
}: {
  catalog: string;
  cursor: string | undefined;
  onGo: (cursor: string | undefined) => void;
}) {
  const canAct = useMay('inventory');
  const query = useQuery(withdrawnQuery({ catalog, cursor }));
  return (
    <PagedTable
      query={query}
      cursor={cursor}
      onGo={onGo}
      first="Latest"
      next="Earlier"
      renderNone={() => (
        <Empty title="Every home is for sale">
          This catalog has no draft and no withdrawn home.
        </Empty>
      )}
      caption="Homes that are not for sale"
      columns={canAct ? [...columns, back] : columns}
      keyOf={({ listingId }) => listingId}
    />
  );
}
