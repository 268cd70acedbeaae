import { Button, Group, NativeSelect, NumberInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { operations } from '#partner/contract/operations.ts';
import type { FaultRule } from '../../api/types.ts';
import { actionOf, type FaultKind, faultKinds } from './fault-words.ts';

const whens = {
  always: 'Every call',
  nth: 'Only call number',
  every: 'Every so many calls',
  percent: 'This share of calls, in percent',
} as const;

type When = keyof typeof whens;

const choices = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));

const kindNames = Object.fromEntries(
  Object.entries(faultKinds).map(([kind, { name }]) => [kind, name]),
);

const operationNames = ['token', ...Object.keys(operations)];

function matchOf(operation: string, when: When, number: number): FaultRule['match'] {
  const named = { operation: operation as FaultRule['match']['operation'] };
  if (when === 'nth') return { ...named, nth: number };
  if (when === 'every') return { ...named, every: number };
  if (when === 'percent') return { ...named, probability: number / 100 };
  return named;
}

/** A form for one rule more. */
export function FaultForm({
  onAdd,
  isBusy,
}: {
  onAdd: (rule: FaultRule) => void;
  isBusy: boolean;
}) {
  const [operation, setOperation] = useState('reservation.quote.create');
  const [when, setWhen] = useState<When>('nth');
  const [number, setNumber] = useState<number | string>(1);
  const [kind, setKind] = useState<FaultKind>('unavailable');
  const [amount, setAmount] = useState<number | string>('');
  const [times, setTimes] = useState<number | string>('');
  const { takes } = faultKinds[kind];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onAdd({
      match: matchOf(operation, when, Number(number)),
      ...(times !== '' && { times: Number(times) }),
      do: actionOf(kind, takes === null || amount === '' ? undefined : Number(amount)),
    });
  };
  return (
    <form onSubmit={submit} aria-label="Add a rule">
      <Group align="flex-end" gap="xs">
        <NativeSelect
          label="Operation"
          value={operation}
          data={operationNames}
          onChange={({ currentTarget }) => setOperation(currentTarget.value)}
        />
        <NativeSelect
          label="When"
          value={when}
          data={choices(whens)}
          onChange={({ currentTarget }) => setWhen(currentTarget.value as When)}
        />
        {when !== 'always' && (
          <NumberInput
            label={when === 'percent' ? 'Percent' : 'Number'}
            w={100}
            min={when === 'percent' ? 0 : 1}
            {...(when === 'percent' && { max: 100 })}
            allowDecimal={when === 'percent'}
            required
            withAsterisk={false}
            value={number}
            onChange={setNumber}
          />
        )}
        <NativeSelect
          label="What happens"
          value={kind}
          data={choices(kindNames)}
          onChange={({ currentTarget }) => {
            setKind(currentTarget.value as FaultKind);
            setAmount('');
          }}
        />
        {takes !== null && (
          <NumberInput
            label={takes === 'delay' ? 'Milliseconds' : 'Retry-After, seconds'}
            placeholder={takes === 'delay' ? '1000' : '2'}
            w={180}
            min={1}
            max={takes === 'delay' ? 30_000 : 60}
            allowDecimal={false}
            value={amount}
            onChange={setAmount}
          />
        )}
        <NumberInput
          label="At most, times"
          placeholder="no limit"
          w={120}
          min={1}
          allowDecimal={false}
          value={times}
          onChange={setTimes}
        />
        <Button type="submit" loading={isBusy}>
          Add the rule
        </Button>
      </Group>
    </form>
  );
}
