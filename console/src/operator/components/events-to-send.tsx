import { Text } from '@mantine/core';

/** The events that partners get. */
export const EventsToSend = ({ events }: { events: readonly { type: string }[] }) => (
  <Text size="sm">
    The partner gets{' '}
    {events.length === 0 ? (
      'no event'
    ) : (
      <span className="mono">{events.map(({ type }) => type).join(', ')}</span>
    )}
    .
  </Text>
);
