import { Radio, Stack } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import { Facts } from '../../../base/components/facts.tsx';
import {
  type Cancellation,
  type CancellationInput,
  type Reservation,
  reservations,
} from '../../api/reservations.ts';
import { ActForm } from '../../components/act-form.tsx';
import { AmountField } from '../../components/amount-field.tsx';
import { EventsToSend } from '../../components/events-to-send.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { balanceSeen } from './balance-seen.ts';
import { SeenReservation } from './seen-reservation.tsx';

type Choice = 'policy' | 'none' | 'amount';

/** What a cancellation would do. */
export function CancellationPreview({ refund, balances, events }: Cancellation) {
  const { currency } = refund;
  return (
    <Stack gap="xs">
      <Facts
        facts={{
          Refund: moneyText(refund.amount ?? 0, currency),
          'By the terms': moneyText(refund.byTerms, currency),
          // Whether the partner has collected it, the service does not know.
          Collected: balances && moneyText(refund.collected, currency),
          'Paid back by': refund.paidBy === 'operator' ? 'us, to the card' : 'the partner',
          'You keep': balances && moneyText(balances.due, currency),
        }}
      />
      <EventsToSend events={events} />
    </Stack>
  );
}

function CancelReservation({ reservation }: { reservation: Reservation }) {
  const { reference, version, charges } = reservation;
  const [choice, setChoice] = useState<Choice>('policy');
  const [amount, setAmount] = useState<number | null>(null);
  const refund = choice === 'amount' ? amount : choice;
  const input: CancellationInput | null =
    refund === null ? null : { refund, expectedVersion: version };
  return (
    <ActForm
      act={{
        name: `cancel ${reference}`,
        input,
        preview: (given) => reservations.previewCancel(reference, given),
        run: (given, shown) => reservations.cancel(reference, { ...given, ...balanceSeen(shown) }),
        show: CancellationPreview,
        label: 'Cancel the reservation',
        done: `${reference} is cancelled.`,
        color: 'red',
      }}
    >
      <Radio.Group label="Refund" value={choice} onChange={(value) => setChoice(value as Choice)}>
        <Stack gap={6} mt={4}>
          <Radio value="policy" label="What the terms give now" />
          <Radio value="none" label="Nothing" />
          <Radio value="amount" label="Another amount" />
        </Stack>
      </Radio.Group>
      {choice === 'amount' && (
        <AmountField label="Amount" currency={charges.currency} onChange={setAmount} />
      )}
    </ActForm>
  );
}

/** Opens the dialog that cancels a reservation permanently. */
export const openCancel = (reservation: Reservation): void => {
  modals.open({
    title: `Cancel ${reservation.reference} permanently`,
    children: (
      <SeenReservation opened={reservation}>
        {(seen) => <CancelReservation reservation={seen} />}
      </SeenReservation>
    ),
  });
};
