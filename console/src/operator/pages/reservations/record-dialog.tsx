import { NativeSelect, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import { Facts } from '../../../base/parts/facts.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { type MoneyRecord, type RecordInput, reservations } from '../../api/reservations.ts';
import { ActForm } from '../../parts/act-form.tsx';
import { AmountField } from '../../parts/amount-field.tsx';
import { todayHere } from '../../words/days.ts';

const kinds: readonly { value: RecordInput['kind']; label: string }[] = [
  { value: 'collected', label: 'The guest has paid' },
  { value: 'refunded', label: 'The guest got money back' },
  { value: 'charged_back', label: 'The bank has taken it back' },
  { value: 'written_off', label: 'We do not collect it' },
];

const Preview = ({ currency, before, after }: MoneyRecord) => (
  <Facts
    facts={{
      'Open before': moneyText(before.open, currency),
      'Open after': moneyText(after.open, currency),
      Collected: moneyText(after.collected, currency),
      Refunded: moneyText(after.refunded, currency),
    }}
  />
);

function RecordPayment({ reference, currency }: { reference: string; currency: string }) {
  const [kind, setKind] = useState<RecordInput['kind']>('collected');
  const [amount, setAmount] = useState<number | null>(null);
  const [method, setMethod] = useState('Bank transfer');
  const [happenedOn, setHappenedOn] = useState(todayHere());
  const isComplete = amount !== null && amount > 0 && method.trim() !== '' && happenedOn !== '';
  const input = isComplete ? { kind, amount, method: method.trim(), happenedOn } : null;
  return (
    <ActForm
      act={{
        name: `record ${reference}`,
        input,
        preview: (given) => reservations.previewRecord(reference, given),
        run: (given, { before }) =>
          reservations.record(reference, { ...given, expectedBalance: before.open }),
        show: Preview,
        label: 'Record it',
        done: 'It is in the ledger.',
      }}
      fields={['/amount', '/method', '/happenedOn']}
    >
      {(errors) => (
        <>
          <NativeSelect
            label="What has happened"
            value={kind}
            data={[...kinds]}
            onChange={({ currentTarget }) => setKind(currentTarget.value as RecordInput['kind'])}
          />
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

/** Opens the dialog that records money which moved elsewhere. */
export const openRecord = (reference: string, currency: string): void => {
  modals.open({
    title: `Money that moved elsewhere: ${reference}`,
    children: <RecordPayment reference={reference} currency={currency} />,
  });
};
