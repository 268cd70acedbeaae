import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { daySheetTable } from '#contract/tables.ts';
import { ListedLink } from '../../../base/components/links.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { SaveCsv } from '../../../base/components/save-csv.tsx';
import { Section } from '../../../base/components/section.tsx';
import { moneyText } from '../../../base/words/money.ts';
import type { DaySheet as Sheet, FirstOfDaySheet } from '../../api/reservations.ts';
import { DayField } from '../../components/day-field.tsx';
import { hrefOf } from '../../words/addresses.ts';
import { dateOf, dayOf, dayText, todayHere } from '../../words/days.ts';
import { partyText } from '../../../base/words/party.ts';
import { useDaySheet } from './use-day-sheet.ts';

type Stay = Sheet['arrivals'][number];

const timeText = (word: string, time: string | null): string =>
  time === null ? '' : ` ${word} ${time}`;

const stayText = ({ checkIn, checkInFrom, checkOut, checkOutUntil }: Stay): [string, string] => [
  `${dayText(checkIn)}${timeText('from', checkInFrom)}`,
  `${dayText(checkOut)}${timeText('until', checkOutUntil)}`,
];

function balanceText({ balance, currency }: Stay): string {
  if (balance === null) return 'The partner collects';
  if (balance === 0) return 'Paid';
  const text = moneyText(Math.abs(balance), currency);
  return balance > 0 ? `${text} open` : `${text} to return`;
}

// A day can have thousands of stays: plain elements with classes.
const columns: readonly Column<Stay>[] = [
  {
    name: 'Home',
    share: 10,
    cell: ({ name, listing }) => <span className="sheet-home">{name ?? listing ?? '–'}</span>,
  },
  {
    name: 'Guest',
    share: 9,
    cell: ({ guest, party }) => (
      <>
        {guest ?? '–'}
        <div className="sheet-about">{partyText(party)}</div>
      </>
    ),
  },
  {
    name: 'Phone',
    share: 9,
    cell: ({ phone }) =>
      phone === null ? (
        '–'
      ) : (
        <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`} className="link nowrap">
          {phone}
        </a>
      ),
  },
  {
    name: 'Stay',
    share: 14,
    cell: (stay) =>
      stayText(stay).map((text) => (
        <div key={text} className="nowrap">
          {text}
        </div>
      )),
  },
  { name: 'Balance', share: 10, isFigure: true, cell: balanceText },
  {
    name: 'Notes',
    share: 11,
    cell: ({ notes }) => notes.length > 0 && <div className="note-lines">{notes.join('\n')}</div>,
  },
  {
    name: 'Reservation',
    share: 8,
    cell: ({ reference }) => (
      <ListedLink href={hrefOf(['reservations', reference])} className="mono nowrap">
        {reference}
      </ListedLink>
    ),
  },
];

const keyOf = ({ reference }: Stay): string => reference;

type List = FirstOfDaySheet['arrivals'];

const Stays = ({ title, list: { total, items } }: { title: string; list: List }) => (
  <Section title={`${title}: ${total}`}>
    {total === 0 ? (
      <Text size="sm" c="dimmed">
        Nobody.
      </Text>
    ) : (
      <ItemTable caption={title} columns={columns} items={items} total={total} keyOf={keyOf} />
    )}
    {items.length < total && (
      // Also on paper, if it is printed before.
      <Text size="sm" c="dimmed">
        {total - items.length} more are not read yet.
      </Text>
    )}
  </Section>
);

function Lists({ sheet }: { sheet: FirstOfDaySheet }) {
  // Thousands of stays are drawn in between what else happens on the page.
  const { arrivals, departures, inHouse } = useDeferredValue(sheet);
  return (
    <Stack gap="md">
      <Stays title="Arrivals" list={arrivals} />
      <Stays title="Departures" list={departures} />
      <Stays title="In the homes" list={inHouse} />
    </Stack>
  );
}

/** The day that is shown, and what can be done with it. Not printed. */
function Controls({ date, sheet }: { date: string; sheet: Sheet | undefined }) {
  const navigate = useNavigate();
  const go = (day: string | undefined) =>
    void navigate({ to: '/day-sheet', search: { date: day } });
  const beside = (days: number) => dateOf(dayOf(date) + days);
  return (
    <Group gap="xs" align="flex-end" className="no-print">
      <Button variant="default" size="xs" onClick={() => go(beside(-1))}>
        Day before
      </Button>
      <DayField label="Day" value={date} onChoose={go} />
      <Button variant="default" size="xs" onClick={() => go(beside(1))}>
        Day after
      </Button>
      <Button variant="default" size="xs" onClick={() => go(undefined)}>
        Today
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPrinter size={16} aria-hidden />}
        onClick={() => window.print()}
      >
        Print
      </Button>
      {sheet && <SaveCsv name={`day-sheet-${date}.csv`} tableOf={() => daySheetTable(sheet)} />}
    </Group>
  );
}

/** Who arrives, who leaves and who is in the homes on a day: to print, or as CSV. */
export function DaySheet() {
  const { date = todayHere() } = useSearch({ from: '/inside/day-sheet' });
  const { query, whole, rest } = useDaySheet(date);
  return (
    <Stack gap="md">
      <PageTitle title={`Day sheet, ${dayText(date)}`} about="By the day at the property." />
      <Controls date={date} sheet={whole} />
      {rest.isError && !whole && <Failure error={rest.error} onRetry={() => void rest.refetch()} />}
      <Loaded query={query}>
        {/* Another day is another document: its first stays are drawn at once. */}
        {(sheet) => <Lists key={sheet.date} sheet={sheet} />}
      </Loaded>
    </Stack>
  );
}
