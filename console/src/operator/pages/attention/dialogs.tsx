/** The acts that close what waits without a reservation. */
import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { Facts } from '../../../base/components/facts.tsx';
import { moneyText } from '../../../base/words/money.ts';
import { type MoneyReturn, reservations } from '../../api/reservations.ts';
import { ActForm, openReasonDialog } from '../../components/act-form.tsx';
import { MovedMoneyFields, movedMoneyPaths, useMovedMoney } from '../../components/moved-money.tsx';

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
  const money = useMovedMoney();
  return (
    <ActForm
      act={{
        name: `return ${checkoutId}`,
        input: money.input,
        preview: (given) => reservations.previewReturn(checkoutId, given),
        run: (given) => reservations.recordReturn(checkoutId, given),
        show: Preview,
        label: 'Record it',
        done: 'It is in the ledger.',
      }}
      fields={movedMoneyPaths}
    >
      {(errors) => (
        <>
          <Text size="sm">
            No reservation was made, and {moneyText(most, currency)} could not go back by itself.
          </Text>
          <MovedMoneyFields money={money} currency={currency} errors={errors} />
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

/** Opens the dialog that closes what a restore has found and no reservation has a place for. */
export const openCloseEffect = (effectId: string): void =>
  openReasonDialog({
    title: `Close ${effectId}`,
    about:
      'Then it waits no longer. First refund it in the dashboard of the card provider, or find out whose it is and write it as the reason.',
    run: (reason) => reservations.closeEffect(effectId, reason),
    label: 'Close it',
    done: 'It waits no longer.',
  });
