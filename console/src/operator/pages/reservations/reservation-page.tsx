import { Button, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Copy } from '../../../base/components/copy.tsx';
import { Facts } from '../../../base/components/facts.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment, ZoneOfHome } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { type Reservation, reservationQuery } from '../../api/reservations.ts';
import { useMay } from '../../frame/session.ts';
import { PhoneLink } from '../../components/phone-link.tsx';
import { PriceLines } from '../../components/price-lines.tsx';
import { Word } from '../../../base/components/word.tsx';
import { type PastItem, Timeline } from '../../../base/components/timeline.tsx';
import { dateOf, dayOf, dayText } from '../../words/days.ts';
import { partyText } from '../../../base/words/party.ts';
import { counted } from '../../../base/words/plural.ts';
import { stateLabel } from '../../words/states.ts';
import { AtAGlance } from './at-a-glance.tsx';
import { openCancel } from './cancel-dialog.tsx';
import { openChange } from './change-dialog.tsx';
import { Money } from './money.tsx';
import { Notes } from './notes.tsx';
import { Waits } from './waits.tsx';

const buttonStyle = { variant: 'default', size: 'xs' } as const;

function LinkedHome({ reservation: { listing, listingId } }: { reservation: Reservation }) {
  if (listing.slug === null) return listingId;
  return (
    <TextLink to="/homes/$listing" params={{ listing: listing.slug }} size="sm">
      {listing.name ?? listing.slug}
    </TextLink>
  );
}

// The stay begins a little after the first day that is shown.
const daysBefore = 2;

function LinkedCalendar({ reservation: { listing, checkIn } }: { reservation: Reservation }) {
  if (listing.slug === null) return null;
  const from = dateOf(dayOf(checkIn) - daysBefore);
  return (
    <TextLink to="/calendar" search={{ text: listing.slug, from }} size="sm">
      Show these nights
    </TextLink>
  );
}

const LinkedPartner = ({ application }: Pick<Reservation, 'application'>) => (
  <>
    <TextLink
      to="/partners/$applicationId"
      params={{ applicationId: application.applicationId }}
      size="sm"
      underline="always"
    >
      {application.name}
    </TextLink>
    , {application.settlement === 'card' ? 'we collect' : 'the partner collects'}
  </>
);

function Stay({ reservation }: { reservation: Reservation }) {
  const { checkIn, checkOut, nights, party, application } = reservation;
  const { booking, announced, cancelledAt, records } = reservation;
  return (
    <Section title="Stay">
      <Facts
        facts={{
          State: <StateBadge words={stateLabel(reservation.state)} />,
          Home: <LinkedHome reservation={reservation} />,
          Arrival: dayText(checkIn),
          Departure: `${dayText(checkOut)}, ${counted(nights, 'night')}`,
          Guests: partyText(party),
          Calendar: <LinkedCalendar reservation={reservation} />,
          Partner: <LinkedPartner application={application} />,
          'Partner reference': booking.partnerReference,
          Promotion: booking.promotionCode,
          Confirmed: <Moment at={reservation.confirmedAt} />,
          Cancelled: cancelledAt && <Moment at={cancelledAt} />,
          Announced: announced && (
            <>
              <Word of={announced.change} /> <Moment at={announced.at} />
            </>
          ),
          'Own records': records.problem,
        }}
      />
    </Section>
  );
}

const Guest = ({ reservation: { guest, reference } }: { reservation: Reservation }) => (
  <Section title="Guest">
    {guest === null ? (
      <Text size="sm" c="dimmed">
        The data of the guest was removed.
      </Text>
    ) : (
      <Facts
        facts={{
          Name: `${guest.firstName} ${guest.lastName}`.trim(),
          Email: (
            <>
              {guest.email} <Copy value={guest.email} what="email" />
            </>
          ),
          Phone: <PhoneLink phone={guest.phone} size="sm" />,
          Reservations: (
            <TextLink to="/reservations" search={{ guestOf: reference }} size="sm">
              Of this guest
            </TextLink>
          ),
        }}
      />
    )}
  </Section>
);

/** Leads from a delivery of the history to its attempts. */
const linkToDelivery =
  (applicationId: string) =>
  ({ what, deliveryId }: PastItem & Record<string, unknown>) =>
    what === 'delivery' &&
    typeof deliveryId === 'string' && (
      <TextLink
        to="/partners/$applicationId/deliveries/$deliveryId"
        params={{ applicationId, deliveryId }}
        size="sm"
        underline="always"
      >
        Show the delivery
      </TextLink>
    );

function Detail({ reservation }: { reservation: Reservation }) {
  const { reference, charges, history } = reservation;
  const canAct = useMay('reservations');
  const isConfirmed = reservation.state === 'confirmed';
  return (
    <Stack gap="md">
      <PageTitle title={reference} about={reservation.listing.name}>
        {canAct && (
          <>
            <Button
              {...buttonStyle}
              disabled={!isConfirmed}
              onClick={() => openChange(reservation)}
            >
              Change
            </Button>
            <Button
              {...buttonStyle}
              color="red"
              variant="light"
              disabled={!isConfirmed}
              onClick={() => openCancel(reservation)}
            >
              Cancel
            </Button>
          </>
        )}
      </PageTitle>
      <Waits reference={reference} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Guest reservation={reservation} />
        <AtAGlance reservation={reservation} />
        <Stay reservation={reservation} />
        <Section title="Price, line by line">
          <PriceLines charges={charges} />
        </Section>
      </SimpleGrid>
      {reservation.balances && <Money reference={reference} />}
      <Notes reference={reference} history={history} />
      <Section title="What happened" about="Oldest first.">
        <Timeline items={history} linkOf={linkToDelivery(reservation.application.applicationId)} />
      </Section>
    </Stack>
  );
}

/** One reservation with everything behind it. */
export function ReservationPage() {
  const { reference } = useParams({ from: '/inside/reservations/$reference' });
  const query = useQuery(reservationQuery(reference));
  return (
    <Stack gap="sm">
      <TextLink to="/reservations" size="sm">
        ← Reservations
      </TextLink>
      <Loaded query={query}>
        {(reservation) => (
          <ZoneOfHome value={reservation.listing.timeZone ?? 'UTC'}>
            <Detail reservation={reservation} />
          </ZoneOfHome>
        )}
      </Loaded>
    </Stack>
  );
}
