import { Group, Text } from '@mantine/core';
import type { FeedEvent } from '../../api/types.ts';
import { TextLink } from '../../../base/components/links.tsx';
import { StateBadge } from '../../../base/components/state-badge.tsx';
import { bookingState } from '../../words/states.ts';

/** The IDs of the booking: those of its checkout or request, and of its reservation. */
export const idsOf = ({ data }: FeedEvent): [string, ...string[]] => {
  if (!('checkoutId' in data)) return [data.reference];
  const { checkoutId } = data;
  return 'reference' in data && data.reference !== undefined
    ? [checkoutId, data.reference]
    : [checkoutId];
};

/** The outcome of the booking, and what was changed. */
export const Outcome = ({ event: { data } }: { event: FeedEvent }) => (
  <Group gap={6}>
    <StateBadge words={bookingState(data.state)} />
    {'changes' in data && <Text size="sm">{data.changes.join(', ')} changed</Text>}
  </Group>
);

/** Leads to the booking of an event. */
export const BookingLink = ({ event }: { event: FeedEvent }) => (
  <TextLink to="/bookings" search={{ name: idsOf(event)[0] }} size="sm" className="mono whole">
    {idsOf(event).at(-1)}
  </TextLink>
);
