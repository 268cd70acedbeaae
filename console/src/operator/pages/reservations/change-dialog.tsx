import { Alert, Checkbox, List, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Facts } from '../../../base/components/facts.tsx';
import {
  type Change,
  type ChangeInput,
  type Reservation,
  reservationQuery,
  reservations,
} from '../../api/reservations.ts';
import { ActForm } from '../../components/act-form.tsx';
import { Availability } from '../../components/availability.tsx';
import { EventsToSend } from '../../components/events-to-send.tsx';
import { HomeChoice } from '../../components/home-choice.tsx';
import { PartyFields, partyPaths } from '../../components/party-fields.tsx';
import { Loaded, Loading } from '../../../base/components/loaded.tsx';
import { dayText } from '../../words/days.ts';
import { agesIn } from '../../../base/words/party.ts';
import { differenceText, moneyText } from '../../../base/words/money.ts';
import { balanceSeen } from './balance-seen.ts';
import { FreeHomes } from './free-homes.tsx';
import { SeenReservation } from './seen-reservation.tsx';

const stayText = ({ listing, listingName, checkIn, checkOut }: Change['after']): string =>
  `${listingName ?? listing ?? 'A home that no longer exists'} · ${dayText(checkIn)} – ${dayText(checkOut)}`;

/** What a change would do. */
export function ChangePreview({ before, after, price, availability, warnings, events }: Change) {
  const { currency } = price;
  return (
    <Stack gap="xs">
      <Facts
        facts={{
          From: stayText(before),
          To: stayText(after),
          'Price before': moneyText(price.before, currency),
          'Price after': moneyText(price.after, currency),
          Difference: differenceText(price.difference, currency),
          Overpaid: price.overpaid > 0 ? moneyText(price.overpaid, currency) : undefined,
        }}
      />
      <Availability availability={availability} />
      {warnings.length > 0 && (
        <Alert color="yellow" variant="light" title="Rules of the home that this breaks">
          <List size="sm">
            {warnings.map(({ rule, message }) => (
              <List.Item key={rule}>{message}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <EventsToSend events={events} />
    </Stack>
  );
}

const shownFields = ['/checkIn', '/checkOut', ...partyPaths];

/** The fields that staff have changed. The others follow the reservation. */
interface Typed {
  checkIn?: string;
  checkOut?: string;
  listing?: string;
  party?: Partial<Omit<Reservation['party'], 'childAges'>>;
  ages?: string;
}

/** The party with the ages that are typed: without any, they stay as long as the number of children does. */
function partyOf(before: Reservation['party'], { party, ages }: Typed): Reservation['party'] {
  const { childAges: known, ...people } = { ...before, ...party };
  const typed = ages === undefined ? [] : agesIn(ages);
  const kept = people.children === before.children ? known : undefined;
  const childAges = people.children > 0 && typed.length > 0 ? typed : kept;
  return { ...people, ...(childAges && { childAges }) };
}

const unmoved: Typed = {};

function ChangeReservation({
  reservation,
  moved = unmoved,
}: {
  reservation: Reservation;
  /** Where the calendar has moved it. */
  moved?: Typed;
}) {
  const { reference, version } = reservation;
  const home = reservation.listing.slug ?? reservation.listingId;
  // Already to where it goes: only the reason is missing.
  const isMoved =
    moved !== unmoved &&
    (moved.checkIn !== reservation.checkIn || (moved.listing ?? home) !== home);
  const before = {
    checkIn: reservation.checkIn,
    checkOut: reservation.checkOut,
    listing: home,
    party: reservation.party,
  };
  const [typed, setTyped] = useState<Typed>(moved);
  const { ages, ...typedStay } = typed;
  const stay = { ...before, ...typedStay, party: partyOf(before.party, typed) };
  const [recalculates, setRecalculates] = useState(false);
  const isSame = JSON.stringify(stay) === JSON.stringify(before) && !recalculates;
  const isComplete = stay.checkIn !== '' && stay.checkOut !== '';
  const { listing, ...rest } = stay;
  const input: ChangeInput | null =
    isSame || !isComplete
      ? null
      : {
          ...rest,
          // A home that no longer exists stays as it is.
          ...(listing !== home && { listing }),
          price: recalculates ? 'recalculate' : 'keep',
          expectedVersion: version,
        };
  return (
    <ActForm
      act={{
        name: `change ${reference}`,
        input,
        preview: (given) => reservations.previewChange(reference, given),
        run: (given, shown) =>
          reservations.change(reference, {
            ...given,
            ...balanceSeen(shown),
            expectedVersion: shown.before.version,
          }),
        show: ChangePreview,
        isPossible: ({ availability }) => availability?.isFree !== false,
        label: 'Change the reservation',
        done: `${reference} is changed.`,
      }}
      fields={shownFields}
    >
      {(errors) => (
        <>
          <SimpleGrid cols={2}>
            <TextInput
              type="date"
              label="Arrival"
              value={stay.checkIn}
              error={errors.get('/checkIn')}
              onChange={({ currentTarget }) => setTyped({ ...typed, checkIn: currentTarget.value })}
              {...(!isMoved && { 'data-autofocus': true })}
            />
            <TextInput
              type="date"
              label="Departure"
              value={stay.checkOut}
              error={errors.get('/checkOut')}
              onChange={({ currentTarget }) =>
                setTyped({ ...typed, checkOut: currentTarget.value })
              }
            />
          </SimpleGrid>
          <PartyFields
            counts={stay.party}
            ages={ages ?? stay.party.childAges?.join(', ') ?? ''}
            errors={errors}
            onCount={(count) => setTyped({ ...typed, party: { ...typed.party, ...count } })}
            onAges={(text) => setTyped({ ...typed, ages: text })}
          />
          <HomeChoice
            label="Home"
            value={stay.listing}
            onChoose={(chosen = home) => setTyped({ ...typed, listing: chosen })}
          />
          {isComplete && stay.checkOut > stay.checkIn && (
            <FreeHomes
              isOpen={!isMoved}
              reference={reference}
              stay={{
                checkIn: stay.checkIn,
                checkOut: stay.checkOut,
                adults: stay.party.adults,
                children: stay.party.children,
                infants: stay.party.infants,
                pets: stay.party.pets,
              }}
              chosen={stay.listing}
              onChoose={(chosen) => setTyped({ ...typed, listing: chosen })}
            />
          )}
          <Checkbox
            label="Take the price of the current rates"
            description="Otherwise the agreed price stays."
            checked={recalculates}
            onChange={({ currentTarget }) => setRecalculates(currentTarget.checked)}
          />
        </>
      )}
    </ActForm>
  );
}

/** A stay, and where the calendar has moved it. */
export interface Move {
  reference: string;
  listing: string;
  checkIn: string;
  checkOut: string;
}

function MovedReservation({ reference, ...moved }: Move) {
  const query = useQuery(reservationQuery(reference));
  // What was read before is older than the bar in the calendar, perhaps by a move of one's own.
  if (!query.isFetchedAfterMount) return <Loading />;
  return (
    <Loaded query={query}>
      {(reservation) => (
        <SeenReservation opened={reservation}>
          {(seen) => <ChangeReservation reservation={seen} moved={moved} />}
        </SeenReservation>
      )}
    </Loaded>
  );
}

/** Opens the same dialog for a stay that was moved in the calendar. */
export const openMove = (move: Move, onClose: () => void): void => {
  modals.open({
    title: `Move ${move.reference}`,
    size: 'lg',
    onClose,
    children: <MovedReservation {...move} />,
  });
};

/** Opens the dialog that changes the stay of a reservation. */
export const openChange = (reservation: Reservation): void => {
  modals.open({
    title: `Change ${reservation.reference}`,
    children: (
      <SeenReservation opened={reservation}>
        {(seen) => <ChangeReservation reservation={seen} />}
      </SeenReservation>
    ),
  });
};
