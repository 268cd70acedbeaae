import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { portal } from '../../api/portal.ts';
import { failedQuery } from '../../api/queries.ts';
import type { Endpoint, FailedDeliveries, ReplayInput } from '../../api/types.ts';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Section } from '../../../base/components/section.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { isoInstant } from '../../../base/words/dates.ts';
import { localField } from '../../../base/words/instants.ts';
import { counted } from '../../../base/words/plural.ts';

const dayMs = 24 * 60 * 60 * 1000;

const failedText = (count: number): string =>
  counted(count, 'failed delivery', 'failed deliveries');

function useReplay(endpointId: string) {
  return useMutation({
    mutationFn: (input: ReplayInput) => portal.replayMany(endpointId, input),
    onSuccess: ({ replayed }, { what }) =>
      notifyDone(
        `${what === 'failed' ? failedText(replayed) : counted(replayed, 'missed event')} replayed.`,
      ),
  });
}

/** The button says how many deliveries it sends again. */
function ReplayFailed({ endpointId, since }: { endpointId: string; since: string }) {
  const query = useQuery(failedQuery(endpointId, since));
  const replay = useReplay(endpointId);
  const button = ({ replayable, hasMore }: FailedDeliveries) => (
    <Stack gap={4}>
      <Group gap="xs">
        <Button
          variant="default"
          disabled={replayable === 0}
          loading={replay.isPending}
          onClick={() => replay.mutate({ what: 'failed', since })}
        >
          {replayable === 0 ? 'Nothing to replay' : `Replay ${failedText(replayable)}`}
        </Button>
      </Group>
      <Text size="sm" c="dimmed">
        {hasMore
          ? 'There are more: replay the rest afterwards.'
          : 'Those that were given up, and those being retried. An attempt in progress is not disturbed.'}
      </Text>
    </Stack>
  );
  return <Loaded query={query}>{button}</Loaded>;
}

function Since({ endpointId }: { endpointId: string }) {
  const [since, setSince] = useState(() => localField(Date.now() - dayMs));
  const instant = Date.parse(since);
  return (
    <>
      <Group>
        <TextInput
          type="datetime-local"
          label="Failed since"
          className="choice"
          value={since}
          onChange={({ currentTarget }) => setSince(currentTarget.value)}
        />
      </Group>
      {!Number.isNaN(instant) && (
        <ReplayFailed endpointId={endpointId} since={isoInstant(instant)} />
      )}
    </>
  );
}

function ReplayMissed({ endpointId, missed }: Pick<Endpoint, 'endpointId' | 'missed'>) {
  const replay = useReplay(endpointId);
  return (
    <Group gap="xs">
      <Text size="sm">{counted(missed, 'event')} skipped while it was paused.</Text>
      <Button
        variant="default"
        size="xs"
        loading={replay.isPending}
        onClick={() => replay.mutate({ what: 'missed' })}
      >
        Replay missed
      </Button>
    </Group>
  );
}

/** Replays failed deliveries, or events that were skipped after a pause. */
export const ReplaySection = ({ endpoint }: { endpoint: Endpoint }) => (
  <Section
    title="Replay"
    about="Sends events again, with the same ID. Your receiver must process each ID only once."
  >
    <Stack gap="sm">
      <Since endpointId={endpoint.endpointId} />
      {endpoint.missed > 0 && endpoint.state === 'active' && <ReplayMissed {...endpoint} />}
    </Stack>
  </Section>
);
