import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Choice } from '../../../base/components/choice.tsx';
import { Empty } from '../../../base/components/empty.tsx';
import { ListArea, SkipToList } from '../../../base/components/list-area.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { type PaymentAccount, type PaymentFilter, paymentsQuery } from '../../api/reservations.ts';
import { ApplicationChoice } from '../../components/application-choice.tsx';
import { PagedTable } from '../../../base/components/paged.tsx';
import { inOrder } from '../../../base/components/paging.tsx';
import { useMay } from '../../frame/session.ts';
import { moneyText } from '../../../base/words/money.ts';
import { stateLabel } from '../../words/states.ts';
import { guestAndHomeColumn, reservationColumn } from '../../components/columns.tsx';
import { Ledger } from './ledger.tsx';
import { Payouts } from './payouts.tsx';
import { Reconciliation } from './reconciliation.tsx';

const columns: readonly Column<PaymentAccount>[] = [
  reservationColumn,
  guestAndHomeColumn,
  {
    name: 'Waits',
    cell: ({ attention, attentionSince }) =>
      attention === null ? (
        '–'
      ) : (
        <Stack gap={2} align="flex-start">
          <StateBadge words={stateLabel(attention)} />
          {attentionSince && <Moment at={attentionSince} />}
        </Stack>
      ),
  },
  { name: 'Due', isFigure: true, cell: ({ due, currency }) => moneyText(due, currency) },
  {
    name: 'Collected',
    isFigure: true,
    cell: ({ collected, currency }) => moneyText(collected, currency),
  },
  { name: 'Open', isFigure: true, cell: ({ open, currency }) => moneyText(open, currency) },
  {
    name: 'Refunded',
    isFigure: true,
    cell: ({ refunded, currency }) => moneyText(refunded, currency),
  },
];

/** The money of reservations that is collected by card, first what needs a decision. */
export function Payments() {
  const canReconcile = useMay('money');
  const filter = useSearch({ from: '/inside/payments' });
  const navigate = useNavigate();
  const query = useQuery(paymentsQuery(filter));
  const go = (search: PaymentFilter) => void navigate({ to: '/payments', search });
  return (
    <Stack gap="md">
      <SkipToList />
      <PageTitle title="Payments" about="Reservations whose money we collect." />
      <Group component="search" aria-label="Filter the payments">
        <Choice
          label="Show"
          value={filter.needsAttention}
          choices={[{ value: 'true', label: 'Only what needs a decision' }]}
          onChoose={(needsAttention) => go({ ...filter, cursor: undefined, needsAttention })}
        />
        <ApplicationChoice
          value={filter.applicationId}
          onChoose={(applicationId) => go({ ...filter, cursor: undefined, applicationId })}
        />
      </Group>
      <ListArea>
        <PagedTable
          {...inOrder}
          query={query}
          cursor={filter.cursor}
          onGo={(cursor) => go({ ...filter, cursor })}
          renderNone={() => (
            <Empty title="Nothing here">
              {filter.needsAttention || filter.applicationId
                ? 'No payment is like this.'
                : 'Reservations of card-paying applications appear here.'}
            </Empty>
          )}
          caption="Payments"
          columns={columns}
          keyOf={({ reference }) => reference}
        />
      </ListArea>
      <Ledger />
      <Payouts />
      {canReconcile && <Reconciliation />}
    </Stack>
  );
}
