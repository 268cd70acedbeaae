import { Alert, List } from '@mantine/core';
import type { Change } from '../api/reservations.ts';
import { stayText } from '../words/days.ts';

type Taken = NonNullable<Change['availability']>['taken'][number];

const takenText = ({ kind, from, to, reference, reason }: Taken): string =>
  `${stayText(from, to)}: ${reference ?? (kind === 'held' ? 'held for a booking' : `blocked${reason ? `, ${reason}` : ''}`)}`;

/** Whether the nights of a stay are free, and who has them. Nothing, if it needs none. */
export function Availability({ availability }: Pick<Change, 'availability'>) {
  if (!availability) return undefined;
  if (availability.isFree)
    return <Alert color="teal" variant="light" title="The nights are free" />;
  return (
    <Alert color="red" variant="light" title="The nights are not free">
      <List size="sm">
        {availability.taken.map((taken) => (
          <List.Item key={`${taken.from} ${taken.to}`}>{takenText(taken)}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
