import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ActButton } from '../../../base/components/act-button.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { LoadedTable } from '../../../base/components/loaded-table.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { homes } from '../../api/homes.ts';
import { calendarsQuery, conflictsQuery } from '../../api/homes-queries.ts';
import type { Conflicts as AllConflicts } from '../../api/homes-types.ts';
import { PhoneLink } from '../../components/phone-link.tsx';
import { StayDays } from '../../components/stay-days.tsx';
import { useMay } from '../../frame/session.ts';
import { AddCalendar } from './add-calendar.tsx';
import { Blocks } from './blocks.tsx';
import { CalendarDetails } from './calendar-details.tsx';
import { type Calendar, sourceOf } from './calendar-source.ts';
import { calendarStates } from './calendar-states.ts';
import { Home } from './cells.tsx';
import { OwnAddress } from './own-address.tsx';

type Conflict = AllConflicts['items'][number];

interface ActionsProps {
  calendar: Calendar;
  canAct: boolean;
  onShow: (calendarId: string) => void;
}

const removal = {
  title: 'Remove this calendar?',
  text: 'The nights that it blocked are free again.',
  verb: 'Remove',
  keep: 'Keep',
  color: 'red',
} as const;

const CalendarActions = ({ calendar, canAct, onShow }: ActionsProps) => (
  <Group gap="xs">
    <Button size="compact-xs" variant="default" onClick={() => onShow(calendar.calendarId)}>
      Details
    </Button>
    {canAct && calendar.file === null && (
      <ActButton
        act={() => homes.refreshCalendar(calendar.calendarId)}
        done="The calendar was read."
      >
        Read now
      </ActButton>
    )}
    {canAct && (
      <ActButton
        act={() => homes.removeCalendar(calendar.calendarId)}
        question={removal}
        done="The calendar is removed, and its nights are free."
      >
        Remove
      </ActButton>
    )}
  </Group>
);

const calendarColumns: readonly Column<Calendar>[] = [
  { name: 'Home', cell: Home },
  { name: 'From', cell: sourceOf },
  {
    name: 'State',
    cell: ({ state, problem }) => (
      <>
        <StateBadge words={calendarStates[state]} />
        {problem && <Text size="xs">{problem.message}</Text>}
      </>
    ),
  },
  { name: 'Blocks', isFigure: true, cell: ({ blocks }) => blocks },
  { name: 'Not shown any more', isFigure: true, cell: ({ missing }) => missing },
  { name: 'Conflicts', isFigure: true, cell: ({ conflicts }) => conflicts },
  {
    name: 'Last whole read',
    cell: ({ lastWholeReadAt }) => (lastWholeReadAt ? <Moment at={lastWholeReadAt} /> : 'never'),
  },
];

const calendarActions = (props: Omit<ActionsProps, 'calendar'>): Column<Calendar> => ({
  name: 'Actions',
  cell: (calendar) => <CalendarActions calendar={calendar} {...props} />,
});

const takenText = ({ takenBy, guest, phone }: Conflict): ReactNode => {
  if (takenBy.kind === 'reservation') {
    const reference = takenBy.reference ?? '';
    return (
      <Stack gap={0} align="flex-start">
        {guest}
        <PhoneLink phone={phone} />
        <TextLink to="/reservations/$reference" params={{ reference }} className="mono whole">
          {reference}
        </TextLink>
      </Stack>
    );
  }
  if (takenBy.kind === 'booking') return 'a booking whose outcome is not known yet';
  if (takenBy.kind === 'outside_stay') return `the outside stay ${takenBy.reference ?? ''}`;
  if (takenBy.source === 'channel') return 'another channel';
  return ['a block', takenBy.reason].filter(Boolean).join(': ');
};

/** `origins`: where each calendar comes from, by its ID. */
const conflictColumns = (
  origins: ReadonlyMap<string, string | null>,
): readonly Column<Conflict>[] => [
  { name: 'Home', cell: Home },
  { name: 'Nights', cell: StayDays },
  {
    name: 'From',
    cell: ({ calendarId, outsideStay }) =>
      outsideStay ? `${outsideStay.source} (outside stay)` : origins.get(calendarId ?? ''),
  },
  { name: 'Taken by', cell: takenText },
  {
    name: 'Event',
    cell: ({ eventUid, outsideStay }) => (
      <span className="mono">{outsideStay?.externalId ?? eventUid}</span>
    ),
  },
  { name: 'Found', cell: ({ foundAt }) => <Moment at={foundAt} /> },
];

interface ConflictsProps {
  items: readonly Conflict[];
  columns: readonly Column<Conflict>[];
}

/** What two guests have bought comes first, because somebody has to act. */
function Conflicts({ items, columns }: ConflictsProps) {
  const sold = items.filter(({ doubleSale }) => doubleSale);
  const others = items.filter(({ doubleSale }) => !doubleSale);
  const keyOf = ({ calendarId, eventUid, outsideStay, from }: Conflict) =>
    `${calendarId} ${eventUid} ${outsideStay?.source} ${outsideStay?.externalId} ${from}`;
  return (
    <>
      <Section
        title="Sold twice"
        about="Two guests have these nights. Decide who stays, and cancel or move the other."
      >
        {sold.length === 0 ? (
          <Text size="sm">There are none.</Text>
        ) : (
          <ItemTable caption="Conflicts" columns={columns} items={sold} keyOf={keyOf} />
        )}
      </Section>
      {others.length > 0 && (
        <Section title="Other conflicts" about="Nights sold elsewhere that your blocks have.">
          <ItemTable caption="Other conflicts" columns={columns} items={others} keyOf={keyOf} />
        </Section>
      )}
    </>
  );
}

/** Calendars of other channels with their conflicts, and blocks. */
export function Channels() {
  const canAct = useMay('inventory');
  const [shown, setShown] = useState<string | null>(null);
  const calendars = useQuery(calendarsQuery(undefined));
  const conflicts = useQuery(conflictsQuery(undefined));
  const added = calendars.data?.items ?? [];
  const origins = new Map(added.map((calendar) => [calendar.calendarId, sourceOf(calendar)]));
  return (
    <Stack gap="md">
      <PageTitle title="Channels" about="Calendars of other channels, and blocked nights." />
      <Stack gap="md">
        <Loaded query={conflicts}>
          {({ items }) => <Conflicts items={items} columns={conflictColumns(origins)} />}
        </Loaded>
        <Section title="Calendars">
          <LoadedTable
            query={calendars}
            caption="Calendars"
            columns={[...calendarColumns, calendarActions({ canAct, onShow: setShown })]}
            keyOf={({ calendarId }) => calendarId}
            none={
              <Empty title="No calendars yet">Add the calendar of another channel below.</Empty>
            }
          />
        </Section>
        {shown !== null && <CalendarDetails key={shown} calendarId={shown} canAct={canAct} />}
        {canAct && (
          <>
            <AddCalendar />
            <OwnAddress calendars={added} />
          </>
        )}
        <Blocks />
      </Stack>
    </Stack>
  );
}
