/** What a start learns of its PostgreSQL. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  checkConnections,
  readServerFacts,
  type ServerFacts,
} from '../../src/platform/postgres/server-facts.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';

describe('the server of a database', () => {
  let made: TestDatabase;
  let facts: ServerFacts;
  before(async () => {
    made = await createTestDatabase(1);
    facts = await readServerFacts(made.database);
  });
  after(() => made.drop());

  it('says its version and how many connections it takes', () => {
    assert.match(facts.version, /^\d+\.\d+$/);
    assert.ok(facts.connections > 0);
  });

  it('takes a pool of as many connections, and refuses a larger one in words', () => {
    checkConnections(facts.connections, facts);
    assert.throws(
      () => checkConnections(facts.connections + 1, facts),
      new RegExp(
        `^Error: LATCHKEY_DATABASE_CONNECTIONS is ${facts.connections + 1}, and this PostgreSQL takes ${facts.connections} `,
      ),
    );
  });
});
