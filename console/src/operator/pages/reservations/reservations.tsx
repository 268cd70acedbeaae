import { Group, Kbd, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { reservationStates } from '#contract/states.ts';
import { Choice } from '../../../base/components/choice.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { ListArea, SkipToList } from '../../../base/components/list-area.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import {
  type ListedReservation,
  type ReservationFilter,
  reservationsQuery,
} from '../../api/reservations.ts';
import { ApplicationChoice } from '../../components/application-choice.tsx';
import { HomeChoice } from '../../components/home-choice.tsx';
import { DayField } from '../../components/day-field.tsx';
import { PagedTable } from '../../../base/components/paged.tsx';
import { inOrder } from '../../../base/components/paging.tsx';
import { dayText, stayText, todayHere } from '../../words/days.ts';
import { moneyText } from '../../../base/words/money.ts';
import { partyText } from '../../../base/words/party.ts';
import { stateLabel } from '../../words/states.ts';
import { FindField } from './find-field.tsx';
import { allDays, shownFilter } from './shown-filter.ts';
import { homeColumn } from '../../components/columns.tsx';

const columns: readonly Column<ListedReservation>[] = [
  {
    name: 'Reservation',
    cell: ({ reference }) => (
      <TextLink to="/reservations/$reference" params={{ reference }} className="mono whole">
        {reference}
      </TextLink>
    ),
  },
  { name: 'Guest', cell: ({ guestName }) => guestName ?? '–' },
  homeColumn,
  {
    name: 'Stay',
    cell: ({ checkIn, checkOut }) => (
      <span className="whole" title={`${dayText(checkIn)} – ${dayText(checkOut)}`}>
        {stayText(checkIn, checkOut)}
      </span>
    ),
  },
  { name: 'Guests', cell: ({ party }) => partyText(party) },
  {
    name: 'Total',
    isFigure: true,
    cell: ({ total, currency }) => moneyText(total, currency),
  },
  {
    name: 'State',
    cell: ({ state }) => (
      <div className="whole">
        <StateBadge words={stateLabel(state)} />
      </div>
    ),
  },
  { name: 'Partner', cell: ({ application }) => application },
  { name: 'Confirmed', cell: ({ confirmedAt }) => <Moment at={confirmedAt} /> },
];

const stateChoices = reservationStates.map((value) => ({ value, label: stateLabel(value).name }));

function Filters({
  filter,
  onChange,
}: {
  filter: ReservationFilter;
  onChange: (change: ReservationFilter) => void;
}) {
  const shown = filter.reference ?? filter.guestOf ?? filter.partnerReference;
  return (
    <Group gap="sm" align="flex-end" component="search" aria-label="Filter the reservations">
      <FindField
        key={shown}
        filter={filter}
        onFind={(found) => onChange({ from: undefined, to: undefined, ...found })}
      />
      <DayField
        label="Arrival from"
        value={filter.from}
        onChoose={(from = allDays) => onChange({ from })}
      />
      <DayField label="Arrival until" value={filter.to} onChoose={(to) => onChange({ to })} />
      <Choice
        label="State"
        value={filter.state}
        choices={stateChoices}
        onChoose={(state) => onChange({ state })}
      />
      <HomeChoice
        label="Home"
        size="xs"
        className="choice"
        clearable
        value={filter.listing}
        onChoose={(listing) => onChange({ listing })}
      />
      <Choice
        label="Your records"
        value={filter.recordsRefused}
        choices={[{ value: 'true', label: 'Refused' }]}
        onChoose={(recordsRefused) => onChange({ recordsRefused })}
      />
      <ApplicationChoice
        value={filter.applicationId}
        onChoose={(applicationId) => onChange({ applicationId })}
      />
    </Group>
  );
}

const NoReservation = ({ filter }: { filter: ReservationFilter }) =>
  Object.values(filter).some(Boolean) ? (
    <Empty title="No reservations match">
      {/* What was not searched is not said to be missing. */}
      {filter.partnerReference && (
        <Text size="sm">
          Only partner references were searched. Press <Kbd size="xs">/</Kbd> to find a name, a
          phone or a home.
        </Text>
      )}
      <TextLink to="/reservations" search={{ from: allDays }} size="sm">
        Show all reservations
      </TextLink>
    </Empty>
  ) : (
    <Empty title="No reservations yet">Bookings of partners appear here once confirmed.</Empty>
  );

/** Reservations by day of arrival, and the search for one. */
export function Reservations() {
  const address = useSearch({ from: '/inside/reservations' });
  const filter = shownFilter(address, todayHere());
  const navigate = useNavigate();
  const query = useQuery(reservationsQuery(filter));
  const go = (search: ReservationFilter) => void navigate({ to: '/reservations', search });
  return (
    <Stack gap="md">
      <SkipToList />
      <PageTitle
        title="Reservations"
        about={
          <>
            By day of arrival.{' '}
            <TextLink
              to="/reservations"
              search={{ ...address, cursor: undefined, from: filter.from ? allDays : undefined }}
              size="sm"
              underline="always"
            >
              {filter.from ? 'Show all days' : 'From today'}
            </TextLink>
          </>
        }
      />
      <Filters
        filter={filter}
        onChange={(change) => go({ ...address, cursor: undefined, ...change })}
      />
      <ListArea>
        <PagedTable
          {...inOrder}
          query={query}
          cursor={filter.cursor}
          onGo={(cursor) => go({ ...address, from: filter.from ?? allDays, cursor })}
          renderNone={() => <NoReservation filter={filter} />}
          caption="Reservations"
          columns={columns}
          keyOf={({ reference }) => reference}
        />
      </ListArea>
    </Stack>
  );
}
