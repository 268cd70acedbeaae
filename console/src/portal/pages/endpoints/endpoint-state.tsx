import { Group, Stack, Text } from '@mantine/core';
import { portalLimits } from '../../../../../src/contract/portal/limits.ts';
import type { Endpoint } from '../../api/types.ts';
import { TextLink } from '../../../base/parts/links.tsx';
import { Moment } from '../../../base/parts/moment.tsx';
import { StateBadge } from '../../../base/parts/state-badge.tsx';
import { counted } from '../../../base/words/plural.ts';
import { endpointStates, stateReasons } from '../../words/states.ts';

const nearly = (count: number): string =>
  `${count.toLocaleString('en')}${count === portalLimits.failedCountedAtMost ? ' or more' : ''}`;

/** The deliveries that failed, with a badge while the endpoint fails. */
function Failing({ endpoint }: { endpoint: Endpoint }) {
  const { endpointId, failingSince, retrying, exhausted } = endpoint;
  if (failingSince === null && retrying + exhausted === 0) return undefined;
  const counts = [
    { state: 'retrying', count: retrying, text: `${nearly(retrying)} retrying` },
    { state: 'exhausted', count: exhausted, text: `${nearly(exhausted)} failed` },
  ].filter(({ count }) => count > 0);
  return (
    <Group gap="xs">
      {failingSince !== null && (
        <>
          <StateBadge words={{ name: 'Failing', color: 'red' }} />
          <Text size="sm" c="var(--mantine-color-error)" component="span">
            since <Moment at={failingSince} />
          </Text>
        </>
      )}
      {counts.map(({ state, text }) => (
        <TextLink key={state} to="/deliveries" search={{ endpointId, state }} size="sm">
          {text}
        </TextLink>
      ))}
    </Group>
  );
}

/** The state of an endpoint, its reason and start, and the missed events. */
export const EndpointState = ({ endpoint }: { endpoint: Endpoint }) => (
  <Stack gap={4}>
    <Group gap="xs">
      <StateBadge words={endpointStates[endpoint.state]} />
      <Text size="sm" c="dimmed" component="span">
        since <Moment at={endpoint.stateSince} />
      </Text>
    </Group>
    {endpoint.stateReason && <Text size="sm">{stateReasons[endpoint.stateReason]}</Text>}
    <Failing endpoint={endpoint} />
    {endpoint.missed > 0 && (
      <Text size="sm">
        {counted(endpoint.missed, 'event')} missed{endpoint.state === 'active' && ', not replayed'}
      </Text>
    )}
  </Stack>
);

/** The event types of an endpoint, as one line. */
export const eventTypesText = ({ eventTypes }: Endpoint): string =>
  eventTypes === null ? 'All event types' : eventTypes.join(', ');
