import { Button, Checkbox, Group, NumberInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { portal } from '../../api/portal.ts';
import type { DeliveryOrder } from '../../api/types.ts';
import { Failure } from '../../../base/components/failure.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import { counted } from '../../../base/words/plural.ts';

/** Delivers an event once more: doubled, late, out of order or forged. In the simulation. */
export function DeliverAgain({ eventId }: { eventId: string }) {
  const [copies, setCopies] = useState<number | string>(1);
  const [afterSeconds, setAfterSeconds] = useState<number | string>(0);
  const [skew, setSkew] = useState<number | string>(0);
  const [badSignature, setBadSignature] = useState(false);
  const [before, setBefore] = useState('');
  const deliver = useMutation({
    mutationFn: (order: DeliveryOrder) => portal.deliver(eventId, order),
    onSuccess: ({ deliveries }) =>
      notifyDone(`${counted(deliveries, 'delivery', 'deliveries')} ordered.`),
    meta: { shown: true },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    deliver.mutate({
      copies: Number(copies),
      afterSeconds: Number(afterSeconds),
      timestampSkewSeconds: Number(skew),
      badSignature,
      ...(before.trim() !== '' && { before: before.trim() }),
    });
  };
  return (
    <Section
      title="Deliver once more"
      about="To your active endpoints: doubled, late, out of order or forged. A failure is not tried again."
    >
      <form onSubmit={submit} aria-label="Deliver once more">
        <Stack gap="sm">
          <Group align="flex-end" gap="xs">
            <NumberInput
              label="Copies"
              w={90}
              min={1}
              max={10}
              allowDecimal={false}
              required
              withAsterisk={false}
              value={copies}
              onChange={setCopies}
            />
            <NumberInput
              label="After seconds"
              w={150}
              min={0}
              max={600}
              allowDecimal={false}
              required
              withAsterisk={false}
              value={afterSeconds}
              onChange={setAfterSeconds}
            />
            <NumberInput
              label="Timestamp ahead, seconds"
              w={230}
              min={-86_400}
              max={86_400}
              allowDecimal={false}
              required
              withAsterisk={false}
              value={skew}
              onChange={setSkew}
            />
            <TextInput
              label="Then this event, by its ID"
              w={320}
              maw="100%"
              autoComplete="off"
              spellCheck={false}
              value={before}
              onChange={({ currentTarget }) => setBefore(currentTarget.value)}
            />
          </Group>
          <Checkbox
            label="Signed with another secret"
            checked={badSignature}
            onChange={({ currentTarget }) => setBadSignature(currentTarget.checked)}
          />
          <Group>
            <Button type="submit" variant="default" loading={deliver.isPending}>
              Deliver
            </Button>
          </Group>
          {deliver.error && <Failure error={deliver.error} />}
        </Stack>
      </form>
    </Section>
  );
}
