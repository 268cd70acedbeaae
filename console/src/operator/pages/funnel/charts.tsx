import { LineChart } from '@mantine/charts';
import { Progress, Stack, Text } from '@mantine/core';
import type { Funnel } from '../../api/funnel.ts';
import { dayOf, shortDayText } from '../../words/days.ts';
import { type Counts, shareText, stepBefore, steps } from './steps.ts';

/** How often each step was reached, as a bar for each. */
export function StepBars({ counts }: { counts: Counts }) {
  const most = Math.max(1, ...steps.map(({ step }) => counts[step] ?? 0));
  return (
    <Stack gap="sm" component="ul" className="plain-list">
      {steps.map(({ step, name, color, about }) => {
        const count = counts[step] ?? 0;
        const before = stepBefore[step];
        const share = before && shareText(counts, step, before);
        return (
          <li key={step} className="funnel-step">
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Text size="sm" className="funnel-count">
              {count.toLocaleString('en')}
              {share && ` · ${share}`}
            </Text>
            <Progress value={(count / most) * 100} color={color} size="lg" aria-hidden />
            <Text size="xs" c="dimmed">
              {about}.
            </Text>
          </li>
        );
      })}
    </Stack>
  );
}

const lines = steps.filter(({ step }) => step === 'quotes' || stepBefore[step] !== undefined);

/** Quotes and the later steps of their bookings, week by week. */
export const WeekLines = ({ weeks }: { weeks: Funnel['weeks'] }) => (
  <LineChart
    h={240}
    data={weeks.map(({ week, ...counts }) => ({ week: shortDayText(dayOf(week)), ...counts }))}
    dataKey="week"
    series={lines.map(({ step, name, color }) => ({ name: step, label: name, color }))}
    valueFormatter={(value) => value.toLocaleString('en')}
    withLegend
    // In the order of the steps.
    legendProps={{ itemSorter: null }}
    curveType="linear"
    yAxisProps={{ allowDecimals: false }}
    lineProps={{ isAnimationActive: false }}
    role="img"
    aria-label="Quotes, checkouts, submitted and confirmed by week"
  />
);
