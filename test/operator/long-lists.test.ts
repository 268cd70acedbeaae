/** The lists of partners and of tokens are complete through their pages, also where many have one time. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';

const added = 12;

suite('operator lists in pages', () => {
  let service: TestService;
  let operator: Operator;
  before(async () => {
    service = await startTestService();
    operator = await operatorOf(service);
    await service.partner();
    await sql(
      service.database,
      `INSERT INTO applications (application_id, name, settlement, grants, read_per_minute, search_per_minute,
          write_per_minute, signal_per_minute, catalog_id, created_at)
        SELECT gen_random_uuid(), 'page ' || n, 'partner', '{}', 1, 1, 1, 1, catalog_id, '2026-01-01'
        FROM catalogs, generate_series(1, $1) n`,
      [added],
    );
    await sql(
      service.database,
      `INSERT INTO operator_tokens (token_id, token_digest, name, role, created_at, expires_at)
        SELECT gen_random_uuid(), sha256(n::text::bytea), 'page ' || n, 'viewer', '2026-01-01', '2026-01-02'
        FROM generate_series(1, $1) n`,
      [added],
    );
  });
  after(() => service.stop());

  /** The IDs of all pages, as the pages have them. */
  async function pagesOf<Item>(
    read: (query: { limit: number; cursor?: string }) => Promise<{
      items: Item[];
      nextCursor: string | null;
    }>,
    idOf: (item: Item) => string,
  ): Promise<string[][]> {
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page: { items: Item[]; nextCursor: string | null } = await read({
        limit: 5,
        ...(cursor !== null && { cursor }),
      });
      pages.push(page.items.map(idOf));
      cursor = page.nextCursor;
    } while (cursor !== null);
    return pages;
  }

  const lists = {
    'operator.application.list': {
      pages: () =>
        pagesOf(
          (query) => operator.done('operator.application.list', { query }),
          ({ applicationId }) => applicationId,
        ),
      stored: 'SELECT application_id AS id FROM applications ORDER BY created_at, application_id',
    },
    'operator.token.list': {
      pages: () =>
        pagesOf(
          (query) => operator.done('operator.token.list', { query }),
          ({ tokenId }) => tokenId,
        ),
      stored: 'SELECT token_id AS id FROM operator_tokens ORDER BY created_at DESC, token_id DESC',
    },
  } as const;

  for (const [id, { pages, stored }] of Object.entries(lists)) {
    test(`${id} › 200 › every item is in one page, in the order of the list`, async () => {
      const all = (await sql<{ id: string }>(service.database, stored)).map((row) => row.id);
      assert.ok(all.length >= added);
      const read = await pages();
      assert.deepEqual(read.flat(), all);
      const full = read.slice(0, -1).map(({ length }) => length);
      assert.deepEqual(new Set(full), new Set([5]));
    });
  }

  test('operator.token.list › 400 › a cursor of another list', async () => {
    const { nextCursor } = await operator.done('operator.application.list', {
      query: { limit: 1 },
    });
    const query = { cursor: nextCursor! };
    const refused = await operator.refused('operator.token.list', { query });
    assert.deepEqual([refused.status, refused.code], [400, 'invalid_input']);
  });

  test('operator.application.list › 200 › without a limit, what most installations have is one page', async () => {
    const { items, nextCursor } = await operator.done('operator.application.list');
    assert.ok(items.length > added);
    assert.equal(nextCursor, null);
  });
});
