import { Paper, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { deliveriesQuery, endpointsQuery, eventQuery, sessionQuery } from '../../api/queries.ts';
import type { FeedEvent } from '../../api/types.ts';
import { JsonBlock } from '../../../base/components/code-block.tsx';
import { Facts } from '../../../base/components/facts.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Section } from '../../../base/components/section.tsx';
import { DeliveryTable } from '../deliveries/delivery-table.tsx';
import { DeliverAgain } from './deliver-again.tsx';
import { CallsAbout } from '../requests/calls-about.tsx';
import { BookingLink, idsOf, Outcome } from './event-booking.tsx';

function Deliveries({ eventId }: { eventId: string }) {
  const query = useQuery(deliveriesQuery({ eventId }));
  const endpoints = useQuery(endpointsQuery).data?.items ?? [];
  return (
    <Section title="Deliveries" about="The result at each of your endpoints.">
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            'None: no endpoint was there to receive it.'
          ) : (
            <DeliveryTable items={items} endpoints={endpoints} />
          )
        }
      </Loaded>
    </Section>
  );
}

const EventView = ({ event, isSimulated }: { event: FeedEvent; isSimulated: boolean }) => (
  <Stack gap="md">
    <PageTitle title={event.type} about="Event" />
    <Paper withBorder p="md">
      <Facts
        facts={{
          Outcome: <Outcome event={event} />,
          Booking: <BookingLink event={event} />,
          Time: <Moment at={event.timestamp} />,
          Sequence: event.sequence,
          'Event ID': <span className="mono">{event.id}</span>,
        }}
      />
    </Paper>
    <Deliveries eventId={event.id} />
    {isSimulated && <DeliverAgain eventId={event.id} />}
    <CallsAbout ids={idsOf(event)} />
    <Section title="JSON">
      <JsonBlock value={event} />
    </Section>
  </Stack>
);

/** One event: its outcome, its deliveries, and the calls of its booking. */
export function EventPage() {
  const { eventId } = useParams({ from: '/inside/events/$eventId' });
  const query = useQuery(eventQuery(eventId));
  const isSimulated = useQuery(sessionQuery).data?.environment === 'simulation';
  return (
    <Stack gap="sm">
      <TextLink to="/events" search={{}} size="sm">
        ← Events
      </TextLink>
      <Loaded query={query}>
        {(event) => <EventView event={event} isSimulated={isSimulated} />}
      </Loaded>
    </Stack>
  );
}
