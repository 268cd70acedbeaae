import { Button, Group, NativeSelect, NumberInput, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { portal } from '../../api/portal.ts';
import { nextOutcomeQuery } from '../../api/queries.ts';
import type { NextOutcome, OutcomeOrder } from '../../api/types.ts';
import { Failure } from '../../../base/components/failure.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';

type Ordered = NonNullable<OutcomeOrder['outcome']>;

const outcomes = {
  confirmed: 'Confirmed',
  failed: 'Refused',
  sold_out: 'Sold out',
  price_changed: 'The price has changed',
  policy_changed: 'The terms have changed',
  authority_revoked: 'The application may no longer book',
  quote_expired: 'The quote has expired',
  uncertain: 'Uncertain, and stays so',
  uncertain_confirmed: 'Uncertain, then confirmed',
  uncertain_failed: 'Uncertain, then failed',
  setup_unavailable: 'Card set-up: the provider is unavailable',
  setup_declined: 'Card set-up: declined',
  cancelled: 'Confirmed, then cancelled by staff',
  changed: 'Confirmed, then changed by staff',
} as const satisfies Record<Ordered, string>;

const choices = Object.entries(outcomes).map(([value, label]) => ({ value, label }));

const setText = ({ outcome, price }: NextOutcome): string => {
  if (outcome === null) return 'Nothing is ordered: the guest’s email decides.';
  const at = price === null ? '' : `, to ${price.toLocaleString('en')} in minor units`;
  return `Ordered: ${outcomes[outcome]}${at}.`;
};

function OutcomeView({ next }: { next: NextOutcome }) {
  const [outcome, setOutcome] = useState<Ordered>('sold_out');
  const [price, setPrice] = useState<number | string>('');
  const order = useMutation({
    mutationFn: portal.orderOutcome,
    onSuccess: (set) => notifyDone(setText(set)),
    meta: { shown: true },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const isPriced = outcome === 'price_changed' && price !== '';
    order.mutate({ outcome, ...(isPriced && { price: Number(price) }) });
  };
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {setText(next)}
      </Text>
      <form onSubmit={submit} aria-label="Order the next outcome">
        <Group align="flex-end" gap="xs">
          <NativeSelect
            label="Outcome"
            value={outcome}
            data={choices}
            onChange={({ currentTarget }) => setOutcome(currentTarget.value as Ordered)}
          />
          {outcome === 'price_changed' && (
            <NumberInput
              label="New total, minor units"
              w={180}
              min={0}
              allowDecimal={false}
              value={price}
              onChange={setPrice}
            />
          )}
          <Button type="submit" loading={order.isPending}>
            Order
          </Button>
        </Group>
      </form>
      <Switch
        label="My confirmed bookings take their nights"
        description="Your quotes, searches and calendars show them as taken: a second booking of the same nights is sold out."
        checked={next.occupy}
        disabled={order.isPending}
        onChange={({ currentTarget }) => order.mutate({ occupy: currentTarget.checked })}
      />
      {order.error && <Failure error={order.error} />}
    </Stack>
  );
}

/** The outcome of the next booking. */
export function Outcome() {
  const query = useQuery(nextOutcomeQuery);
  return (
    <Section
      title="Next outcome"
      about="Your next submitted booking ends so, whatever the guest’s email says."
    >
      <Loaded query={query}>{(next) => <OutcomeView next={next} />}</Loaded>
    </Section>
  );
}
