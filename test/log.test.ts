/** What the log shows of an error: enough to find it, and nothing of the rows behind it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pino } from 'pino';
import { logOptions } from '../src/platform/log.ts';
import { createTestDatabase, type TestDatabase } from './harness/postgres.ts';
import { sql } from './harness/rows.ts';

interface Logged {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: Logged;
}

/** The error as a line of the log has it, and the line. */
function logged(error: unknown): { err: Logged; line: string } {
  let line = '';
  const logger = pino(logOptions('info'), { write: (text: string) => (line += text) });
  logger.error({ err: error }, 'operation failed');
  return { err: (JSON.parse(line) as { err: Logged }).err, line };
}

describe('an error in the log', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createTestDatabase(2);
  });
  after(() => database.drop());

  const errorOf = (text: string, values: unknown[]): Promise<unknown> =>
    sql(database.database, text, values).then(
      () => assert.fail('no error'),
      (error: unknown) => error,
    );

  it('has its type, message, code, trace and cause', () => {
    const cause = Object.assign(new TypeError('the cause'), { code: 'E_CAUSE' });
    const { err } = logged(new RangeError('the effect', { cause }));
    assert.deepEqual([err.type, err.message], ['RangeError', 'the effect']);
    assert.match(err.stack ?? '', /RangeError: the effect\n +at /);
    assert.deepEqual([err.cause?.type, err.cause?.code], ['TypeError', 'E_CAUSE']);
  });

  it('has no other properties', () => {
    const request = { headers: { authorization: 'canary' } };
    assert.doesNotMatch(logged(Object.assign(new Error('failed'), { request })).line, /canary/);
  });

  it('has nothing of the row that PostgreSQL refused', async () => {
    const refused = await errorOf(
      `INSERT INTO promotions (catalog_id, code, label, kind, off)
        SELECT catalog_id, $1, $1, 'percent', 1 FROM catalogs, generate_series(1, 2)`,
      ['canary'],
    );
    assert.equal(logged(refused).err.code, '23505');
    assert.doesNotMatch(logged(refused).line, /canary/);
  });

  it('has nothing of the value that PostgreSQL could not take', async () => {
    for (const type of ['integer', 'uuid', 'timestamptz', 'jsonb', 'boolean']) {
      const { err, line } = logged(await errorOf(`SELECT $1::${type}`, ['canary']));
      assert.match(err.code ?? '', /^22/);
      assert.match(err.stack ?? '', /\n +at /);
      assert.doesNotMatch(line, /canary/, type);
    }
  });
});
