import { NativeSelect } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useState } from 'react';
import { Facts } from '../../../base/components/facts.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { type MoneyRecord, type RecordInput, reservations } from '../../api/reservations.ts';
import { ActForm } from '../../components/act-form.tsx';
import { MovedMoneyFields, movedMoneyPaths, useMovedMoney } from '../../components/moved-money.tsx';

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
  const money = useMovedMoney();
  const input = money.input && { kind, ...money.input };
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
      fields={movedMoneyPaths}
    >
      {(errors) => (
        <>
          <NativeSelect
            label="What has happened"
            value={kind}
            data={[...kinds]}
            onChange={({ currentTarget }) => setKind(currentTarget.value as RecordInput['kind'])}
          />
          <MovedMoneyFields money={money} currency={currency} errors={errors} />
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
