import { Alert, Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ActButton } from '../../../base/components/act-button.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { homes } from '../../api/homes.ts';
import { shownCalendarQuery } from '../../api/homes-queries.ts';
import type { ShownCalendar } from '../../api/homes-types.ts';
import { CalendarOptions } from './calendar-options.tsx';
import { StayDays } from '../../components/stay-days.tsx';
import { calendarStates, stateMeanings } from './calendar-states.ts';

type Event = ShownCalendar['events'][number];

const eventStates = {
  taken: { name: 'Blocked', color: 'teal' },
  conflict: { name: 'Conflict', color: 'red' },
  missing: { name: 'Not shown any more', color: 'orange' },
  echo: { name: 'Copy of ours', color: 'gray' },
  ignored: { name: 'Ignored', color: 'gray' },
} as const;

const eventColumns: readonly Column<Event>[] = [
  { name: 'Nights', cell: StayDays },
  { name: 'Text', cell: ({ summary }) => summary ?? '' },
  {
    name: 'State',
    cell: ({ state, reason }) => (
      <>
        <StateBadge words={eventStates[state]} />
        {reason && <Text size="xs">{reason}</Text>}
      </>
    ),
  },
  { name: 'Event', cell: ({ uid }) => <span className="mono">{uid}</span> },
  { name: 'First seen', cell: ({ firstSeenAt }) => <Moment at={firstSeenAt} /> },
  {
    name: 'Last seen',
    cell: ({ lastSeenAt }) => (lastSeenAt ? <Moment at={lastSeenAt} /> : 'not known'),
  },
];

function Problems({ problems }: Pick<ShownCalendar, 'problems'>) {
  if (problems.length === 0) return null;
  return (
    <Alert color="red" title="Problems">
      <List size="sm">
        {problems.map(({ line, uid, message }) => (
          <List.Item key={`${line} ${uid} ${message}`}>
            {line !== null && `Line ${line}: `}
            {message}
            {uid !== null && (
              <>
                {' '}
                Event <span className="mono">{uid}</span>
              </>
            )}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** What a shrunk calendar does not show any more, and the decision about it. */
function Shrunk({ calendar, canAct }: { calendar: ShownCalendar; canAct: boolean }) {
  const { calendarId, kept, events } = calendar;
  const missing = events.filter(({ state }) => state === 'missing');
  return (
    <Alert color="orange" title="Is it right that these are gone?">
      <Stack gap="sm">
        <ItemTable
          caption="Events that are not shown any more"
          columns={eventColumns}
          items={missing}
          keyOf={({ uid, from }) => `${uid} ${from}`}
        />
        {kept && <Text size="sm">The nights stay blocked, because somebody has decided so.</Text>}
        {canAct && (
          <Group gap="xs">
            <ActButton
              size="sm"
              variant="filled"
              act={() => homes.acceptCalendar(calendarId)}
              done="The nights are free."
            >
              It is right: free them
            </ActButton>
            {!kept && (
              <ActButton
                size="sm"
                act={() => homes.keepCalendar(calendarId)}
                done="The nights stay blocked."
              >
                Keep the nights
              </ActButton>
            )}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** What a calendar says, and what has become of it. */
export function CalendarDetails({ calendarId, canAct }: { calendarId: string; canAct: boolean }) {
  const query = useQuery(shownCalendarQuery(calendarId));
  return (
    <Loaded query={query}>
      {(calendar) => (
        <Section
          title={`Calendar of ${calendar.listingName}`}
          about={calendar.origin ?? calendar.file ?? ''}
        >
          <Stack gap="sm">
            <Group gap="xs">
              <StateBadge words={calendarStates[calendar.state]} />
              <Text size="sm">{stateMeanings[calendar.state]}</Text>
            </Group>
            <Text size="sm">
              Last whole read:{' '}
              {calendar.lastWholeReadAt ? <Moment at={calendar.lastWholeReadAt} /> : 'never'}
            </Text>
            {calendar.file === null && (
              <Text size="sm">
                The channel has read our calendar:{' '}
                {calendar.exportReadAt ? (
                  <Moment at={calendar.exportReadAt} />
                ) : (
                  'not by its own address, so its copies of our stays are conflicts'
                )}
              </Text>
            )}
            <Problems problems={calendar.problems} />
            {calendar.shrunkSince !== null && <Shrunk calendar={calendar} canAct={canAct} />}
            {calendar.events.length === 0 ? (
              <Text size="sm">It has no events to come.</Text>
            ) : (
              <ItemTable
                caption="Events"
                columns={eventColumns}
                items={calendar.events.filter(
                  ({ state }) => calendar.shrunkSince === null || state !== 'missing',
                )}
                keyOf={({ uid, from }) => `${uid} ${from}`}
              />
            )}
            <Title order={3} size="sm">
              How it is read
            </Title>
            <CalendarOptions calendar={calendar} canAct={canAct} />
          </Stack>
        </Section>
      )}
    </Loaded>
  );
}
