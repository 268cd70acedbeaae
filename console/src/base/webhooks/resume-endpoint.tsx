import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyDone } from '../components/notify.tsx';
import { counted } from '../words/plural.ts';
import type { Endpoint, MissedChoice } from './types.ts';

const close = () => modals.closeAll();

const isMissedChoice = (value: string): value is MissedChoice =>
  value === 'replay' || value === 'skip';

type Resume = (endpointId: string, missed: MissedChoice) => Promise<unknown>;

function ResumeEndpoint({ endpoint, resume }: { endpoint: Endpoint; resume: Resume }) {
  const [missed, setMissed] = useState<MissedChoice>('replay');
  const { mutate, isPending } = useMutation({
    mutationFn: () => resume(endpoint.endpointId, missed),
    onSuccess: () => {
      close();
      notifyDone('The endpoint is resumed.');
    },
  });
  return (
    <Stack gap="md">
      <Text size="sm" className="break">
        Events are posted to <span className="mono">{endpoint.url}</span> again.{' '}
        {endpoint.missed > 0 && `It has missed ${counted(endpoint.missed, 'event')}.`}
      </Text>
      <Radio.Group
        label="Missed events"
        value={missed}
        onChange={(value) => isMissedChoice(value) && setMissed(value)}
      >
        <Stack gap={8} mt={4}>
          <Radio
            value="replay"
            label="Deliver them now"
            description="In order, for the last 30 days."
            data-autofocus
          />
          <Radio value="skip" label="Skip them" description="You can still replay them later." />
        </Stack>
      </Radio.Group>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button onClick={() => mutate()} loading={isPending}>
          Resume
        </Button>
      </Group>
    </Stack>
  );
}

/** Opens the dialog that resumes an endpoint and asks what to do with the missed events. */
export const openResumeEndpoint = (endpoint: Endpoint, resume: Resume): void => {
  const children = <ResumeEndpoint endpoint={endpoint} resume={resume} />;
  modals.open({ title: 'Resume the endpoint', children });
};
