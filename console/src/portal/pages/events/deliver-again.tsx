import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { sandboxLimits } from '#contract/sandbox/limits.ts';
import { portal } from '../../api/portal.ts';
import type { DeliveryOrder } from '../../api/types.ts';
import { Failure } from '../../../base/components/failure.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import { counted } from '../../../base/words/plural.ts';
import { IdField, WholeField } from '../sandbox/fields.tsx';

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
            <WholeField
              label="Copies"
              width={90}
              range={[1, sandboxLimits.copies]}
              value={copies}
              onChange={setCopies}
            />
            <WholeField
              label="After seconds"
              width={150}
              range={[0, sandboxLimits.afterSeconds]}
              value={afterSeconds}
              onChange={setAfterSeconds}
            />
            <WholeField
              label="Timestamp ahead, seconds"
              width={230}
              range={[-sandboxLimits.skewSeconds, sandboxLimits.skewSeconds]}
              value={skew}
              onChange={setSkew}
            />
            <IdField label="Then this event, by its ID" value={before} onType={setBefore} />
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
