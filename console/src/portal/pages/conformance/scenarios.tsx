import { Button, List, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Coded } from '../../../base/components/coded.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { counted } from '../../../base/words/plural.ts';
import { portal } from '../../api/portal.ts';
import { runQuery } from '../../api/queries.ts';
import type { Run, RunScenario } from '../../api/types.ts';
import { scenarioState, skippedText } from '../../words/runs.ts';
import { CallLinks } from './call-links.tsx';

const Name = ({ scenario, title, level }: RunScenario) => (
  <Stack gap={0}>
    <Text size="sm" fw={600}>
      {title}
    </Text>
    <Text size="xs" c="dimmed">
      <span className="mono">{scenario}</span> {level === 'should' && 'should'}
    </Text>
  </Stack>
);

/** What was found, or what a correct program does. */
function Found(scenario: RunScenario) {
  const { findings, rules, requestIds, attempts } = scenario;
  if (findings.length === 0) {
    return (
      <Text size="xs" c="dimmed" component="div">
        <Coded text={skippedText(scenario) ?? rules.join(' ')} />
        {requestIds.length > 0 && ` ${counted(requestIds.length, 'call', 'calls')}.`}
        {attempts > 1 && ` Attempt ${attempts}.`}
      </Text>
    );
  }
  return (
    <List size="sm" listStyleType="none">
      {findings.map(({ message, rule, requestIds: calls }) => (
        <List.Item key={`${message} ${rule}`}>
          <Coded text={message} />
          <Text size="xs" c="dimmed">
            <Coded text={rule} /> <CallLinks requestIds={calls} />
          </Text>
        </List.Item>
      ))}
    </List>
  );
}

const columns: readonly Column<RunScenario>[] = [
  { name: 'Scenario', cell: Name },
  { name: 'Result', cell: (scenario) => <StateBadge words={scenarioState(scenario)} /> },
  { name: 'What was found', cell: Found },
];

const verbs = { waiting: 'Start', judged: 'Start again' } as const;

/** The column that starts a scenario. */
const starting = (
  isBusy: boolean,
  onStart: (scenario: RunScenario) => void,
): Column<RunScenario> => ({
  name: 'Action',
  cell: (one) =>
    one.state === 'waiting' || one.state === 'judged' ? (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`${verbs[one.state]} ${one.scenario}`}
        disabled={isBusy}
        onClick={() => onStart(one)}
      >
        {verbs[one.state]}
      </Button>
    ) : undefined,
});

/** The scenarios of a run, without those of other profiles. */
export function Scenarios({ run: { runId, state, scenarios } }: { run: Run }) {
  const client = useQueryClient();
  const start = useMutation({
    mutationFn: ({ scenario }: RunScenario) => portal.startScenario(runId, scenario),
    onSettled: () => client.invalidateQueries({ queryKey: runQuery(runId).queryKey }),
  });
  const isBusy = start.isPending || scenarios.some((one) => one.state === 'running');
  const action = starting(isBusy, (one) => start.mutate(one));
  return (
    <Section title="Scenarios">
      <ItemTable
        caption="Scenarios"
        items={scenarios.filter(({ skippedFor }) => skippedFor !== 'profile')}
        keyOf={({ scenario }) => scenario}
        columns={state === 'open' ? [...columns, action] : columns}
      />
    </Section>
  );
}
