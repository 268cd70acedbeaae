import { Group, Text } from '@mantine/core';
import type { FeedEvent } from '../../api/types.ts';
import { TextLink } from '../../../base/parts/links.tsx';
import { StateBadge } from '../../../base/parts/state-badge.tsx';
import { bookingState } from '../../words/states.ts';

/** The reservation if there is one, otherwise the checkout or request. */
const nameOf = ({ data }: FeedEvent): string =>
  'reference' in data && data.reference !== undefined ? data.reference : data.checkoutId;

/** The outcome of the booking, and what was changed. */
export const Outcome = ({ event: { data } }: { event: FeedEvent }) => (
  <Group gap={6}>
    <StateBadge words={bookingState(data.state)} />
    {'changes' in data && <Text size="sm">{data.changes.join(', ')} changed</Text>}
  </Group>
);

/** Leads to the booking of an event. */
export const BookingLink = ({ event }: { event: FeedEvent }) => (
  <TextLink
    to="/bookings"
    search={{ name: event.data.checkoutId }}
    size="sm"
    className="mono whole"
  >
    {nameOf(event)}
  </TextLink>
);
