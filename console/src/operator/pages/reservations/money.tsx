import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../../base/components/facts.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { type PaymentInFull, paymentQuery } from '../../api/reservations.ts';
import { moneyText } from '../../../base/words/money.ts';
import { useMay } from '../../frame/session.ts';
import { openLink } from './link-dialog.tsx';
import { Word } from '../../../base/components/word.tsx';
import { dayText } from '../../words/days.ts';
import { openRecord } from './record-dialog.tsx';
import { openReduce, openRefund } from './refund-dialog.tsx';
import { openStart, openStop } from './start-dialog.ts';

type Payment = PaymentInFull['payments'][number];
type Entry = PaymentInFull['entries'][number];

const paymentColumns = (currency: string): readonly Column<Payment>[] => [
  {
    name: 'Payment',
    cell: ({ purpose, dueOn }) => (
      <>
        <Word of={purpose} />, due {dayText(dueOn)}
      </>
    ),
  },
  { name: 'Amount', isFigure: true, cell: ({ amount }) => moneyText(amount, currency) },
  { name: 'State', cell: ({ state }) => <Word of={state} /> },
  { name: 'Refunded', isFigure: true, cell: ({ refunded }) => moneyText(refunded, currency) },
];

const entryColumns: readonly Column<Entry>[] = [
  { name: 'Entry', cell: ({ kind }) => <Word of={kind} /> },
  {
    name: 'Accounts',
    cell: ({ debit, credit }) =>
      debit === null || credit === null ? (
        '–'
      ) : (
        <>
          <Word of={debit} /> from <Word of={credit} />
        </>
      ),
  },
  {
    name: 'Amount',
    isFigure: true,
    cell: ({ amount, currency }) =>
      amount === null || currency === null ? '–' : moneyText(amount, currency),
  },
  { name: 'Time', cell: ({ at }) => <Moment at={at} /> },
];

const buttonStyle = { variant: 'default', size: 'xs' } as const;

function Acts({ account }: { account: PaymentInFull }) {
  const { reference, currency, open, collected, refunded } = account;
  const { state, refusals, stoppedAt, attention } = account;
  const isStopped = stoppedAt !== null;
  return (
    <Group gap="xs">
      <Button
        {...buttonStyle}
        disabled={collected <= refunded}
        onClick={() => openRefund(reference, currency)}
      >
        Refund a part
      </Button>
      <Button {...buttonStyle} disabled={open <= 0} onClick={() => openReduce(reference, currency)}>
        Collect less
      </Button>
      <Button {...buttonStyle} onClick={() => openRecord(reference, currency)}>
        Record money that moved elsewhere
      </Button>
      <Button {...buttonStyle} disabled={isStopped} onClick={() => openStop(reference)}>
        Stop collecting
      </Button>
      <Button
        {...buttonStyle}
        disabled={open <= 0 || state === 'cancelled'}
        onClick={() => openLink(reference)}
      >
        Payment link
      </Button>
      <Button
        {...buttonStyle}
        disabled={refusals === 0 && !isStopped && attention === null}
        onClick={() => openStart(reference)}
      >
        Collect again
      </Button>
    </Group>
  );
}

function Account({ account }: { account: PaymentInFull }) {
  const { currency, due, collected, open, refunded, atProperty } = account;
  const { stoppedAt, nextAt } = account;
  return (
    <Stack gap="md">
      {useMay('money') && <Acts account={account} />}
      <Facts
        facts={{
          Due: moneyText(due, currency),
          Collected: moneyText(collected, currency),
          Open: moneyText(open, currency),
          Refunded: moneyText(refunded, currency),
          ...(atProperty > 0 && { 'Paid at the property': moneyText(atProperty, currency) }),
          Stopped: stoppedAt && <Moment at={stoppedAt} />,
          Next: nextAt && <Moment at={nextAt} />,
        }}
      />
      {account.payments.length > 0 && (
        <ItemTable
          caption="Payments"
          columns={paymentColumns(currency)}
          items={account.payments}
          keyOf={({ paymentId }) => paymentId}
        />
      )}
      <details>
        <summary>
          <Text span size="sm">
            The ledger
          </Text>
        </summary>
        <ItemTable
          caption="Ledger"
          columns={entryColumns}
          items={account.entries}
          keyOf={({ entryId }) => `${entryId}`}
        />
      </details>
    </Stack>
  );
}

/** The money of a reservation that the guest pays to us. */
export function Money({ reference }: { reference: string }) {
  const query = useQuery(paymentQuery(reference));
  return (
    <Section id="money" title="Money" about="What the guest pays to us.">
      <Loaded query={query}>{(account) => <Account account={account} />}</Loaded>
    </Section>
  );
}
