/** The acts that close what waits without a reservation. */
import { Text, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import { Facts } from '../../../base/parts/facts.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { type MoneyReturn, reservations } from '../../api/reservations.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { AmountField } from '../../parts/amount-field.tsx';
import { todayHere } from '../../words/days.ts';

interface Kept {
  checkoutId: string;
  /** What has not gone back, in minor units. */
  amount: number;
  currency: string;
}

const Preview = ({ currency, amount, left }: MoneyReturn) => (
  <Facts
    facts={{
      'Went back': moneyText(amount, currency),
      'Still to go back': moneyText(left, currency),
    }}
  />
);

function RecordReturn({ checkoutId, amount: most, currency }: Kept) {
  const [amount, setAmount] = useState<number | null>(null);
  const [method, setMethod] = useState('Bank transfer');
  const [happenedOn, setHappenedOn] = useState(todayHere());
  const isComplete = amount !== null && amount > 0 && method.trim() !== '' && happenedOn !== '';
  const input = isComplete ? { amount, method: method.trim(), happenedOn } : null;
  return (
    <ActForm
      act={{
        name: `return ${checkoutId}`,
        input,
        preview: (given) => reservations.previewReturn(checkoutId, given),
        run: (given) => reservations.recordReturn(checkoutId, given),
        show: Preview,
        label: 'Record it',
        done: 'It is in the ledger.',
      }}
      fields={['/amount', '/method', '/happenedOn']}
    >
      {(errors) => (
        <>
          <Text size="sm">
            No reservation was made, and {moneyText(most, currency)} could not go back by itself.
          </Text>
          <AmountField
            label="Amount"
            currency={currency}
            error={errors.get('/amount')}
            onChange={setAmount}
          />
          <TextInput
            label="How"
            description="Bank transfer, cash."
            maxLength={200}
            required
            value={method}
            error={errors.get('/method')}
            onChange={({ currentTarget }) => setMethod(currentTarget.value)}
          />
          <TextInput
            type="date"
            label="On"
            required
            value={happenedOn}
            error={errors.get('/happenedOn')}
            onChange={({ currentTarget }) => setHappenedOn(currentTarget.value)}
          />
        </>
      )}
    </ActForm>
  );
}

/** Opens the dialog that records that the money of a failed checkout went back in another way. */
export const openReturn = (kept: Kept): void => {
  modals.open({
    title: 'Money that went back in another way',
    children: <RecordReturn {...kept} />,
  });
};

const closeShown = () => (
  <Text size="sm">
    It waits no longer. Refund it in the dashboard of the card provider before, or say whose it is.
  </Text>
);

/** Opens the dialog that closes what a restore has found and no reservation has a place for. */
export const openCloseEffect = (effectId: string): void => {
  modals.open({
    title: `Close ${effectId}`,
    children: (
      <ActForm
        act={{
          name: `close ${effectId}`,
          input: {},
          preview: async () => null,
          run: ({ reason }) => reservations.closeEffect(effectId, reason),
          show: closeShown,
          label: 'Close it',
          done: 'It waits no longer.',
        }}
      />
    ),
  });
};
