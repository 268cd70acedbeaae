import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../../base/parts/facts.tsx';
import { Loaded } from '../../../base/parts/loaded.tsx';
import { Moment } from '../../../base/parts/moment.tsx';
import { type Column, Records } from '../../../base/parts/records.tsx';
import { Section } from '../../../base/parts/section.tsx';
import { StateBadge } from '../../../base/parts/state-badge.tsx';
import { type PaymentFile, paymentQuery } from '../../api/reservations.ts';
import { moneyText } from '../../../base/words/money.ts';
import { stateLabel } from '../../words/states.ts';
import { useMay } from '../../frame/session.ts';
import { openLink } from './link-dialog.tsx';
import { openRefund } from './refund-dialog.tsx';
import { openRetry } from './retry-dialog.tsx';

type Payment = PaymentFile['payments'][number];
type Entry = PaymentFile['entries'][number];

const paymentColumns = (currency: string): readonly Column<Payment>[] => [
  { name: 'Payment', cell: ({ purpose, dueOn }) => `${purpose}, due ${dueOn}` },
  { name: 'Amount', cell: ({ amount }) => moneyText(amount, currency) },
  { name: 'State', cell: ({ state }) => state },
  { name: 'Refunded', cell: ({ refunded }) => moneyText(refunded, currency) },
];

const entryColumns: readonly Column<Entry>[] = [
  { name: 'Entry', cell: ({ kind }) => kind },
  {
    name: 'Accounts',
    cell: ({ debit, credit }) => (debit === null ? '–' : `${debit} from ${credit}`),
  },
  {
    name: 'Amount',
    cell: ({ amount, currency }) =>
      amount === null || currency === null ? '–' : moneyText(amount, currency),
  },
  { name: 'Time', cell: ({ at }) => <Moment at={at} /> },
];

function Acts({ account }: { account: PaymentFile }) {
  const { reference, currency, collected, open, refunded } = account;
  return (
    <Group gap="xs">
      <Button
        variant="default"
        size="xs"
        disabled={collected <= refunded}
        onClick={() => openRefund(reference, currency)}
      >
        Refund a part
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={open <= 0 || account.state === 'cancelled'}
        onClick={() => openLink(reference)}
      >
        Payment link
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={
          account.refusals === 0 && account.stoppedAt === null && account.attention === null
        }
        onClick={() => openRetry(reference)}
      >
        Ask the card provider again
      </Button>
    </Group>
  );
}

function Account({ account }: { account: PaymentFile }) {
  const { currency, due, collected, open, refunded, attention, nextAt } = account;
  return (
    <Stack gap="md">
      {useMay('money') && <Acts account={account} />}
      <Facts
        facts={{
          Due: moneyText(due, currency),
          Collected: moneyText(collected, currency),
          Open: moneyText(open, currency),
          Refunded: moneyText(refunded, currency),
          Decision: attention && <StateBadge words={stateLabel(attention)} />,
          Next: nextAt && <Moment at={nextAt} />,
        }}
      />
      <Records
        caption="Payments"
        columns={paymentColumns(currency)}
        items={account.payments}
        keyOf={({ paymentId }) => paymentId}
      />
      <details>
        <summary>
          <Text span size="sm">
            The ledger
          </Text>
        </summary>
        <Records
          caption="Ledger"
          columns={entryColumns}
          items={account.entries}
          keyOf={({ entryId }) => `${entryId}`}
        />
      </details>
    </Stack>
  );
}

/** The money of a reservation that is collected by card. */
export function Money({ reference }: { reference: string }) {
  const query = useQuery(paymentQuery(reference));
  return (
    <Section title="Money" about="Collected by card.">
      <Loaded query={query}>{(account) => <Account account={account} />}</Loaded>
    </Section>
  );
}
