import { Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { payoutsTable } from '#contract/tables.ts';
import { Failure } from '../../../base/components/failure.tsx';
import { SaveCsv } from '../../../base/components/save-csv.tsx';
import { Section } from '../../../base/components/section.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { reservations } from '../../api/reservations.ts';
import { DayField } from '../../components/day-field.tsx';
import { dateOf, dayOf, dayText, todayInUtc } from '../../words/days.ts';

type Payout = Awaited<ReturnType<typeof reservations.payouts>>['items'][number];

const columns: readonly Column<Payout>[] = [
  { name: 'Arrives on', cell: ({ arrivesOn }) => dayText(arrivesOn) },
  { name: 'Amount', isFigure: true, cell: ({ amount, currency }) => moneyText(amount, currency) },
  { name: 'Lines', isFigure: true, cell: ({ lines }) => lines.length },
  {
    name: 'Fees',
    isFigure: true,
    cell: ({ lines, currency }) =>
      moneyText(
        lines.reduce((sum, { kind, amount, fee }) => sum + fee - (kind === 'fee' ? amount : 0), 0),
        currency,
      ),
  },
];

const month = 30;

/** What the card provider has sent to the bank, and what it is made of. */
export function Payouts() {
  const [from, setFrom] = useState(() => dateOf(dayOf(todayInUtc()) - month));
  const [to, setTo] = useState(todayInUtc);
  const reading = useMutation({
    mutationFn: () => reservations.payouts({ from, to }),
    meta: { shown: true },
  });
  const { data, error } = reading;
  return (
    <Section
      title="Payouts"
      about="What the card provider has sent to your bank, tied to payments, refunds and fees."
    >
      <Stack gap="sm">
        <Group align="flex-end" gap="sm">
          <DayField label="Arrives from" value={from} onChoose={(day) => day && setFrom(day)} />
          <DayField label="Arrives until" value={to} onChoose={(day) => day && setTo(day)} />
          <SaveCsv
            name={`payouts-${from}-${to}.csv`}
            isLoading={reading.isPending}
            tableOf={() => reading.mutateAsync().then(payoutsTable, () => null)}
          />
        </Group>
        {error && <Failure error={error} />}
        {data && (
          <ItemTable
            caption="Payouts"
            columns={columns}
            items={data.items}
            keyOf={({ payoutId }) => payoutId}
          />
        )}
      </Stack>
    </Section>
  );
}
