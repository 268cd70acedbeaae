import { Stack, Text } from '@mantine/core';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import type { BlocksImported, RatesImported } from '../../api/homes-types.ts';
import { moneyText } from '../../../base/words/money.ts';
import { dayText } from '../../words/days.ts';
import { ChangeBadge, shownEntries } from './difference.tsx';

type RateChange = RatesImported['changes'][number];
type BlockChange = BlocksImported['changes'][number];

const nightsText = ({ from, to }: { from: string; to: string }): string =>
  `${dayText(from)} – ${dayText(to)}`;

const numberText = (value: number | undefined): string => value?.toLocaleString('en') ?? '–';

/** A value after the import; where there was an entry with another value, that one too. */
const changeText = (before: string | undefined, after: string): string =>
  before === undefined || before === after ? after : `${before} → ${after}`;

const change = <Item extends { before: object | null }>(): Column<Item> => ({
  name: 'Change',
  cell: ({ before }) => <ChangeBadge change={before === null ? 'added' : 'changed'} />,
});

const priceText = (nightly: number | undefined, currency: string): string =>
  nightly === undefined ? '–' : moneyText(nightly, currency);

const rateColumns: readonly Column<RateChange>[] = [
  { name: 'Home', cell: ({ listing }) => listing },
  change(),
  { name: 'Nights', cell: ({ after }) => nightsText(after) },
  {
    name: 'Price',
    cell: ({ currency, before, after }) =>
      changeText(
        before ? priceText(before.nightly, currency) : undefined,
        priceText(after.nightly, currency),
      ),
  },
  {
    name: 'Minimum nights',
    cell: ({ before, after }) =>
      changeText(before ? numberText(before.minNights) : undefined, numberText(after.minNights)),
  },
];

const blockColumns: readonly Column<BlockChange>[] = [
  { name: 'Home', cell: ({ listing }) => listing },
  change(),
  { name: 'Nights', cell: nightsText },
  {
    name: 'Reason',
    cell: ({ before, reason }) =>
      changeText(before ? (before.reason ?? '–') : undefined, reason ?? '–'),
  },
];

function Changes<Item>({
  result: { added, changed, unchanged, changes },
  ...table
}: {
  result: { added: number; changed: number; unchanged: number; changes: readonly Item[] };
  columns: readonly Column<Item>[];
  keyOf: (item: Item) => string;
}) {
  const left = added + changed - Math.min(changes.length, shownEntries);
  return (
    <Stack gap="xs">
      <Text size="sm">
        {added} added, {changed} changed, {unchanged} unchanged.
      </Text>
      {changes.length > 0 && (
        <ItemTable caption="Changes" items={changes.slice(0, shownEntries)} {...table} />
      )}
      {left > 0 && (
        <Text size="sm" c="dimmed">
          … and {left.toLocaleString('en')} more
        </Text>
      )}
    </Stack>
  );
}

/** What an import of rates changes. */
export const RateChanges = (result: RatesImported) => (
  <Changes
    result={result}
    columns={rateColumns}
    keyOf={({ listing, after: { from } }) => `${listing} ${from}`}
  />
);

/** What an import of blocks changes. */
export const BlockChanges = (result: BlocksImported) => (
  <Changes
    result={result}
    columns={blockColumns}
    keyOf={({ listing, from }) => `${listing} ${from}`}
  />
);
