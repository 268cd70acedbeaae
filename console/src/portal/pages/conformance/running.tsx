import { Button, Group, JsonInput, List, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { saidEndings } from '#contract/sandbox/scenarios.ts';
import { Coded } from '../../../base/components/coded.tsx';
import { JsonBlock } from '../../../base/components/code-block.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { Section } from '../../../base/components/section.tsx';
import { useNow } from '../../../base/components/use-now.ts';
import { counted } from '../../../base/words/plural.ts';
import { portal } from '../../api/portal.ts';
import { runQuery } from '../../api/queries.ts';
import type { RunScenario, SaidOutcome } from '../../api/types.ts';
import { CallLinks } from './call-links.tsx';

type Ended = SaidOutcome['ended'];

const secondMs = 1_000;

/** How long the program has until it must have said its outcome. */
function TimeLeft({ startedAt, seconds }: { startedAt: string; seconds: number }) {
  const words = useNow((now) => {
    const left = Math.ceil((Date.parse(startedAt) + seconds * secondMs - now) / secondMs);
    return left > 0 ? `${counted(left, 'second', 'seconds')} left` : 'The time is over';
  });
  return (
    <Text size="sm" role="timer">
      {words}
    </Text>
  );
}

/** The members of an outcome beside its end, as JSON. Null: it is none. */
function membersOf(text: string): object | null {
  try {
    const members: unknown = JSON.parse(text.trim() || '{}');
    return typeof members === 'object' && !Array.isArray(members) ? members : null;
  } catch {
    return null;
  }
}

function SayOutcome({ runId, scenario }: { runId: string; scenario: string }) {
  const [ended, setEnded] = useState<Ended>('confirmed');
  const [members, setMembers] = useState('');
  const client = useQueryClient();
  const say = useMutation({
    mutationFn: (outcome: SaidOutcome) => portal.sayOutcome(runId, scenario, outcome),
    onSettled: () => client.invalidateQueries({ queryKey: runQuery(runId).queryKey }),
    meta: { shown: true },
  });
  const parsed = membersOf(members);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (parsed) say.mutate({ ...parsed, ended });
  };
  return (
    <form onSubmit={submit} aria-label="Say the outcome">
      <Stack gap="sm">
        <Group align="flex-start" gap="xs">
          <NativeSelect
            label="How it ended"
            value={ended}
            data={[...saidEndings]}
            onChange={({ currentTarget }) => setEnded(currentTarget.value as Ended)}
          />
          <JsonInput
            label="What belongs to it, as JSON"
            placeholder='{ "reference": "LK-7Q2M-4XBD", "total": 84000, "currency": "EUR" }'
            w={420}
            maw="100%"
            autosize
            minRows={1}
            error={parsed === null && 'This is no JSON object.'}
            value={members}
            onChange={setMembers}
          />
        </Group>
        <Group>
          <Button type="submit" variant="default" loading={say.isPending} disabled={!parsed}>
            Have it judged
          </Button>
        </Group>
        {say.error && <Failure error={say.error} />}
      </Stack>
    </form>
  );
}

/** The scenario that runs: its task, what the judge waits for, and the calls until now. */
export function Running({ runId, running }: { runId: string; running: RunScenario }) {
  const { scenario, title, task, startedAt, requestIds, expects = [] } = running;
  return (
    <Section title={`Running: ${title}`} about={<span className="mono">{scenario}</span>}>
      <Stack gap="sm">
        {task && startedAt !== null && (
          <TimeLeft startedAt={startedAt} seconds={task.sayWithinSeconds} />
        )}
        <div role="status" aria-label="What the judge waits for">
          <Text size="sm" fw={600}>
            The judge waits for
          </Text>
          <List size="sm">
            {expects.map((text) => (
              <List.Item key={text}>
                <Coded text={text} />
              </List.Item>
            ))}
          </List>
        </div>
        <Text size="sm">
          {requestIds.length === 0 ? 'No call yet.' : `Calls until now: ${requestIds.length}. `}
          <CallLinks requestIds={requestIds.slice(-latestShown)} />
        </Text>
        <Text size="sm" fw={600}>
          The task of your program
        </Text>
        <JsonBlock value={task} />
        <Text size="sm">If your program has not said it, say its outcome here:</Text>
        <SayOutcome runId={runId} scenario={scenario} />
      </Stack>
    </Section>
  );
}

const latestShown = 5;
