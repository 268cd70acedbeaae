import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { daySheetTable } from '#contract/tables.ts';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { type Column, Records } from '../../../base/components/records.tsx';
import { SaveCsv } from '../../../base/components/save-csv.tsx';
import { Section } from '../../../base/components/section.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { type DaySheet as Sheet, daySheetQuery } from '../../api/reservations.ts';
import { DayField } from '../../components/day-field.tsx';
import { dateOf, dayOf, dayText, todayHere } from '../../words/days.ts';
import { partyText } from '../../../base/words/party.ts';

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

const columns: readonly Column<Stay>[] = [
  {
    name: 'Home',
    cell: ({ name, listing }) => (
      <Text size="sm" fw={600}>
        {name ?? listing ?? '–'}
      </Text>
    ),
  },
  {
    name: 'Guest',
    cell: ({ guest, party }) => (
      <Stack gap={0}>
        <span>{guest ?? '–'}</span>
        <Text size="xs" c="dimmed">
          {partyText(party)}
        </Text>
      </Stack>
    ),
  },
  {
    name: 'Phone',
    cell: ({ phone }) =>
      phone === null ? (
        '–'
      ) : (
        <Anchor href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`} size="sm" className="nowrap">
          {phone}
        </Anchor>
      ),
  },
  {
    name: 'Stay',
    cell: (stay) => (
      <Stack gap={0}>
        {stayText(stay).map((text) => (
          <span key={text} className="nowrap">
            {text}
          </span>
        ))}
      </Stack>
    ),
  },
  { name: 'Balance', isFigure: true, cell: balanceText },
  {
    name: 'Notes',
    cell: ({ notes }) => (
      <Text size="sm" className="note-lines">
        {notes.join('\n')}
      </Text>
    ),
  },
  {
    name: 'Reservation',
    cell: ({ reference }) => (
      <TextLink to="/reservations/$reference" params={{ reference }} className="mono nowrap">
        {reference}
      </TextLink>
    ),
  },
];

const Stays = ({ title, stays }: { title: string; stays: readonly Stay[] }) => (
  <Section title={`${title}: ${stays.length}`}>
    {stays.length === 0 ? (
      <Text size="sm" c="dimmed">
        Nobody.
      </Text>
    ) : (
      <Records
        caption={title}
        columns={columns}
        items={stays}
        keyOf={({ reference }) => reference}
      />
    )}
  </Section>
);

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
  const query = useQuery(daySheetQuery(date));
  return (
    <Stack gap="md">
      <PageTitle title={`Day sheet, ${dayText(date)}`} about="By the day at the property." />
      <Controls date={date} sheet={query.data} />
      <Loaded query={query}>
        {({ arrivals, departures, inHouse }) => (
          <>
            <Stays title="Arrivals" stays={arrivals} />
            <Stays title="Departures" stays={departures} />
            <Stays title="In the homes" stays={inHouse} />
          </>
        )}
      </Loaded>
    </Stack>
  );
}
