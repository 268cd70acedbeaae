import { Text } from '@mantine/core';
import { Fragment } from 'react';
import { Word } from '../../base/components/word.tsx';

/** The events that partners get. */
export const EventsToSend = ({ events }: { events: readonly { type: string }[] }) => (
  <Text size="sm">
    The partner gets{' '}
    {events.length === 0
      ? 'no event'
      : events.map(({ type }, at) => (
          <Fragment key={type}>
            {at > 0 && ', '}“<Word of={type} />”
          </Fragment>
        ))}
    .
  </Text>
);
