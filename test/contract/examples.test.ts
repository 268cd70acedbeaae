/** The examples of the documents are calls as they are made here, and are written by `npm run record`. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { before, suite, test } from 'node:test';
import { operationIds } from '../../src/contract/partner/operations.ts';
import { portalOperationIds, type PortalReplyOf } from '../../src/contract/portal/operations.ts';
import { sandboxOperationIds } from '../../src/contract/sandbox/operations.ts';
import { recordExamples, type RecordedExamples } from './example-calls.ts';

const locate = (file: string): URL => new URL(`../../src/contract/${file}`, import.meta.url);
const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const isToBeWritten = process.env['LATCHKEY_RECORD_EXAMPLES'] !== undefined;

/** Compares a file with what was recorded, or writes it. */
async function compare(file: string, recorded: unknown): Promise<void> {
  if (isToBeWritten) return writeFile(locate(file), pretty(recorded));
  const committed: unknown = JSON.parse(await readFile(locate(file), 'utf8'));
  assert.deepEqual(recorded, committed, 'record them again with: npm run record');
}

suite('examples of the documents', () => {
  let recorded: RecordedExamples;
  before(async () => {
    recorded = await recordExamples();
    // The service tells the events of the file, which may be about to change.
    const { replies } = recorded.calls['portal.eventType.list']!;
    const { items } = replies['200'] as PortalReplyOf<'portal.eventType.list'>['body'];
    replies['200'] = {
      items: items.map((one) => ({ ...one, example: recorded.events[one.type] })),
    };
  });

  test('every operation of partners, the portal and the sandbox is called', () => {
    const all = [
      'token',
      'refusal',
      ...operationIds,
      ...portalOperationIds,
      ...sandboxOperationIds,
    ];
    assert.deepEqual(Object.keys(recorded.calls).toSorted(), all.toSorted());
  });

  test('example-calls.json has the calls', () => compare('example-calls.json', recorded.calls));

  test('example-events.json has the events', () => compare('example-events.json', recorded.events));
});
