import { Button, Group, Progress, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Empty } from '../../../base/components/empty.tsx';
import { ActButton } from '../../../base/components/act-button.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { homes } from '../../api/homes.ts';
import { CatalogName } from '../../components/catalog-name.tsx';
import { catalogsQuery, promotionsQuery } from '../../api/homes-queries.ts';
import type { ListedPromotion, PromotionContent } from '../../api/homes-types.ts';
import { dayText, stayText, todayInUtc } from '../../words/days.ts';
import { moneyText } from '../../../base/words/money.ts';
import { useMay } from '../../frame/session.ts';
import { PromotionForm } from './promotion-form.tsx';
import { PagedTable } from '../../../base/components/paged.tsx';
import { inOrder } from '../../../base/components/paging.tsx';

const states = {
  active: { name: 'Active', color: 'teal' },
  paused: { name: 'Paused', color: 'yellow' },
  ended: { name: 'Ended', color: 'gray' },
} as const;

const over = { name: 'Over', color: 'gray' } as const;

/** A promotion that nobody can use any more, though nobody has ended it. */
const isOver = ({ promotion: { bookTo }, state }: ListedPromotion): boolean =>
  state !== 'ended' && !!bookTo && bookTo < todayInUtc();

const discountText = ({ percent, amount, currency = '' }: PromotionContent): string =>
  percent === undefined ? moneyText(amount ?? 0, currency) : `${percent} %`;

type OptionalDay = string | null | undefined;

function rangeText(what: string, from: OptionalDay, to: OptionalDay): string {
  if (from && to) return `${what} ${stayText(from, to)}`;
  if (from) return `${what} from ${dayText(from)}`;
  return to ? `${what} until ${dayText(to)}` : '';
}

/** The days of the stays that it is for, and those on which it can be used. */
const whenText = ({ stayFrom, stayTo, bookFrom, bookTo }: PromotionContent): string[] =>
  [rangeText('Stays', stayFrom, stayTo), rangeText('Usable', bookFrom, bookTo)].filter(Boolean);

const When = (promotion: PromotionContent) => (
  <Stack gap={0}>
    {whenText(promotion).map((text) => (
      <span key={text}>{text}</span>
    ))}
  </Stack>
);

const Uses = ({ uses, promotion: { code, maxUses } }: ListedPromotion) =>
  maxUses ? (
    <Stack gap={2}>
      <span>
        {uses} of {maxUses}
      </span>
      <Progress size="sm" value={(uses / maxUses) * 100} aria-label={`Uses of ${code}`} />
    </Stack>
  ) : (
    uses
  );

const End = ({ code }: { code: string }) => (
  <ActButton
    act={() => homes.endPromotion(code)}
    question={{
      title: `End ${code}?`,
      text: 'Nobody can use it any more. Bookings that have it keep it.',
      verb: 'End it',
      keep: 'Keep it',
      color: 'red',
    }}
    done={`${code} has ended.`}
  >
    End
  </ActButton>
);

const Pause = ({ code, isPaused }: { code: string; isPaused: boolean }) => (
  <ActButton
    act={() => homes.pausePromotion(code, !isPaused)}
    done={isPaused ? `${code} can be used again.` : `${code} is paused.`}
  >
    {isPaused ? 'Resume' : 'Pause'}
  </ActButton>
);

const columns: readonly Column<ListedPromotion>[] = [
  { name: 'Code', cell: ({ promotion }) => <strong>{promotion.code}</strong> },
  { name: 'Label', cell: ({ promotion }) => promotion.label },
  {
    name: 'Discount',
    isFigure: true,
    cell: ({ promotion }) => <span className="whole">{discountText(promotion)}</span>,
  },
  { name: 'Uses', isFigure: true, cell: (listed) => <Uses {...listed} /> },
  {
    name: 'When',
    cell: ({ promotion }) => (whenText(promotion).length === 0 ? 'Any time' : When(promotion)),
  },
  { name: 'Catalog', cell: ({ catalog }) => <CatalogName slug={catalog} /> },
  {
    name: 'State',
    cell: (listed) => (
      <div className="whole">
        <StateBadge words={isOver(listed) ? over : states[listed.state]} />
      </div>
    ),
  },
];

const actionsWith = (onChange: (promotion: ListedPromotion) => void): Column<ListedPromotion> => ({
  name: 'Actions',
  cell: (listed) => {
    const { promotion, state } = listed;
    return (
      <Group gap={4} wrap="nowrap">
        <Button size="compact-xs" variant="default" onClick={() => onChange(listed)}>
          Change
        </Button>
        {state !== 'ended' && <Pause code={promotion.code} isPaused={state === 'paused'} />}
        {state !== 'ended' && <End code={promotion.code} />}
      </Group>
    );
  },
});

/** The promotions of all catalogs, with their uses. */
export function Promotions() {
  const canAct = useMay('inventory');
  const [cursor, setCursor] = useState<string>();
  // Null: a new one.
  const [edited, setEdited] = useState<ListedPromotion | null | undefined>();
  const query = useQuery(promotionsQuery(cursor));
  const catalogs = useQuery(catalogsQuery);
  return (
    <Stack gap="md">
      <PageTitle title="Promotions" about="Codes that lower the price of a stay.">
        {canAct && <Button onClick={() => setEdited(null)}>Add a promotion</Button>}
      </PageTitle>
      <PagedTable
        {...inOrder}
        query={query}
        cursor={cursor}
        onGo={setCursor}
        renderNone={() => (
          <Empty title="No promotions yet">Add one, or import a catalog file that has some.</Empty>
        )}
        caption="Promotions"
        columns={canAct ? [...columns, actionsWith(setEdited)] : columns}
        keyOf={({ promotion }) => promotion.code}
      />
      {edited !== undefined && (
        <PromotionForm
          initial={edited}
          catalogs={catalogs.data?.items ?? []}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Stack>
  );
}
