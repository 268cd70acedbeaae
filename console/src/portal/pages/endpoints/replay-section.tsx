import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { portal } from '../../api/portal.ts';
import type { Endpoint, ReplayInput } from '../../api/types.ts';
import { Section } from '../../../base/parts/section.tsx';
import { notifyDone } from '../../../base/parts/notify.tsx';
import { localField } from '../../../base/words/instants.ts';
import { counted } from '../../../base/words/plural.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Replays failed deliveries, or events that were skipped after a pause. */
export function ReplaySection({ endpoint }: { endpoint: Endpoint }) {
  const [since, setSince] = useState(() => localField(Date.now() - dayMs));
  const replay = useMutation({
    mutationFn: (input: ReplayInput) => portal.replayMany(endpoint.endpointId, input),
    onSuccess: ({ replayed }, { what }) =>
      notifyDone(
        what === 'failed'
          ? `${counted(replayed, 'failed delivery', 'failed deliveries')} replayed.`
          : `${counted(replayed, 'missed event')} replayed.`,
      ),
  });
  return (
    <Section
      title="Replay"
      about="Sends events again, with the same ID. Your receiver must process each ID only once."
    >
      <Stack gap="sm">
        <Group align="flex-end" gap="xs">
          <TextInput
            type="datetime-local"
            label="Failed since"
            className="choice"
            value={since}
            onChange={({ currentTarget }) => setSince(currentTarget.value)}
          />
          <Button
            variant="default"
            disabled={since === ''}
            loading={replay.isPending}
            onClick={() => replay.mutate({ what: 'failed', since: new Date(since).toISOString() })}
          >
            Replay failed
          </Button>
        </Group>
        {endpoint.missed > 0 && endpoint.state === 'active' && (
          <Group gap="xs">
            <Text size="sm">{counted(endpoint.missed, 'event')} skipped while it was paused.</Text>
            <Button
              variant="default"
              size="xs"
              loading={replay.isPending}
              onClick={() => replay.mutate({ what: 'missed' })}
            >
              Replay missed
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
