import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Empty } from '../../../base/components/empty.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { PagedTable } from '../../../base/components/paged.tsx';
import { inOrder } from '../../../base/components/paging.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { differenceText, moneyText } from '../../../base/words/money.ts';
import { type ChangeRequest, changeRequestsQuery } from '../../api/change-requests.ts';
import { guestAndHomeColumn, reservationColumn } from '../../components/columns.tsx';
import { useMay } from '../../frame/session.ts';
import { dayText } from '../../words/days.ts';
import { partyText } from '../../../base/words/party.ts';
import { openAccept, openDecline } from './decide-request-dialog.tsx';

const askedOf = ({ kind, checkIn, checkOut, party }: ChangeRequest): string[] =>
  kind === 'cancel'
    ? ['Cancel it']
    : [
        ...(checkIn === null ? [] : [`Arrival ${dayText(checkIn)}`]),
        ...(checkOut === null ? [] : [`Departure ${dayText(checkOut)}`]),
        ...(party === null ? [] : [partyText(party)]),
      ];

function costOf({ preview: { currency, total, difference, refund } }: ChangeRequest): string {
  if (total === null) return `Refund ${moneyText(refund ?? 0, currency)}`;
  return `${moneyText(total, currency)} (${differenceText(difference ?? 0, currency)})`;
}

const columns: readonly Column<ChangeRequest>[] = [
  reservationColumn,
  guestAndHomeColumn,
  {
    name: 'Asks for',
    cell: (request) => (
      <Stack gap={0}>
        {askedOf(request).map((one) => (
          <Text key={one} size="sm">
            {one}
          </Text>
        ))}
      </Stack>
    ),
  },
  { name: 'Costs', cell: (request) => costOf(request) },
  { name: 'Note', cell: ({ note }) => note ?? '–' },
  { name: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const decision: Column<ChangeRequest> = {
  name: 'Decide',
  cell: (request) => (
    <Group gap="xs">
      <Button size="xs" onClick={() => openAccept(request)}>
        Accept
      </Button>
      <Button size="xs" variant="default" onClick={() => openDecline(request)}>
        Decline
      </Button>
    </Group>
  ),
};

/** What partners ask to cancel or change, and nobody has decided. */
export function ChangeRequests() {
  const { cursor } = useSearch({ from: '/inside/change-requests' });
  const navigate = useNavigate();
  const query = useQuery(changeRequestsQuery(cursor));
  const canDecide = useMay('reservations');
  return (
    <Stack gap="md">
      <PageTitle
        title="Requests"
        about="What partners ask to cancel or change for their guests. They see what you decide."
      />
      <PagedTable
        {...inOrder}
        query={query}
        cursor={cursor}
        onGo={(next) => void navigate({ to: '/change-requests', search: { cursor: next } })}
        renderNone={() => (
          <Empty title="Nobody asks for anything">
            Partners with the grant “changes” ask for cancellations and changes here.
          </Empty>
        )}
        caption="Requests of partners"
        columns={canDecide ? [...columns, decision] : columns}
        keyOf={({ applicationId, changeRequestId }) => `${applicationId} ${changeRequestId}`}
      />
    </Stack>
  );
}
