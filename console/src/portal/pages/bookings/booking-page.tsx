import { Group, Paper, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { BookingName } from '../../api/portal.ts';
import { bookingQuery, sessionQuery } from '../../api/queries.ts';
import type { BookingInFull } from '../../api/types.ts';
import { Facts } from '../../../base/components/facts.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { type PastItem, Timeline } from '../../../base/components/timeline.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { partyText } from '../../../base/words/party.ts';
import { bookingState } from '../../words/states.ts';
import { CallsAbout } from '../requests/calls-about.tsx';
import { Simulate } from './simulate.tsx';

const momentOrNothing = (at: string | null) => at && <Moment at={at} />;

const kindNames = { checkout: 'Checkout', request: 'Reservation request' } as const;

const Summary = ({ booking }: { booking: BookingInFull }) => (
  <Paper withBorder p="md">
    <Facts
      facts={{
        [kindNames[booking.kind]]: (
          <Group gap={6}>
            <StateBadge words={bookingState(booking.state)} />
            {booking.failure}
          </Group>
        ),
        Reservation: booking.reservationState && (
          <StateBadge words={bookingState(booking.reservationState)} />
        ),
        Reference: booking.reference && <span className="mono">{booking.reference}</span>,
        'Partner reference': booking.partnerReference,
        Home: booking.listing.name ?? 'No longer exists',
        Stay: `${booking.checkIn} to ${booking.checkOut}`,
        Party: partyText(booking.party),
        Total: moneyText(booking.total, booking.currency),
        Promotion: booking.promotionCode,
        Created: <Moment at={booking.createdAt} />,
        Submitted: momentOrNothing(booking.submittedAt),
        Resolved: momentOrNothing(booking.resolvedAt),
        ID: <span className="mono">{booking.bookingId}</span>,
        'Quote ID': <span className="mono">{booking.quoteId}</span>,
      }}
    />
  </Paper>
);

/** Leads from an item of the timeline to its event or delivery. */
function linkOf(item: PastItem & Record<string, unknown>) {
  const { what, id, deliveryId } = item;
  if (what === 'event' && typeof id === 'string') {
    return (
      <TextLink to="/events/$eventId" params={{ eventId: id }} size="sm" underline="always">
        Show the event
      </TextLink>
    );
  }
  if (what === 'delivery' && typeof deliveryId === 'string') {
    return (
      <TextLink to="/deliveries/$deliveryId" params={{ deliveryId }} size="sm" underline="always">
        Show the delivery
      </TextLink>
    );
  }
  return undefined;
}

const idsOf = ({ bookingId, quoteId, reference }: BookingInFull): string[] => [
  bookingId,
  quoteId,
  ...(reference === null ? [] : [reference]),
];

function BookingView({ booking }: { booking: BookingInFull }) {
  const environment = useQuery(sessionQuery).data?.environment;
  const { reference, reservationState } = booking;
  const isChangeable = environment === 'simulation' && reservationState === 'confirmed';
  return (
    <Stack gap="md">
      <PageTitle title={reference ?? kindNames[booking.kind]} about="Booking" />
      <Summary booking={booking} />
      {isChangeable && reference !== null && <Simulate reference={reference} />}
      <Section
        title="Timeline"
        about="Commands of the last 7 days, events and deliveries of the last 30."
      >
        <Timeline items={booking.timeline} linkOf={linkOf} />
      </Section>
      <CallsAbout ids={idsOf(booking)} />
    </Stack>
  );
}

/** One booking with its timeline and calls, without its guest. */
export function BookingPage() {
  const { kind, bookingId } = useParams({ from: '/inside/bookings/$kind/$bookingId' });
  const query = useQuery(bookingQuery({ kind: kind as BookingName['kind'], bookingId }));
  return (
    <Stack gap="sm">
      <TextLink to="/bookings" search={{}} size="sm">
        ← Bookings
      </TextLink>
      <Loaded query={query}>{(booking) => <BookingView booking={booking} />}</Loaded>
    </Stack>
  );
}
