import { Alert, Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Facts } from '../../../base/components/facts.tsx';
import { type Reservation, reservationQuery } from '../../api/reservations.ts';
import { dayText } from '../../words/days.ts';
import { partyText } from '../../../base/words/party.ts';
import { stateLabel } from '../../words/states.ts';

const Newer = ({ reservation, onTake }: { reservation: Reservation; onTake: () => void }) => {
  const { state, listing, listingId, checkIn, checkOut, party } = reservation;
  return (
    <Alert
      color="yellow"
      variant="light"
      title="The reservation has changed meanwhile"
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Facts
          facts={{
            State: stateLabel(state).name,
            Home: listing.name ?? listing.slug ?? listingId,
            Stay: `${dayText(checkIn)} to ${dayText(checkOut)}`,
            Guests: partyText(party),
          }}
        />
        <Button size="xs" variant="default" onClick={onTake}>
          Continue with it as it is now
        </Button>
      </Stack>
    </Alert>
  );
};

/**
 * Shows what acts on the reservation that staff have seen. If somebody else changes it meanwhile, they see how
 * and can continue with it: what they have typed stays.
 */
export function SeenReservation({
  opened,
  children,
}: {
  opened: Reservation;
  children: (seen: Reservation) => ReactNode;
}) {
  const [seen, setSeen] = useState(opened);
  const { data: current = seen } = useQuery(reservationQuery(opened.reference));
  return (
    <Stack gap="md">
      {current.version > seen.version && (
        <Newer reservation={current} onTake={() => setSeen(current)} />
      )}
      {children(seen)}
    </Stack>
  );
}
