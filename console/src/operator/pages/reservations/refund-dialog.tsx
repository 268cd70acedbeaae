import { modals } from '@mantine/modals';
import { useState } from 'react';
import { Facts } from '../../../base/components/facts.tsx';
import { type Refund, reservations } from '../../api/reservations.ts';
import { ActForm } from '../../components/act-form.tsx';
import { AmountField } from '../../components/amount-field.tsx';
import { moneyText } from '../../../base/words/money.ts';

const Preview = ({ currency, givesBack, lowersCollection, before, after }: Refund) => (
  <Facts
    facts={{
      'Due before': moneyText(before.due, currency),
      'Due after': moneyText(after.due, currency),
      'Goes back to the guest': moneyText(givesBack, currency),
      'Is no longer collected': moneyText(lowersCollection, currency),
      Collected: moneyText(after.collected, currency),
      Open: moneyText(after.open, currency),
    }}
  />
);

/** The two acts: one gives back what was collected, the other lowers what is still to be collected. */
const acts = {
  refund: {
    title: 'Refund without a cancellation',
    label: 'Refund',
    done: 'The refund is on its way.',
    preview: reservations.previewRefund,
    // A refund that was done leaves the balance as it was, but not what is due: sent again, it refunds nothing.
    run: (
      reference: string,
      input: { amount: number; reason: string },
      { due, open: expectedBalance }: Refund['before'],
    ) => reservations.refund(reference, { ...input, expectedDue: due, expectedBalance }),
  },
  reduce: {
    title: 'Collect less',
    label: 'Collect less',
    done: 'Less is collected.',
    preview: reservations.previewReduce,
    run: (
      reference: string,
      input: { amount: number; reason: string },
      { open: expectedBalance }: Refund['before'],
    ) => reservations.reduce(reference, { ...input, expectedBalance }),
  },
} as const;

type Act = keyof typeof acts;

function ChangeMoney({
  act,
  reference,
  currency,
}: {
  act: Act;
  reference: string;
  currency: string;
}) {
  const [amount, setAmount] = useState<number | null>(null);
  const { label, done, preview, run } = acts[act];
  return (
    <ActForm
      act={{
        name: `${act} ${reference}`,
        input: amount === null || amount <= 0 ? null : { amount },
        preview: (given) => preview(reference, given),
        run: (given, { before }) => run(reference, given, before),
        show: Preview,
        label,
        done,
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

const open = (act: Act, reference: string, currency: string): void => {
  modals.open({
    title: `${acts[act].title}: ${reference}`,
    children: <ChangeMoney act={act} reference={reference} currency={currency} />,
  });
};

/** Opens the dialog that refunds a part of what was collected. */
export const openRefund = (reference: string, currency: string): void =>
  open('refund', reference, currency);

/** Opens the dialog that lowers what is still to be collected. */
export const openReduce = (reference: string, currency: string): void =>
  open('reduce', reference, currency);
