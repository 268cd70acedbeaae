import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Failure } from '../../../base/components/failure.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { counted } from '../../../base/words/plural.ts';
import { type PaymentDifference, reservations } from '../../api/reservations.ts';
import { dateOf, dayText } from '../../words/days.ts';
import { differenceWords } from './difference-words.ts';

const dayMs = 86_400_000;
const days = 7;

type Side = PaymentDifference['here'];

function sideText(side: Side, other: Side): string {
  if (side === null) return 'None';
  const currency = side.currency ?? other?.currency ?? '';
  const refunded =
    side.refundedMinor === 0 ? '' : `, ${moneyText(side.refundedMinor, currency)} refunded`;
  return `${side.state}, ${moneyText(side.amountMinor, currency)}${refunded}`;
}

const columns: readonly Column<PaymentDifference>[] = [
  {
    name: 'Difference',
    cell: ({ kind }) => (
      <Stack gap={0}>
        <Text size="sm" fw={600}>
          {differenceWords[kind].meaning}
        </Text>
        <Text size="sm">{differenceWords[kind].toDo}</Text>
        <Text size="xs" c="dimmed" className="mono">
          {kind}
        </Text>
      </Stack>
    ),
  },
  {
    name: 'Payment',
    cell: ({ reference, paymentId, providerReference }) => (
      <Stack gap={0}>
        {reference === null ? (
          'No reservation'
        ) : (
          <TextLink to="/reservations/$reference" params={{ reference }} className="mono">
            {reference}
          </TextLink>
        )}
        <Text size="xs" c="dimmed" className="mono break">
          {paymentId}
        </Text>
        <Text size="xs" c="dimmed" className="mono break">
          {providerReference}
        </Text>
      </Stack>
    ),
  },
  { name: 'Here', cell: ({ here, there }) => sideText(here, there) },
  { name: 'At the provider', cell: ({ here, there }) => sideText(there, here) },
];

const Found = ({ differences, since }: { differences: PaymentDifference[]; since: string }) => (
  <Stack gap="sm">
    <Text size="sm" role="status">
      {differences.length === 0
        ? `Both sides agree since ${dayText(since)}.`
        : `${counted(differences.length, 'difference')} since ${dayText(since)}.`}
    </Text>
    {differences.length > 0 && (
      <ItemTable
        caption="Differences"
        columns={columns}
        items={differences}
        keyOf={({ kind, paymentId, providerReference }) =>
          `${kind} ${paymentId} ${providerReference}`
        }
      />
    )}
  </Stack>
);

/** Compares the payments since a day with the card provider, and shows what differs. */
export function Reconciliation() {
  const [since, setSince] = useState(() => dateOf(Math.floor(Date.now() / dayMs) - days));
  const comparing = useMutation({
    mutationFn: (day: string) => reservations.reconcile(day),
    meta: { shown: true },
  });
  return (
    <Section
      title="Reconcile with the card provider"
      about="Compares every payment since a day, and changes nothing. It takes up to a minute; for many days use the command line."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          comparing.mutate(since);
        }}
      >
        <Stack gap="sm">
          <Group gap="sm" align="flex-end">
            <TextInput
              type="date"
              label="Payments since (UTC)"
              required
              value={since}
              onChange={({ currentTarget }) => setSince(currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={comparing.isPending}>
              Compare
            </Button>
          </Group>
          {comparing.isPending && (
            <Text size="sm" role="status">
              Comparing…
            </Text>
          )}
          {comparing.error && <Failure error={comparing.error} />}
          {comparing.data && (
            <Found differences={comparing.data.differences} since={comparing.variables} />
          )}
        </Stack>
      </form>
    </Section>
  );
}
