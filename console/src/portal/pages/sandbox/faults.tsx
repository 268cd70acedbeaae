import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { portal } from '../../api/portal.ts';
import { faultsQuery } from '../../api/queries.ts';
import type { Faults as PlayedFaults, FaultRule, PlayedRule } from '../../api/types.ts';
import { Breakable } from '../../../base/components/breakable.tsx';
import { Failure } from '../../../base/components/failure.tsx';
import { TextLink } from '../../../base/components/links.tsx';
import { Loaded } from '../../../base/components/loaded.tsx';
import { Moment } from '../../../base/components/moment.tsx';
import { notifyDone } from '../../../base/components/notify.tsx';
import { type Column, ItemTable } from '../../../base/components/item-table.tsx';
import { Section } from '../../../base/components/section.tsx';
import { FaultForm } from './fault-form.tsx';
import { actionText, matchText } from './fault-words.ts';

const mostShown = 5;

function Hits({ hits }: PlayedRule) {
  const newest = hits.slice(-mostShown).toReversed();
  return (
    <Stack gap={0}>
      <span>{hits.length}</span>
      {newest.map(({ requestId, at }) => (
        <TextLink key={requestId} to="/requests/$requestId" params={{ requestId }} size="xs">
          <Moment at={at} />
        </TextLink>
      ))}
      {hits.length > newest.length && (
        <Text size="xs" c="dimmed">
          and {hits.length - newest.length} before
        </Text>
      )}
    </Stack>
  );
}

const ordered = ({ match, times, do: action }: PlayedRule): FaultRule => ({
  match,
  do: action,
  ...(times !== undefined && { times }),
});

interface Numbered extends PlayedRule {
  number: number;
}

const columns: readonly Column<Numbered>[] = [
  { name: 'Rule', cell: ({ number }) => number },
  {
    name: 'Calls of',
    cell: ({ match, times }) => (
      <Stack gap={0}>
        <Breakable text={match.operation} />
        <Text size="xs" c="dimmed">
          {matchText(match, times)}
        </Text>
      </Stack>
    ),
  },
  { name: 'What happens', cell: ({ do: action }) => actionText(action) },
  { name: 'Calls', cell: ({ calls }) => calls },
  { name: 'Hits', cell: (rule) => <Hits {...rule} /> },
];

/** The column that removes a rule. */
const removal = (isBusy: boolean, onRemove: (number: number) => void): Column<Numbered> => ({
  name: 'Action',
  cell: ({ number }) => (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Remove rule ${number}`}
      loading={isBusy}
      onClick={() => onRemove(number)}
    >
      Remove
    </Button>
  ),
});

function FaultsView({ seed, rules }: PlayedFaults) {
  const set = useMutation({
    mutationFn: async (wanted: readonly FaultRule[]) => {
      if (wanted.length === 0) await portal.removeFaults();
      else await portal.setFaults({ ...(seed !== null && { seed }), rules: [...wanted] });
    },
    onSuccess: () => notifyDone('The rules are set. All counts start at 0 again.'),
    meta: { shown: true },
  });
  const now = rules.map(ordered);
  const remove = (number: number): void =>
    set.mutate(now.filter((_, index) => index + 1 !== number));
  return (
    <Stack gap="sm">
      {rules.length > 0 && (
        <>
          <ItemTable
            caption="Rules"
            items={rules.map((rule, index) => ({ ...rule, number: index + 1 }))}
            keyOf={({ number }) => String(number)}
            columns={[...columns, removal(set.isPending, remove)]}
          />
          <Group>
            <Button variant="default" loading={set.isPending} onClick={() => set.mutate([])}>
              Remove all rules
            </Button>
          </Group>
        </>
      )}
      {rules.length === 0 && <Text size="sm">No rules: your calls are answered as usual.</Text>}
      {set.error && <Failure error={set.error} />}
      <FaultForm isBusy={set.isPending} onAdd={(rule) => set.mutate([...now, rule])} />
    </Stack>
  );
}

/** The rules of faults with their hits, and a form for another one. */
export function Faults() {
  const query = useQuery(faultsQuery);
  return (
    <Section
      title="Faults"
      about="The first rule that holds acts on a call. A change of the rules sets all counts to 0."
    >
      <Loaded query={query}>{(faults) => <FaultsView {...faults} />}</Loaded>
    </Section>
  );
}
