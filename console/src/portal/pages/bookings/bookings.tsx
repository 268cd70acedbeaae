import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { bookingsQuery } from '../../api/queries.ts';
import type { Booking } from '../../api/types.ts';
import { Empty } from '../../../base/parts/empty.tsx';
import { TextLink } from '../../../base/parts/links.tsx';
import { Loaded } from '../../../base/parts/loaded.tsx';
import { Moment } from '../../../base/parts/moment.tsx';
import { PageTitle } from '../../../base/parts/page-title.tsx';
import { Records, type Column } from '../../../base/parts/records.tsx';
import { StateBadge } from '../../../base/parts/state-badge.tsx';
import { TypedField } from '../../../base/parts/typed-field.tsx';
import { bookingState } from '../../words/states.ts';

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
            <Empty title="No booking has this name">
              Enter a reference, a partner reference, or the ID of a checkout or reservation request
              of your application.
            </Empty>
          );
        }
        if (second) {
          return (
            <Records
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

/** Finds bookings by a reference or ID. */
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
      {name ? (
        <Found name={name} />
      ) : (
        <Empty title="Find a booking">
          Enter a reference, a partner reference, or the ID of a checkout or reservation request.
          The <TextLink to="/events">events</TextLink> lead to the bookings that changed last.
        </Empty>
      )}
    </Stack>
  );
}
