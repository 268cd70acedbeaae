/** A reporter of the test runner: writes only the tests that failed, for the end of a run. */
import { inspect } from 'node:util';
import type { EventData } from 'node:test';

type Event =
  | { type: 'test:start'; data: EventData.TestStart }
  | { type: 'test:fail'; data: EventData.TestFail }
  | { type: 'test:pass'; data: EventData.TestPass };

/** A test that failed itself: not because of one within it. */
const failsItself = ({ details }: EventData.TestFail): boolean =>
  (details.error as { failureType?: string }).failureType !== 'subtestsFailed';

/** Yields each failure with the names of what contains it, and its error. */
export default async function* reportFailures(
  events: AsyncIterable<Event>,
): AsyncGenerator<string> {
  const names: string[] = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') names.splice(data.nesting, Infinity, data.name);
    if (type !== 'test:fail' || !failsItself(data)) continue;
    const { cause = data.details.error } = data.details.error;
    yield `✖ ${names.slice(0, data.nesting + 1).join(' › ')}\n${inspect(cause)}\n\n`;
  }
}
