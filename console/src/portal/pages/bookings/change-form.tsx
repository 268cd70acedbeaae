import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { portal } from '../../api/portal.ts';
import type { StaffAct } from '../../api/types.ts';
import { Failure } from '../../../base/components/failure.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { IdField } from '../sandbox/fields.tsx';

type Changes = NonNullable<StaffAct['changes']>;

/** Changes dates, adults, home or total of a reservation of the simulation, as staff would. */
export function ChangeForm({ reference }: { reference: string }) {
  const [checkIn, setCheckIn] = useState('');
  const [checkOut, setCheckOut] = useState('');
  const [adults, setAdults] = useState<number | string>('');
  const [listingId, setListingId] = useState('');
  const [total, setTotal] = useState<number | string>('');
  const change = useMutation({
    mutationFn: (changes: Changes) => portal.actAsStaff(reference, { act: 'change', changes }),
    onSuccess: () => notifyDone('The reservation is changed.'),
    meta: { shown: true },
  });
  const changes: Changes = {
    ...(checkIn !== '' && { checkIn }),
    ...(checkOut !== '' && { checkOut }),
    ...(adults !== '' && { party: { adults: Number(adults) } }),
    ...(listingId.trim() !== '' && { listingId: listingId.trim() }),
    ...(total !== '' && { total: Number(total) }),
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change.mutate(changes);
  };
  return (
    <form onSubmit={submit} aria-label="Change the reservation">
      <Stack gap="xs">
        <Group align="flex-end" gap="xs">
          <TextInput
            type="date"
            label="Arrival"
            value={checkIn}
            onChange={({ currentTarget }) => setCheckIn(currentTarget.value)}
          />
          <TextInput
            type="date"
            label="Departure"
            value={checkOut}
            onChange={({ currentTarget }) => setCheckOut(currentTarget.value)}
          />
          <NumberInput
            label="Adults"
            w={90}
            min={1}
            max={99}
            allowDecimal={false}
            value={adults}
            onChange={setAdults}
          />
          <NumberInput
            label="Total, minor units"
            w={160}
            min={0}
            allowDecimal={false}
            value={total}
            onChange={setTotal}
          />
          <IdField label="Home, by its ID" value={listingId} onType={setListingId} />
          <Button
            type="submit"
            variant="default"
            loading={change.isPending}
            disabled={Object.keys(changes).length === 0}
          >
            Change
          </Button>
        </Group>
        {change.error && <Failure error={change.error} />}
      </Stack>
    </form>
  );
}
