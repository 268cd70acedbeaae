import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { askFirst } from '../../../base/parts/ask-first.tsx';
import { Empty } from '../../../base/parts/empty.tsx';
import { Loaded } from '../../../base/parts/loaded.tsx';
import { Moment } from '../../../base/parts/moment.tsx';
import { notifyDone } from '../../../base/parts/notify.tsx';
import { PageTitle } from '../../../base/parts/page-title.tsx';
import { type Column, Records } from '../../../base/parts/records.tsx';
import { Section } from '../../../base/parts/section.tsx';
import { StateBadge } from '../../../base/parts/state-badge.tsx';
import { homes } from '../../api/homes.ts';
import { calendarsQuery, conflictsQuery } from '../../api/homes-queries.ts';
import type { ChannelConflicts } from '../../api/homes-types.ts';
import { useMay } from '../../frame/session.ts';
import { AddCalendar } from './add-calendar.tsx';
import { Blocks } from './blocks.tsx';
import { type Calendar, sourceOf } from './calendar-source.ts';
import { Home, nights } from './cells.tsx';
import { OwnAddress } from './own-address.tsx';

type Conflict = ChannelConflicts['items'][number];

const states = {
  new: { name: 'Not read yet', color: 'gray' },
  ok: { name: 'OK', color: 'teal' },
  failing: { name: 'Failing', color: 'red' },
  shrunk: { name: 'Shrunk', color: 'orange' },
} as const;

function CalendarActions({ calendar }: { calendar: Calendar }) {
  const refresh = useMutation({
    mutationFn: () => homes.refreshCalendar(calendar.calendarId),
    onSuccess: () => notifyDone('The calendar was read.'),
  });
  const remove = useMutation({
    mutationFn: () => homes.removeCalendar(calendar.calendarId),
    onSuccess: () => notifyDone('The calendar is removed, and its nights are free.'),
  });
  const question = {
    title: 'Remove this calendar?',
    text: 'The nights that it blocked are free again.',
    verb: 'Remove',
    keep: 'Keep',
    color: 'red',
  } as const;
  return (
    <Group gap="xs">
      {calendar.file === null && (
        <Button
          size="compact-xs"
          variant="default"
          loading={refresh.isPending}
          onClick={() => refresh.mutate()}
        >
          Read now
        </Button>
      )}
      <Button
        size="compact-xs"
        variant="default"
        loading={remove.isPending}
        onClick={() => askFirst(question, remove.mutate)}
      >
        Remove
      </Button>
    </Group>
  );
}

const calendarColumns: readonly Column<Calendar>[] = [
  { name: 'Home', cell: Home },
  { name: 'From', cell: sourceOf },
  {
    name: 'State',
    cell: ({ state, problem }) => (
      <>
        <StateBadge words={states[state]} />
        {problem && <Text size="xs">{problem.message}</Text>}
      </>
    ),
  },
  { name: 'Blocks', cell: ({ blocks }) => blocks },
  { name: 'Conflicts', cell: ({ conflicts }) => conflicts },
  {
    name: 'Last read',
    cell: ({ refreshedAt }) => (refreshedAt ? <Moment at={refreshedAt} /> : 'never'),
  },
];

const calendarActions: Column<Calendar> = {
  name: 'Actions',
  cell: (calendar) => <CalendarActions calendar={calendar} />,
};

const takenText = ({ takenBy }: Conflict): string => {
  if (takenBy.kind === 'reservation') return `the reservation ${takenBy.reference ?? ''}`;
  if (takenBy.kind === 'booking') return 'a booking whose outcome is not known yet';
  return ['a block', takenBy.reason].filter(Boolean).join(': ');
};

/** `origins`: where each calendar comes from, by its ID. */
const conflictColumns = (
  origins: ReadonlyMap<string, string | null>,
): readonly Column<Conflict>[] => [
  { name: 'Home', cell: Home },
  { name: 'Nights', cell: nights },
  { name: 'From', cell: ({ calendarId }) => origins.get(calendarId) },
  { name: 'Taken by', cell: takenText },
  { name: 'Event', cell: ({ eventUid }) => <span className="mono">{eventUid}</span> },
  { name: 'Found', cell: ({ foundAt }) => <Moment at={foundAt} /> },
];

/** Calendars of other channels with their conflicts, and blocks. */
export function Channels() {
  const canAct = useMay('inventory');
  const calendars = useQuery(calendarsQuery(undefined));
  const conflicts = useQuery(conflictsQuery(undefined));
  const added = calendars.data?.items ?? [];
  const origins = new Map(added.map((calendar) => [calendar.calendarId, sourceOf(calendar)]));
  return (
    <Stack gap="md">
      <PageTitle title="Channels" about="Calendars of other channels, and blocked nights." />
      <Stack gap="md">
        <Section title="Conflicts" about="Nights of other channels that could not be blocked.">
          <Loaded query={conflicts}>
            {({ items }) =>
              items.length === 0 ? (
                <Text size="sm">There are none.</Text>
              ) : (
                <Records
                  caption="Conflicts"
                  columns={conflictColumns(origins)}
                  items={items}
                  keyOf={({ calendarId, from }) => `${calendarId} ${from}`}
                />
              )
            }
          </Loaded>
        </Section>
        <Section title="Calendars">
          <Loaded query={calendars}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty title="No calendars yet">Add the calendar of another channel below.</Empty>
              ) : (
                <Records
                  caption="Calendars"
                  columns={canAct ? [...calendarColumns, calendarActions] : calendarColumns}
                  items={items}
                  keyOf={({ calendarId }) => calendarId}
                />
              )
            }
          </Loaded>
        </Section>
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
