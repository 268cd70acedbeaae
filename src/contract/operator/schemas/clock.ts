import {
  Flag,
  Instant,
  Nullable,
  RequestObject,
  ResponseObject,
} from '../../partner/schemas/primitives.ts';
import { reasonInput } from './shared.ts';

export const ConfirmClock = RequestObject('ConfirmClock', { ...reasonInput });

/** The database's clock, and the time that the processes carry on. */
export const DatabaseTime = ResponseObject('DatabaseTime', {
  databaseTime: Instant("What the database's clock shows."),
  expectedTime: Instant('The time that the service goes by.'),
  held: Flag(
    'The clock has jumped and is not believed: nothing is swept or collected, and everything expires by the expected time.',
  ),
  since: Nullable(Instant('Since when, by the expected time; null: it is believed.')),
});
