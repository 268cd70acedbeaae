import { Button, Group, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation } from '@tanstack/react-query';
import { portal } from '../../api/portal.ts';
import type { SimulatedChange } from '../../api/types.ts';
import { notifyDone } from '../../../base/parts/notify.tsx';
import { Section } from '../../../base/parts/section.tsx';

const done = {
  cancelled: 'The reservation is cancelled.',
  moved_one_day: 'The stay is one day later.',
} as const satisfies Record<SimulatedChange, string>;

/** Cancels or changes a reservation of the simulation now. */
export function Simulate({ reference }: { reference: string }) {
  const change = useMutation({
    mutationFn: (wanted: SimulatedChange) => portal.simulate(reference, wanted),
    onSuccess: (_reservation, wanted) => notifyDone(done[wanted]),
  });
  const askToCancel = (): void =>
    void modals.openConfirmModal({
      title: 'Cancel the reservation?',
      children: <Text size="sm">{reference} stays cancelled. It is a simulated reservation.</Text>,
      labels: { confirm: 'Cancel the reservation', cancel: 'Keep it' },
      confirmProps: { color: 'red' },
      onConfirm: () => change.mutate('cancelled'),
    });
  return (
    <Section
      title="Simulation"
      about="Do what the operator’s reservations team does. Your program receives the event."
    >
      <Group gap="xs">
        <Button
          variant="default"
          loading={change.isPending}
          onClick={() => change.mutate('moved_one_day')}
        >
          Move one day later
        </Button>
        <Button variant="default" color="red" loading={change.isPending} onClick={askToCancel}>
          Cancel the reservation
        </Button>
      </Group>
    </Section>
  );
}
