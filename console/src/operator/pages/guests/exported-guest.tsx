import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { JsonBlock } from '../../../base/components/code-block.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { Section } from '../../../base/components/section.tsx';
import { Timeline } from '../../../base/components/timeline.tsx';
import { guests } from '../../api/guests.ts';
import type { GuestWanted } from '../../api/types.ts';
import { useStepUp } from '../../frame/step-up.tsx';
import { namedBy } from './named-by.ts';

/** Everything that is kept about the person: what happened, in words, and all of it as JSON. */
export function ExportedGuest({ wanted }: { wanted: GuestWanted }) {
  const confirmed = useStepUp();
  const named = namedBy(wanted);
  const exporting = useMutation({
    mutationFn: () => confirmed(() => guests.export(named!)),
    meta: { shown: true },
  });
  if (!named) return undefined;
  return (
    <Section title="Export" about="Everything that is kept. It is noted in the audit trail.">
      <Stack gap="sm" align="flex-start">
        <Button
          variant="default"
          size="xs"
          loading={exporting.isPending}
          onClick={() => exporting.mutate()}
        >
          Export
        </Button>
        {exporting.error && <Failure error={exporting.error} />}
        {exporting.data?.items.map(({ checkoutId, kind, reference, checkout, reservation }) => (
          <Section key={`${kind} ${checkoutId}`} title={reference ?? `${kind} ${checkoutId}`}>
            <Timeline items={reservation?.history ?? checkout.history} />
          </Section>
        ))}
        {exporting.data && <JsonBlock value={exporting.data} />}
      </Stack>
    </Section>
  );
}
