import { Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ledgerTable } from '#contract/tables.ts';
import { Failure } from '../../../base/components/failure.tsx';
import { SaveCsv } from '../../../base/components/save-csv.tsx';
import { Section } from '../../../base/components/section.tsx';
import { reservations } from '../../api/reservations.ts';
import { DayField } from '../../components/day-field.tsx';
import { dateOf, dayOf, todayInUtc } from '../../words/days.ts';

const usualDays = 30;

/** Saves every row of the ledger of some days. */
export function Ledger() {
  const [to, setTo] = useState(todayInUtc);
  const [from, setFrom] = useState(() => dateOf(dayOf(todayInUtc()) - usualDays));
  const reading = useMutation({
    mutationFn: () => reservations.exportLedger(from, to),
    meta: { shown: true },
  });
  const tableOf = async () => {
    const found = await reading.mutateAsync().catch(() => null);
    return found && ledgerTable(found);
  };
  return (
    <Section
      title="Export the ledger"
      about="Every movement of money of some days in UTC, both included, for a spreadsheet."
    >
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <DayField label="From" value={from} onChoose={(day) => setFrom(day ?? from)} />
          <DayField label="To" value={to} onChoose={(day) => setTo(day ?? to)} />
          <SaveCsv
            name={`ledger-${from}-${to}.csv`}
            isLoading={reading.isPending}
            tableOf={tableOf}
          />
        </Group>
        {reading.error && <Failure error={reading.error} />}
      </Stack>
    </Section>
  );
}
