/** What staff have written about a person with very many bookings is erased in time that grows with the bookings. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { eraseAuditTexts } from '../../src/platform/audit/audit-chain.ts';
import type { Executor, Statement } from '../../src/platform/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { rowsTouched } from '../harness/rows-touched.ts';

const slices = 8;

const writeStatement: Statement = {
  name: 'write-entries-of-slice',
  text: `WITH entries AS (
      INSERT INTO audit_entries (actor, action, details, reference)
      SELECT 'test', 'guest.erase', '{}', reference FROM unnest($1::text[]) AS reference RETURNING entry_id)
    INSERT INTO audit_texts (entry_id, text_sealed) SELECT entry_id, '' FROM entries`,
};

/** As an erasure does it, on a connection that has erased others before: each slice after the entries of the ones before. */
async function eraseSlices(executor: Executor, ofSlice: number): Promise<void> {
  for (let other = 0; other < slices; other += 1) await eraseAuditTexts(executor, ['other']);
  for (let slice = 0; slice < slices; slice += 1) {
    const references = Array.from({ length: ofSlice }, (_, at) => `R${slice}-${at}`);
    await executor.query(writeStatement, [references]);
    await eraseAuditTexts(executor, references);
  }
}

suite('guest erase › texts', () => {
  let clone: TestDatabase;
  before(async () => {
    clone = await createTestDatabase();
    // The server takes the tables for empty from now on, as in a new installation.
    const client = await clone.database.connect();
    await client.query('VACUUM (ANALYZE) audit_entries, audit_texts');
    await client.end();
  });
  after(() => clone.drop());

  // Spec: GUEST-4.
  test('each booking costs some rows, however many entries there are', async () => {
    const ofSlice = 100;
    const { eraseSlices: rows } = await rowsTouched(clone.database, { eraseSlices }, ofSlice);
    assert.ok(rows! <= 20 * slices * ofSlice, `${rows} rows of ${slices * ofSlice} bookings`);
  });
});
