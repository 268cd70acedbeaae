/** The queries that the guides offer to operators: they run on this schema, and change nothing. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type pg from 'pg';
import { sql } from './harness/rows.ts';
import { startTestService, type TestService } from './harness/service.ts';

const project = path.resolve(import.meta.dirname, '..');

const queries = globSync('docs/{operators,reservations-team}/*.md', { cwd: project }).flatMap(
  (file) => {
    const text = readFileSync(path.join(project, file), 'utf8');
    const blocks = [...text.matchAll(/^```sql\n(.*?)^```$/gms)];
    return blocks.map(([, block = ''], index) => ({ name: `${file}, ${index + 1}`, block }));
  },
);

describe('the queries of the guides', () => {
  let service: TestService;
  let client: pg.Client;

  before(async () => {
    service = await startTestService();
    client = await service.database.connect();
    await client.query('SET default_transaction_read_only = on');
  });
  after(async () => {
    await client.end();
    await service.stop();
  });

  for (const { name, block } of queries) {
    it(name, async () => {
      await client.query(block);
    });
  }

  it('are there', () => assert.ok(queries.length > 8));

  it('count the wrong rows', async () => {
    const first = queries.find(({ block }) => block.includes('unknown_over_an_hour'));
    assert.ok(first);
    const counted = async () => (await client.query<Record<string, number>>(first.block)).rows[0]!;
    const none = await counted();
    assert.deepEqual(Object.values(none), [0, 0, 0, 0, 0]);

    const partner = await service.partner();
    const open = await partner.submittedCheckout('uncertain');
    await partner.statusOnce(open, ['uncertain']);
    await sql(
      service.database,
      `UPDATE bookings SET updated_at = now() - interval '2 hours' WHERE booking_id = $1`,
      [open.created.checkoutId],
    );
    assert.deepEqual(await counted(), { ...none, unknown_over_an_hour: 1 });
  });
});
