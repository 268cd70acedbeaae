/** What a change of rates would do: in all, and night by night. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { counted } from '../../../base/words/plural.ts';
import type { ChangedRates } from '../../api/homes-types.ts';
import { UnusualPrices } from '../../components/unusual-prices.tsx';
import { dayText, stayText } from '../../words/days.ts';
import {
  changedNights,
  type ChangedNights,
  homesWithLessNights,
  nightsIn,
} from './changed-nights.ts';

const shownFirst = 8;
const columns: readonly Column<ChangedNights>[] = [
  { name: 'Home', cell: ({ name }) => name },
  {
    name: 'Nights',
    cell: ({ from, to }) => (from === to ? dayText(from) : stayText(from, to)),
  },
  {
    name: 'Before and after',
    cell: ({ differences }) => differences || 'Set for these dates; the same as before',
  },
];

const percentText = (before: number, after: number): string => {
  if (before === 0) return '';
  const percent = ((after - before) / before) * 100;
  return ` (${percent > 0 ? '+' : ''}${percent.toFixed(1)} %)`;
};

function Changes({ changes, nights }: Pick<ChangedRates, 'changes' | 'nights'>) {
  const [isAll, setAll] = useState(false);
  const lines = changedNights(changes);
  const shown = isAll ? lines : lines.slice(0, shownFirst);
  const left = lines.length - shown.length;
  const lowered = homesWithLessNights(changes);
  // The service lists the first stretches of very many.
  const isCut = nightsIn(changes) < nights;
  return (
    <>
      {lowered > 0 && (
        <Alert color="yellow" variant="light">
          At {counted(lowered, 'home')}
          {isCut && ' or more'}, arrivals need fewer nights than before.
        </Alert>
      )}
      <ItemTable
        caption={`What changes on ${counted(nights, 'night')}`}
        columns={columns}
        items={shown}
        keyOf={({ listing, from }) => `${listing} ${from}`}
      />
      {left > 0 && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          Show {left} more
        </Button>
      )}
      {left === 0 && isCut && (
        <Text size="sm" c="dimmed">
          … and more nights, which are not listed.
        </Text>
      )}
    </>
  );
}

/** What a change of rates would do, with the tick that unusual prices need. */
export function RatesPreview({
  changed,
  isAllowed,
  onAllow,
}: {
  changed: ChangedRates;
  isAllowed: boolean;
  onAllow: (isAllowed: boolean) => void;
}) {
  const { changed: homes, nights, sums, notPriced, changes, unusual } = changed;
  if (homes === 0) return <Text size="sm">Nothing changes.</Text>;
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={600}>
          {counted(homes, 'home')}, {counted(nights, 'night')}
        </Text>
        {sums
          .filter(({ before, after }) => before !== after)
          .map(({ currency, before, after }) => (
            <Text key={currency} size="sm">
              All these nights: {moneyText(before, currency)} → {moneyText(after, currency)}
              {percentText(before, after)}
            </Text>
          ))}
      </div>
      {notPriced > 0 && (
        <Alert color="yellow" variant="light">
          {counted(notPriced, 'night')} without a price: nothing to change there.
        </Alert>
      )}
      {unusual.nights > 0 && (
        <UnusualPrices unusual={unusual} isAllowed={isAllowed} onChange={onAllow} />
      )}
      <Changes changes={changes} nights={nights} />
    </Stack>
  );
}
