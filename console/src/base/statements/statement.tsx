import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PortalReplyOf } from '#contract/portal/operations.ts';
import { statementTable } from '#contract/tables.ts';
import { Empty } from '../components/empty.tsx';
import { Facts } from '../components/facts.tsx';
import { Loaded } from '../components/loaded.tsx';
import { type Column, ItemTable } from '../components/item-table.tsx';
import { SaveCsv } from '../components/save-csv.tsx';
import { Section } from '../components/section.tsx';
import { dayText } from '../words/dates.ts';
import { latestMonths, monthName } from '../words/months.ts';
import { moneyText } from '../words/money.ts';

/** What a partner sold, changed, cancelled and owes in a month. */
export type Statement = PortalReplyOf<'portal.statement.get'>['body'];

type Sums = Statement['currencies'][number];
type Line = Sums['lines'][number];

const kindNames: Readonly<Record<Line['kind'], string>> = {
  sold: 'Sold',
  changed: 'Changed',
  cancelled: 'Cancelled',
};

type RenderReference = (reference: string) => ReactNode;

const columnsOf = (currency: string, renderReference: RenderReference): readonly Column<Line>[] => [
  { name: 'Day', cell: ({ on }) => dayText(on) },
  { name: 'Reservation', cell: ({ reference }) => renderReference(reference) },
  { name: 'What', cell: ({ kind }) => kindNames[kind] },
  { name: 'Amount', isFigure: true, cell: ({ amount }) => moneyText(amount, currency) },
];

const Currency = ({
  sums,
  commissionPercent,
  renderReference,
}: {
  sums: Sums;
  commissionPercent: number | null;
  renderReference: RenderReference;
}) => {
  const { currency, sold, changed, cancelled, atProperty, commission, owed, lines } = sums;
  const text = (amount: number): string => moneyText(amount, currency);
  // Two lines can be equal: a price that was raised twice on a day by the same amount.
  const keys = new Map(lines.map((line, at) => [line, String(at)]));
  return (
    <Section title={currency}>
      <Stack gap="md">
        <Facts
          facts={{
            Sold: text(sold),
            Changed: text(changed),
            Cancelled: text(0 - cancelled),
            ...(atProperty !== 0 && { 'Paid at the property': text(0 - atProperty) }),
            ...(commission !== null && {
              [`Commission of ${commissionPercent} %`]: text(0 - commission),
            }),
            ...(owed !== null && { Owed: <Text fw={650}>{text(owed)}</Text> }),
          }}
        />
        <ItemTable
          caption={`Lines in ${currency}`}
          items={lines}
          keyOf={(line) => keys.get(line)!}
          columns={columnsOf(currency, renderReference)}
        />
      </Stack>
    </Section>
  );
};

/** The statement of a month, which can be saved for a spreadsheet. */
export function StatementOfMonth({
  month,
  query,
  renderReference,
  onChoose,
}: {
  month: string;
  query: UseQueryResult<Statement>;
  /** A link to a reservation. */
  renderReference: RenderReference;
  onChoose: (month: string) => void;
}) {
  const choices = latestMonths();
  // A month from the URL is shown even if it is not one of the choices.
  const isUnlisted = choices.every(({ value }) => value !== month);
  const data = isUnlisted ? [...choices, { value: month, label: monthName(month) }] : choices;
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label="Month (UTC)"
          size="xs"
          className="choice"
          value={month}
          data={data}
          onChange={({ currentTarget }) => onChoose(currentTarget.value)}
        />
        {query.data && query.data.currencies.length > 0 && (
          <SaveCsv
            name={`statement-${query.data.month}.csv`}
            tableOf={() => statementTable(query.data)}
          />
        )}
      </Group>
      <Loaded query={query}>
        {({ currencies, commissionPercent }) =>
          currencies.length === 0 ? (
            <Empty title="Nothing in this month">
              Reservations that were confirmed, changed or cancelled in it appear here.
            </Empty>
          ) : (
            <>
              {currencies.map((sums) => (
                <Currency
                  key={sums.currency}
                  sums={sums}
                  commissionPercent={commissionPercent}
                  renderReference={renderReference}
                />
              ))}
            </>
          )
        }
      </Loaded>
    </Stack>
  );
}
