import * as Type from '../../type.ts';
import { reasonInput } from './shared.ts';

export const ConfirmClock = Type.RequestObject('ConfirmClock', { ...reasonInput });

/** The database's clock, and the time that the processes carry on. */
export const DatabaseTime = Type.ResponseObject('DatabaseTime', {
  databaseTime: Type.Instant("What the database's clock shows."),
  expectedTime: Type.Instant('The time that the service goes by.'),
  held: Type.Flag(
    'The clock has jumped and is not believed: nothing is swept or collected, and everything expires by the expected time.',
  ),
  since: Type.Nullable(Type.Instant('Since when, by the expected time; null: it is believed.')),
});
