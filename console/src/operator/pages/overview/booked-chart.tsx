import { BarChart } from '@mantine/charts';
import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Overview } from '../../api/reservations.ts';
import { dateOf, dayOf, shortDayText, todayInUtc } from '../../words/days.ts';
import { majorOf, moneyText } from '../../../base/words/money.ts';
import { counted } from '../../../base/words/plural.ts';

type Booked = Overview['booked'];

const colors = [
  'cyan.7',
  'grape.6',
  'orange.6',
  'teal.6',
  'indigo.6',
  'pink.6',
  'lime.7',
  'gray.6',
];
const mostSeries = colors.length - 1;
const others = 'Others';
const days = 30;

const sumOf = (booked: Booked, of: (day: Booked[number]) => number): Map<string, number> => {
  const sums = new Map<string, number>();
  for (const day of booked) {
    sums.set(day.application, (sums.get(day.application) ?? 0) + of(day));
  }
  return sums;
};

/** The applications with the most, then the others as one. */
function seriesOf(sums: ReadonlyMap<string, number>) {
  const names = [...sums].toSorted((a, b) => b[1] - a[1]).map(([name]) => name);
  const own = names.slice(0, mostSeries);
  return names.length > own.length ? [...own, others] : own;
}

/** One row for each day, also for days without bookings. */
function rowsOf(booked: Booked, series: readonly string[], of: (day: Booked[number]) => number) {
  const last = dayOf(todayInUtc());
  return Array.from({ length: days }, (_, at) => {
    const date = dateOf(last - days + 1 + at);
    const row: Record<string, string | number> = { day: shortDayText(dayOf(date)) };
    for (const one of booked.filter(({ day }) => day === date)) {
      const name = series.includes(one.application) ? one.application : others;
      row[name] = Number(row[name] ?? 0) + of(one);
    }
    return row;
  });
}

/** Bookings or their value by day and partner, in one currency. */
export function BookedChart({ booked }: { booked: Booked }) {
  const currencies = [...new Set(booked.map(({ currency }) => currency))].toSorted();
  const [chosen, setChosen] = useState<string>();
  const currency = currencies.find((one) => one === chosen);
  const shown = currency ? booked.filter((day) => day.currency === currency) : booked;
  const of = (day: Booked[number]) => (currency ? majorOf(day.total, currency) : day.bookings);
  const sums = sumOf(shown, of);
  const series = seriesOf(sums);
  const total = shown.reduce((all, day) => all + (currency ? day.total : day.bookings), 0);
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-end">
        <Text size="xl" fw={650}>
          {currency ? moneyText(total, currency) : counted(total, 'booking')}
        </Text>
        <NativeSelect
          label="Show"
          size="xs"
          value={currency ?? ''}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={[
            { value: '', label: 'Number of bookings' },
            ...currencies.map((value) => ({ value, label: `Value in ${value}` })),
          ]}
        />
      </Group>
      <BarChart
        h={220}
        data={rowsOf(shown, series, of)}
        dataKey="day"
        type="stacked"
        series={series.map((name, at) => ({ name, color: colors[at]! }))}
        valueFormatter={(value) => value.toLocaleString('en')}
        withLegend={series.length > 1}
        tickLine="none"
        yAxisProps={{ allowDecimals: false }}
        barProps={{ isAnimationActive: false }}
        role="img"
        aria-label="Bookings by day and partner"
      />
    </Stack>
  );
}
