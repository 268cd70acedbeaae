import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { bookingsQuery, eventsQuery } from '../../api/queries.ts';
import type { Booking, FeedEvent } from '../../api/types.ts';
import { Empty } from '../../../base/components/empty.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { ItemTable, type Column } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { TypedField } from '../../../base/components/typed-field.tsx';
import { bookingState } from '../../words/states.ts';
import { BookingLink, Outcome } from '../events/event-booking.tsx';

const columns: readonly Column<Booking>[] = [
  {
    name: 'Booking',
    cell: ({ kind, bookingId, reference }) => (
      <TextLink to="/bookings/$kind/$bookingId" params={{ kind, bookingId }} size="sm">
        {reference ?? bookingId}
      </TextLink>
    ),
  },
  { name: 'State', cell: ({ state }) => <StateBadge words={bookingState(state)} /> },
  { name: 'Created', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

function Found({ name }: { name: string }) {
  const query = useQuery(bookingsQuery(name));
  return (
    <Loaded query={query}>
      {({ items }) => {
        const [first, second] = items;
        if (!first) {
          return (
            <Empty title="No booking has this reference or ID">
              Enter a reference, a partner reference, or the ID of a checkout or reservation request
              of your application.
            </Empty>
          );
        }
        if (second) {
          return (
            <ItemTable
              caption="Bookings"
              items={items}
              keyOf={({ kind, bookingId }) => `${kind} ${bookingId}`}
              columns={columns}
            />
          );
        }
        const { kind, bookingId } = first;
        return <Navigate to="/bookings/$kind/$bookingId" params={{ kind, bookingId }} replace />;
      }}
    </Loaded>
  );
}

const resolvedColumns: readonly Column<FeedEvent>[] = [
  { name: 'Booking', cell: (event) => <BookingLink event={event} /> },
  { name: 'Outcome', cell: (event) => <Outcome event={event} /> },
  { name: 'Resolved', cell: ({ timestamp }) => <Moment at={timestamp} /> },
];

/** The bookings whose outcome came last. */
function ResolvedLast() {
  const query = useQuery(eventsQuery({ type: 'checkout.resolved' }));
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title="Find a booking">
            Enter a reference, a partner reference, or the ID of a checkout or reservation request.
            Bookings with an outcome appear here.
          </Empty>
        ) : (
          <Section title="Resolved last">
            <ItemTable
              caption="Bookings that were resolved last"
              items={items}
              keyOf={({ id }) => id}
              columns={resolvedColumns}
            />
          </Section>
        )
      }
    </Loaded>
  );
}

/** Finds bookings by a reference or ID, and lists those that were resolved last. */
export function Bookings() {
  const { name } = useSearch({ from: '/inside/bookings' });
  const navigate = useNavigate();
  return (
    <Stack gap="md">
      <PageTitle title="Bookings" about="Checkouts, reservation requests and reservations." />
      <Group component="search" aria-label="Find a booking">
        <TypedField
          key={name}
          label="Reference or ID"
          placeholder="LK-7Q4M-2XHV, your reference, or an ID"
          value={name}
          onEnter={(entered) =>
            void navigate({ to: '/bookings', search: entered ? { name: entered } : {} })
          }
        />
      </Group>
      {name ? <Found name={name} /> : <ResolvedLast />}
    </Stack>
  );
}
