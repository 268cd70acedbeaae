import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { portal } from '../../api/portal.ts';
import type { SimulatedChange } from '../../api/types.ts';
import { askFirst } from '../../../base/components/ask-first.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { Section } from '../../../base/components/section.tsx';
import { ChangeForm } from './change-form.tsx';

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
  const question = {
    title: 'Cancel the reservation?',
    text: `${reference} stays cancelled. It is a simulated reservation.`,
    verb: 'Cancel the reservation',
    keep: 'Keep it',
    color: 'red',
  } as const;
  const askToCancel = (): void => askFirst(question, () => change.mutate('cancelled'));
  return (
    <Section
      title="Simulation"
      about="Do what the operator’s reservations team does. Your program receives the event."
    >
      <Stack gap="md">
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
        <ChangeForm reference={reference} />
      </Stack>
    </Section>
  );
}
