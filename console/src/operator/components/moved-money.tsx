import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { todayHere } from '../words/days.ts';
import { AmountField } from './amount-field.tsx';

/** The paths of the members that the fields of moved money fill. */
export const movedMoneyPaths: readonly string[] = ['/amount', '/method', '/happenedOn'];

/** Money that moved outside: how much in minor units, how, and on which day. */
interface MovedMoney {
  amount: number;
  method: string;
  happenedOn: string;
}

/** What is entered in the fields of moved money; `input` null: not complete. */
export function useMovedMoney() {
  const [amount, setAmount] = useState<number | null>(null);
  const [method, setMethod] = useState('Bank transfer');
  const [happenedOn, setHappenedOn] = useState(todayHere());
  const isComplete = amount !== null && amount > 0 && method.trim() !== '' && happenedOn !== '';
  const input: MovedMoney | null = isComplete
    ? { amount, method: method.trim(), happenedOn }
    : null;
  return { input, method, happenedOn, setAmount, setMethod, setHappenedOn };
}

/** The fields of moved money: amount, way and day. */
export const MovedMoneyFields = ({
  money,
  currency,
  errors,
}: {
  money: ReturnType<typeof useMovedMoney>;
  currency: string;
  errors: ReadonlyMap<string, string>;
}) => (
  <>
    <AmountField
      label="Amount"
      currency={currency}
      error={errors.get('/amount')}
      onChange={money.setAmount}
    />
    <TextInput
      label="How"
      description="Bank transfer, cash."
      maxLength={200}
      required
      value={money.method}
      error={errors.get('/method')}
      onChange={({ currentTarget }) => money.setMethod(currentTarget.value)}
    />
    <TextInput
      type="date"
      label="On"
      required
      value={money.happenedOn}
      error={errors.get('/happenedOn')}
      onChange={({ currentTarget }) => money.setHappenedOn(currentTarget.value)}
    />
  </>
);
