import { Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { eventsQuery, eventTypesQuery, sessionQuery } from '../../api/queries.ts';
import type { EventFilter, FeedEvent } from '../../api/types.ts';
import { Choice } from '../../../base/components/choice.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { PagedTable } from '../../../base/components/paged.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { BookingLink, Outcome } from './event-booking.tsx';

const columns: readonly Column<FeedEvent>[] = [
  {
    name: 'Event',
    cell: ({ id, type, sequence }) => (
      <Stack gap={0}>
        <TextLink
          to="/events/$eventId"
          params={{ eventId: id }}
          size="sm"
          fw={600}
          className="whole"
        >
          {type}
        </TextLink>
        <Text size="xs" c="dimmed">
          Sequence {sequence}
        </Text>
      </Stack>
    ),
  },
  { name: 'Outcome', cell: (event) => <Outcome event={event} /> },
  { name: 'About', cell: (event) => <BookingLink event={event} /> },
  { name: 'Time', cell: ({ timestamp }) => <Moment at={timestamp} /> },
];

function NoEvent({ filter }: { filter: EventFilter }) {
  const environment = useQuery(sessionQuery).data?.environment;
  if (filter.type || filter.cursor) {
    return (
      <Empty title="No events match">
        <TextLink to="/events" search={{}} size="sm">
          Show all events
        </TextLink>
      </Empty>
    );
  }
  return (
    <Empty title="No events yet">
      <Stack gap="xs">
        <span>
          There is an event when one of your checkouts or reservation requests gets its outcome, and
          when a reservation is cancelled or changed. Events are kept for 30 days.
        </span>
        {environment === 'simulation' && (
          <span>
            Make a booking to see the first ones: <Code>npm run demo</Code> makes several.
          </span>
        )}
      </Stack>
    </Empty>
  );
}

/** The event feed as a list, newest first. */
export function Events() {
  const filter = useSearch({ from: '/inside/events' });
  const navigate = useNavigate();
  const query = useQuery(eventsQuery(filter));
  const types = useQuery(eventTypesQuery).data?.items ?? [];
  const go = (search: EventFilter) => void navigate({ to: '/events', search });
  return (
    <Stack gap="md">
      <PageTitle
        title="Events"
        about={
          <>
            What happened to your bookings, newest first. The same events as in{' '}
            <Text span className="mono">
              GET /v1/events
            </Text>{' '}
            .
          </>
        }
      />
      <Group component="search" aria-label="Filter the events">
        <Choice
          label="Event type"
          value={filter.type}
          choices={types.map(({ type }) => ({ value: type, label: type }))}
          onChoose={(type) => go({ type })}
        />
      </Group>
      <PagedTable
        query={query}
        cursor={filter.cursor}
        onGo={(cursor) => go({ ...filter, cursor })}
        renderNone={() => <NoEvent filter={filter} />}
        caption="Events"
        columns={columns}
        keyOf={({ id }) => id}
      />
    </Stack>
  );
}
