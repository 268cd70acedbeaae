import Type from 'typebox';
import { Instant, Nullable } from '../../partner/schemas/primitives.ts';
import { reasonInput } from './shared.ts';

export const ConfirmClock = Type.Object(
  { ...reasonInput },
  { $id: 'ConfirmClock', additionalProperties: false },
);

/** The database's clock, and the time that the processes carry on. */
export const DatabaseTime = Type.Object(
  {
    databaseTime: Instant("What the database's clock shows."),
    expectedTime: Instant('The time that the service goes by.'),
    held: Type.Boolean({
      description:
        'The clock has jumped and is not believed: nothing is swept or collected, and everything expires by the expected time.',
    }),
    since: Nullable(Instant('Since when, by the expected time; null: it is believed.')),
  },
  { $id: 'DatabaseTime' },
);
