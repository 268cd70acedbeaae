/** What a change of rates would do: in all, and night by night. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { counted } from '../../../base/words/plural.ts';
import type { ChangedRates } from '../../api/homes-types.ts';
import { UnusualPrices } from '../../components/unusual-prices.tsx';
import { dayText, stayText } from '../../words/days.ts';

type Changed = ChangedRates['changes'][number];
type Rates = Changed['before'];

const shownFirst = 8;
const daysOfWeek = 7;

const daysText = (days: readonly string[]): string =>
  days.length === daysOfWeek ? 'any day' : days.join(', ');

/** The members in which two nights differ, in words: `Price EUR 180.00 → EUR 201.60`. */
function differences({ before, after, currency }: Changed): string[] {
  const money = (amount: number | null) =>
    amount === null ? 'no price' : moneyText(amount, currency);
  const texts: readonly [name: string, of: (rates: Rates) => string][] = [
    ['Price', ({ nightly }) => money(nightly)],
    ['Minimum nights', ({ minNights }) => String(minNights)],
    ['Maximum nights', ({ maxNights }) => String(maxNights)],
    ['Least nights of a stay over it', ({ minNightsThrough: nights }) => String(nights ?? 'none')],
    ['Arrival', ({ arrivalDays }) => daysText(arrivalDays)],
    ['Departure', ({ departureDays }) => daysText(departureDays)],
  ];
  return texts
    .filter(([, of]) => of(before) !== of(after))
    .map(([name, of]) => `${name} ${of(before)} → ${of(after)}`);
}

const columns: readonly Column<Changed>[] = [
  { name: 'Home', cell: ({ name }) => name },
  {
    name: 'Nights',
    cell: ({ from, to }) => (from === to ? dayText(from) : stayText(from, to)),
  },
  {
    name: 'Before and after',
    cell: (changed) => {
      const lines = differences(changed);
      return lines.length === 0 ? 'Set for these dates; the same as before' : lines.join('; ');
    },
  },
];

const percentText = (before: number, after: number): string => {
  if (before === 0) return '';
  const percent = ((after - before) / before) * 100;
  return ` (${percent > 0 ? '+' : ''}${percent.toFixed(1)} %)`;
};

function Changes({ changes, nights }: Pick<ChangedRates, 'changes' | 'nights'>) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? changes : changes.slice(0, shownFirst);
  const left = changes.length - shown.length;
  return (
    <>
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
