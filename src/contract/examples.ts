/** The examples of the documents: recorded calls of a test (test/contract/examples.test.ts), which also writes them. */
import calls from './example-calls.json' with { type: 'json' };
import type { DescribedOperation } from './openapi/document-style.ts';

type Examples = DescribedOperation['examples'];

const recorded = calls as unknown as Readonly<Record<string, Examples>>;

/** The recorded call of an operation, with a response of each status. */
export function exampleOf(id: string): Examples {
  const found = recorded[id];
  if (!found) throw new Error(`No call of ${id} is recorded: add one to the examples.`);
  return found;
}
