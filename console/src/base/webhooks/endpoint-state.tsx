import { Group, Stack, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { portalLimits } from '#contract/portal/limits.ts';
import { Moment } from '../components/moment.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { counted } from '../words/plural.ts';
import type { Endpoint } from './types.ts';
import { endpointStates, stateReasons } from './words.ts';

const nearly = (count: number): string =>
  `${count.toLocaleString('en')}${count === portalLimits.failedCountedAtMost ? ' or more' : ''}`;

/** Leads to the deliveries of an endpoint in a state. */
type DeliveriesLink = (state: 'retrying' | 'exhausted', text: string) => ReactNode;

interface EndpointStateProps {
  endpoint: Endpoint;
  renderDeliveriesLink: DeliveriesLink;
}

/** The deliveries that failed, with a badge while the endpoint fails. */
function Failing({ endpoint, renderDeliveriesLink }: EndpointStateProps) {
  const { failingSince, retrying, exhausted } = endpoint;
  if (failingSince === null && retrying + exhausted === 0) return undefined;
  const counts = [
    { state: 'retrying', count: retrying, text: `${nearly(retrying)} retrying` } as const,
    { state: 'exhausted', count: exhausted, text: `${nearly(exhausted)} failed` } as const,
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
        <Fragment key={state}>{renderDeliveriesLink(state, text)}</Fragment>
      ))}
    </Group>
  );
}

/** The state of an endpoint, its reason and start, and the missed events. */
export const EndpointState = ({ endpoint, renderDeliveriesLink }: EndpointStateProps) => (
  <Stack gap={4}>
    <Group gap="xs">
      <StateBadge words={endpointStates[endpoint.state]} />
      <Text size="sm" c="dimmed" component="span">
        since <Moment at={endpoint.stateSince} />
      </Text>
    </Group>
    {endpoint.stateReason && <Text size="sm">{stateReasons[endpoint.stateReason]}</Text>}
    <Failing endpoint={endpoint} renderDeliveriesLink={renderDeliveriesLink} />
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
