import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Empty } from '../../../base/components/empty.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { type UncertainCheckout, uncertainQuery } from '../../api/reservations.ts';
import { PagedTable } from '../../../base/components/paged.tsx';
import { inOrder } from '../../../base/components/paging.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { Word } from '../../../base/components/word.tsx';
import { PhoneLink } from '../../components/phone-link.tsx';
import { StayDays } from '../../components/stay-days.tsx';
import { homeColumn } from '../../components/columns.tsx';

const columns: readonly Column<UncertainCheckout>[] = [
  {
    name: 'Guest',
    cell: ({ checkoutId, applicationId, kind, guest, phone }) => (
      <Stack gap={0}>
        <TextLink
          to="/checkouts/$checkoutId"
          params={{ checkoutId }}
          search={{ applicationId, kind }}
          size="sm"
          title={checkoutId}
        >
          {guest ?? 'Guest removed'}
        </TextLink>
        <PhoneLink phone={phone} />
      </Stack>
    ),
  },
  homeColumn,
  { name: 'Stay', cell: ({ checkIn, checkOut }) => <StayDays from={checkIn} to={checkOut} /> },
  { name: 'Total', isFigure: true, cell: ({ total, currency }) => moneyText(total, currency) },
  { name: 'Not known', cell: ({ unknownStep }) => (unknownStep ? <Word of={unknownStep} /> : '–') },
  { name: 'Partner', cell: ({ application }) => application },
  { name: 'Since', cell: ({ since }) => <Moment at={since} /> },
  {
    name: 'Decided by',
    cell: ({ decidedBy }) => (decidedBy ? <Moment at={decidedBy} /> : 'never by itself'),
  },
];

/** Checkouts and requests whose outcome is not known, oldest first. */
export function Checkouts() {
  const { cursor } = useSearch({ from: '/inside/checkouts' });
  const navigate = useNavigate();
  const query = useQuery(uncertainQuery(cursor));
  return (
    <Stack gap="md">
      <PageTitle
        title="Uncertain checkouts"
        about="The outcome is not known. Workers look again by themselves, and decide after a day; you can decide at any time."
      />
      <PagedTable
        {...inOrder}
        query={query}
        cursor={cursor}
        onGo={(next) => void navigate({ to: '/checkouts', search: { cursor: next } })}
        renderNone={() => <Empty title="Nothing is uncertain">Every outcome is known.</Empty>}
        caption="Uncertain checkouts"
        columns={columns}
        keyOf={({ checkoutId, kind }) => `${checkoutId} ${kind}`}
      />
    </Stack>
  );
}
