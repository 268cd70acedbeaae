import { Anchor, Button, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { askFirst } from '../../../base/components/ask-first.tsx';
import { Facts } from '../../../base/components/facts.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { portal } from '../../api/portal.ts';
import { runQuery } from '../../api/queries.ts';
import type { Run } from '../../api/types.ts';
import { countsText, profileTexts, runState } from '../../words/runs.ts';
import { InSimulation } from '../sandbox/in-simulation.tsx';
import { Running } from './running.tsx';
import { Scenarios } from './scenarios.tsx';

function EndRun({ runId }: { runId: string }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: async (how: 'finish' | 'abandon') => {
      if (how === 'finish') await portal.endRun(runId);
      else await portal.abandonRun(runId);
    },
    onSuccess: () => notifyDone('The run has ended.'),
    onSettled: () => client.invalidateQueries({ queryKey: runQuery(runId).queryKey }),
  });
  const question = {
    title: 'Abandon the run?',
    text: 'What was judged stays, but it has no result.',
    verb: 'Abandon the run',
    keep: 'Go on',
    color: 'red',
  } as const;
  return (
    <>
      <Button loading={end.isPending} onClick={() => end.mutate('finish')}>
        End the run
      </Button>
      <Button
        variant="default"
        color="red"
        loading={end.isPending}
        onClick={() => askFirst(question, () => end.mutate('abandon'))}
      >
        Abandon
      </Button>
    </>
  );
}

const Report = ({ runId }: { runId: string }) => (
  <Anchor href={portal.reportAddress(runId)} download={`conformance-${runId}.jose`} size="sm">
    <Group gap={4} component="span">
      <IconDownload size={16} aria-hidden /> The signed report
    </Group>
  </Anchor>
);

function RunView({ run }: { run: Run }) {
  const { runId, profile, state, startedAt, finishedAt, scenarios } = run;
  const isOpen = state === 'open';
  const running = scenarios.find((one) => one.state === 'running');
  return (
    <Stack gap="md">
      <PageTitle title="Conformance run" about={profileTexts[profile]}>
        {isOpen ? <EndRun runId={runId} /> : <Report runId={runId} />}
      </PageTitle>
      <Paper withBorder p="md">
        <Facts
          facts={{
            State: <StateBadge words={runState(run)} />,
            Scenarios: countsText(run),
            Started: <Moment at={startedAt} />,
            Ended: finishedAt === null ? undefined : <Moment at={finishedAt} />,
            'Wire version': `${run.wireVersion}, scenarios ${run.scenarioSet}`,
            Contract: <span className="mono">{run.contractDigest}</span>,
            Seed: run.seed,
            'Run ID': <span className="mono">{runId}</span>,
          }}
        />
        {isOpen && (
          <Text size="sm" c="dimmed" mt="sm">
            Your program goes on with this run by{' '}
            <Code className="break">
              latchkey-partner conformance --run {runId} --command &quot;…&quot;
            </Code>
          </Text>
        )}
      </Paper>
      {running && <Running runId={runId} running={running} />}
      <Scenarios run={run} />
    </Stack>
  );
}

function ReadRun({ runId }: { runId: string }) {
  const query = useQuery(runQuery(runId));
  return <Loaded query={query}>{(run) => <RunView run={run} />}</Loaded>;
}

/** One run, live: what is waited for, what was found with its rules and calls, and the signed report. */
export function RunPage() {
  const { runId } = useParams({ from: '/inside/conformance/$runId' });
  return (
    <Stack gap="sm">
      <TextLink to="/conformance" search={{}} size="sm">
        ← Conformance
      </TextLink>
      <InSimulation title="Conformance run">{() => <ReadRun runId={runId} />}</InSimulation>
    </Stack>
  );
}
