import { modals } from '@mantine/modals';
import { useState } from 'react';
import { Facts } from '../../../base/parts/facts.tsx';
import { type Refund, reservations } from '../../api/reservations.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { AmountField } from '../../parts/amount-field.tsx';
import { moneyText } from '../../../base/words/money.ts';

const Preview = ({ currency, before, after }: Refund) => (
  <Facts
    facts={{
      'Due before': moneyText(before.due, currency),
      'Due after': moneyText(after.due, currency),
      Collected: moneyText(after.collected, currency),
      'Still to refund': moneyText(Math.max(0, -after.open), currency),
    }}
  />
);

function RefundPayment({ reference, currency }: { reference: string; currency: string }) {
  const [amount, setAmount] = useState<number | null>(null);
  return (
    <ActForm
      act={{
        name: `refund ${reference}`,
        input: amount === null || amount <= 0 ? null : { amount },
        preview: (given) => reservations.previewRefund(reference, given),
        run: (given, { before }) =>
          reservations.refund(reference, { ...given, expectedDue: before.due }),
        show: Preview,
        label: 'Refund',
        done: 'The refund is on its way.',
        color: 'red',
      }}
      fields={['/amount']}
    >
      {(errors) => (
        <AmountField
          label="Amount"
          currency={currency}
          error={errors.get('/amount')}
          onChange={setAmount}
        />
      )}
    </ActForm>
  );
}

/** Opens the dialog that refunds a part of what was collected. */
export const openRefund = (reference: string, currency: string): void => {
  modals.open({
    title: `Refund without a cancellation: ${reference}`,
    children: <RefundPayment reference={reference} currency={currency} />,
  });
};
