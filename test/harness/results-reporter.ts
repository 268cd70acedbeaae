/** A reporter of the test runner: writes the failures and the counts of a run, for its end. One JSON document a line. */
import { inspect } from 'node:util';
import type { EventData } from 'node:test';

type Event =
  | { type: 'test:start'; data: EventData.TestStart }
  | { type: 'test:fail'; data: EventData.TestFail }
  | { type: 'test:pass'; data: EventData.TestPass };

/** A test or suite that failed itself: not because of one within it. */
const failsItself = ({ details }: EventData.TestFail): boolean =>
  (details.error as { failureType?: string }).failureType !== 'subtestsFailed';

const isRunTest = ({ details, skip }: EventData.TestPass): boolean =>
  details.type !== 'suite' && skip === undefined;

/** The results of some tests. */
export interface Results {
  passed: number;
  /** Each failure with the names of what contains it, and its error. */
  failures: readonly string[];
}

type Line = { failure: string } | { passed: number };

const written = (line: Line): string => `${JSON.stringify(line)}\n`;

/** Yields each failure when it happens, and how many tests passed when all have ended. */
export default async function* reportResults(events: AsyncIterable<Event>): AsyncGenerator<string> {
  const names: string[] = [];
  let passed = 0;
  for await (const { type, data } of events) {
    if (type === 'test:start') names.splice(data.nesting, Infinity, data.name);
    if (type === 'test:pass' && isRunTest(data)) passed += 1;
    if (type !== 'test:fail' || !failsItself(data)) continue;
    const { cause = data.details.error } = data.details.error;
    const name = names.slice(0, data.nesting + 1).join(' › ');
    yield written({ failure: `✖ ${name}\n${inspect(cause)}\n\n` });
  }
  yield written({ passed });
}

/** Reads what the reporter has written, also if it was ended early. */
export function readResults(text: string): Results {
  const lines = text.split('\n').filter((line) => line !== '');
  const read = lines.map((line) => JSON.parse(line) as Line);
  return {
    passed: read.reduce((sum, line) => sum + ('passed' in line ? line.passed : 0), 0),
    failures: read.flatMap((line) => ('failure' in line ? [line.failure] : [])),
  };
}

/** The line that scripts read. A run that failed without a failed test counts as one failure. */
export function lastLine({ passed, failures }: Results, exitCode: number): string {
  const failed = failures.length === 0 && exitCode !== 0 ? 1 : failures.length;
  return `${passed} passed, ${failed} failed`;
}
