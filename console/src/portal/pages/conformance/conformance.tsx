import { Button, Code, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import type { Profile } from '#contract/sandbox/scenarios.ts';
import { CallFailure } from '../../../base/api/call.ts';
import { Empty } from '../../../base/components/empty.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { PageTitle } from '../../../base/components/page-title.tsx';
import { PagedTable } from '../../../base/components/paged.tsx';
import type { Column } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { portal } from '../../api/portal.ts';
import { runsQuery } from '../../api/queries.ts';
import type { Run, Session } from '../../api/types.ts';
import { countsText, profileTexts, runState } from '../../words/runs.ts';
import { InSimulation } from '../sandbox/in-simulation.tsx';

type Settlement = Session['application']['settlement'];

const profilesOf: Readonly<Record<Settlement, readonly Profile[]>> = {
  partner: ['checkout', 'request'],
  card: ['card'],
};

const columns: readonly Column<Run>[] = [
  {
    name: 'Started',
    cell: ({ runId, startedAt }) => (
      <TextLink to="/conformance/$runId" params={{ runId }} size="sm" fw={600}>
        <Moment at={startedAt} />
      </TextLink>
    ),
  },
  { name: 'Profile', cell: ({ profile }) => profileTexts[profile] },
  { name: 'State', cell: (run) => <StateBadge words={runState(run)} /> },
  { name: 'Scenarios', cell: countsText },
];

/** The run that is open already, if that is why another one could not begin. */
const openRunOf = (error: Error | null): string | undefined =>
  error instanceof CallFailure && error.reason === 'run_open'
    ? (error.details as { runId?: string }).runId
    : undefined;

function StartRun({ settlement }: { settlement: Settlement }) {
  const profiles = profilesOf[settlement];
  const [profile, setProfile] = useState<Profile>(profiles[0]!);
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: () => portal.startRun({ profile }),
    onSuccess: ({ runId }) => void navigate({ to: '/conformance/$runId', params: { runId } }),
    meta: { shown: true },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    start.mutate();
  };
  const openRun = openRunOf(start.error);
  return (
    <Section
      title="A run"
      about="It says what your program has to do, plays the faults, and judges the calls that your program makes."
    >
      <form onSubmit={submit} aria-label="Start a run">
        <Stack gap="sm">
          <Group align="flex-end" gap="xs">
            <NativeSelect
              label="How your program books"
              value={profile}
              data={profiles.map((value) => ({ value, label: profileTexts[value] }))}
              onChange={({ currentTarget }) => setProfile(currentTarget.value as Profile)}
            />
            <Button type="submit" loading={start.isPending}>
              Start a run
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            Or at your terminal, where it is shown here as well:{' '}
            <Code className="break">
              latchkey-partner conformance --profile {profile} --command &quot;…&quot;
            </Code>
          </Text>
          {start.error && <Failure error={start.error} />}
          {openRun !== undefined && (
            <TextLink to="/conformance/$runId" params={{ runId: openRun }} size="sm">
              The run that is open
            </TextLink>
          )}
        </Stack>
      </form>
    </Section>
  );
}

const NoRun = () => (
  <Empty title="No runs yet">
    <Text size="sm">Start one, and let your program do the task of each scenario.</Text>
  </Empty>
);

function Runs({ settlement }: { settlement: Settlement }) {
  const { cursor } = useSearch({ from: '/inside/conformance' });
  const navigate = useNavigate();
  const query = useQuery(runsQuery(cursor));
  const go = (to: string | undefined) =>
    void navigate({ to: '/conformance', search: to === undefined ? {} : { cursor: to } });
  return (
    <>
      <StartRun settlement={settlement} />
      <PagedTable
        query={query}
        cursor={cursor}
        onGo={go}
        renderNone={NoRun}
        caption="Runs"
        columns={columns}
        keyOf={({ runId }) => runId}
      />
    </>
  );
}

/** Conformance runs: begins one, and lists those that were. */
export function Conformance() {
  return (
    <Stack gap="md">
      <PageTitle
        title="Conformance"
        about="Let the simulation judge your program before real guests use it. The signed report of a run that has passed is for the operator."
      />
      <InSimulation>
        {({ application }) => <Runs settlement={application.settlement} />}
      </InSimulation>
    </Stack>
  );
}
