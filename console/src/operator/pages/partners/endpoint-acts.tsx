import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ActButton } from '../../../base/components/act-button.tsx';
import { askFirst } from '../../../base/components/ask-first.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { openResumeEndpoint } from '../../../base/webhooks/resume-endpoint.tsx';
import type { Endpoint } from '../../../base/webhooks/types.ts';
import { isoInstant } from '../../../base/words/dates.ts';
import { localField } from '../../../base/words/instants.ts';
import { counted } from '../../../base/words/plural.ts';
import { webhooks } from '../../api/webhooks.ts';
import { ShownOnce } from '../../../base/components/shown-once.tsx';
import { useStepUp } from '../../frame/step-up.tsx';

const style = { variant: 'default', size: 'compact-xs' } as const;
const dayMs = 86_400_000;

const rotation = {
  title: 'Rotate the secret?',
  text: 'For 24 hours each delivery has two signatures, one with the new and one with the old secret. The partner has to use the new one.',
  verb: 'Rotate',
};

const removal = {
  title: 'Delete the endpoint?',
  text: 'Nothing more is sent to it. Its secret and its deliveries are deleted permanently.',
  verb: 'Delete',
};

function ReplayFailed({ endpointId }: { endpointId: string }) {
  const [since, setSince] = useState(() => localField(Date.now() - dayMs));
  const replay = useMutation({
    mutationFn: () => webhooks.replayFailed(endpointId, isoInstant(Date.parse(since))),
    onSuccess({ replayed }) {
      modals.closeAll();
      notifyDone(`${counted(replayed, 'failed delivery', 'failed deliveries')} replayed.`);
    },
  });
  return (
    <Stack gap="md">
      <Text size="sm">Each keeps its ID, so that a receiver can leave out what it has.</Text>
      <TextInput
        type="datetime-local"
        label="Failed since"
        value={since}
        data-autofocus
        onChange={({ currentTarget }) => setSince(currentTarget.value)}
      />
      <Group justify="flex-end">
        <Button disabled={since === ''} loading={replay.isPending} onClick={() => replay.mutate()}>
          Replay
        </Button>
      </Group>
    </Stack>
  );
}

const openReplayFailed = (endpointId: string): void => {
  const children = <ReplayFailed endpointId={endpointId} />;
  modals.open({ title: 'Replay failed deliveries', children });
};

function Replays({ endpoint }: { endpoint: Endpoint }) {
  const { endpointId, retrying, exhausted, missed, state, url } = endpoint;
  return (
    <>
      {retrying + exhausted > 0 && (
        <Button
          {...style}
          aria-label={`Replay failed of ${url}`}
          onClick={() => openReplayFailed(endpointId)}
        >
          Replay failed
        </Button>
      )}
      {missed > 0 && state === 'active' && (
        <ActButton
          aria-label={`Replay missed of ${url}`}
          act={() => webhooks.replayMissed(endpointId)}
          done={({ replayed }) => notifyDone(`${counted(replayed, 'missed event')} replayed.`)}
        >
          Replay missed
        </ActButton>
      )}
    </>
  );
}

function PauseOrResume({ endpoint }: { endpoint: Endpoint }) {
  const { endpointId, state, url } = endpoint;
  if (state !== 'active') {
    return (
      <Button
        {...style}
        aria-label={`Resume ${url}`}
        onClick={() => openResumeEndpoint(endpoint, webhooks.resume)}
      >
        Resume
      </Button>
    );
  }
  return (
    <ActButton
      aria-label={`Pause ${url}`}
      act={() => webhooks.pause(endpointId)}
      done="The endpoint is paused."
    >
      Pause
    </ActButton>
  );
}

/** What an administrator can do with an endpoint. */
export function EndpointActs({ endpoint }: { endpoint: Endpoint }) {
  const { endpointId, url } = endpoint;
  const confirmed = useStepUp();
  const rotate = useMutation({
    mutationFn: () => confirmed(() => webhooks.rotateSecret(endpointId)),
  });
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <PauseOrResume endpoint={endpoint} />
        <Replays endpoint={endpoint} />
        <Button
          {...style}
          aria-label={`Rotate secret of ${url}`}
          loading={rotate.isPending}
          onClick={() => askFirst(rotation, rotate.mutate)}
        >
          Rotate secret
        </Button>
        <ActButton
          aria-label={`Delete ${url}`}
          act={() => webhooks.remove(endpointId)}
          question={removal}
          done="The endpoint is deleted."
        >
          Delete
        </ActButton>
      </Group>
      {rotate.data && (
        <ShownOnce
          what="secret"
          value={rotate.data.secret}
          about="It signs from now on. The partner can also read it in the portal."
          onDone={rotate.reset}
        />
      )}
    </Stack>
  );
}
