import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, suite, test } from 'node:test';
import {
  addBlocks,
  type AddedBlocks,
  listBlocks,
  type NewBlock,
  removeBlock,
} from '../../src/inventory/index.ts';
import { homesOf } from '../harness/catalog.ts';
import { takenNights } from '../harness/nights.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';

suite('blocks', () => {
  let db: TestDatabase;
  let homes: string[];

  before(async () => {
    db = await createTestDatabase();
    homes = (await homesOf(db)).map(({ listingId }) => listingId).toSorted();
  });
  after(() => db.drop());
  beforeEach(() => sql(db.database, 'TRUNCATE occupancies'));

  const block = (from: string, to: string, more: Partial<NewBlock> = {}): NewBlock => ({
    listingId: homes[0]!,
    from: `2027-01-${from}`,
    to: `2027-01-${to}`,
    reason: null,
    source: 'staff',
    ...more,
  });

  const stay = async (kind: 'held' | 'confirmed', from: string, to: string): Promise<string> => {
    const attemptId = randomUUID();
    await sql(
      db.database,
      `INSERT INTO occupancies (occupancy_id, listing_id, nights, kind, application_id, booking_kind,
        booking_id, reference)
      VALUES ($1, $2, daterange($3, $4), $5, $1, 'checkout', $1, $6)`,
      [
        attemptId,
        homes[0],
        `2027-01-${from}`,
        `2027-01-${to}`,
        kind,
        kind === 'confirmed' ? 'LK-1' : null,
      ],
    );
    return attemptId;
  };

  /** Adds blocks as a caller does: all, or none if there are collisions. */
  async function add(...blocks: NewBlock[]): Promise<AddedBlocks> {
    const refusal = new Error('refused');
    let result: AddedBlocks | undefined;
    const adding = db.database.transaction(async (executor) => {
      result = await addBlocks(executor, blocks);
      if (result.outcome === 'taken') throw refusal;
    });
    await adding.catch((error: unknown) => assert.equal(error, refusal));
    return result!;
  }

  async function added(...blocks: NewBlock[]) {
    const result = await add(...blocks);
    assert.equal(result.outcome, 'added');
    return result.blocks;
  }

  async function collisions(...blocks: NewBlock[]) {
    const result = await add(...blocks);
    assert.equal(result.outcome, 'taken');
    return result.collisions.map(({ index, taken }) => ({ index, taken }));
  }

  const nights = async () =>
    (await takenNights(db.database)).map(({ from, to }) => `${from.slice(8)}-${to.slice(8)}`);

  test('are added in the order in which they were passed', async () => {
    const blocks = [
      block('20', '22'),
      block('01', '03'),
      block('10', '12', { listingId: homes[1]! }),
    ];
    const result = await added(...blocks);
    const listed = await listBlocks(db.database, { atMost: 10 });
    assert.deepEqual(
      listed.map(({ createdAt: _, ...rest }) => rest),
      [1, 0, 2].map((at) => ({ ...blocks[at]!, blockId: result[at]!.blockId })),
    );
    assert.ok(result.every(({ change }) => change === 'added'));
  });

  test('that touch do not collide', async () => {
    await added(block('01', '03'), block('03', '05'));
    await added(block('05', '06'));
    assert.deepEqual(await nights(), ['01-03', '03-05', '05-06']);
  });

  test('the same nights again: the block that is there', async () => {
    const [first] = await added(block('01', '03'));
    const unchanged = [{ blockId: first!.blockId, change: 'unchanged' }];
    assert.deepEqual(await added(block('01', '03')), unchanged);
    assert.deepEqual(await added(block('01', '03', { source: 'channel', reason: 'x' })), unchanged);
    assert.deepEqual(await nights(), ['01-03']);
  });

  test('the same nights from the same source with another reason: the reason is changed', async () => {
    const [first] = await added(block('01', '03', { reason: 'roof' }));
    const was = { reason: 'roof', source: 'staff' };
    const changed = [{ blockId: first!.blockId, change: 'changed', before: was }];
    assert.deepEqual(await added(block('01', '03', { reason: 'new roof' })), changed);
    const [stored] = await listBlocks(db.database, { atMost: 10 });
    assert.equal(stored!.reason, 'new roof');
  });

  test('the same nights twice in one call: one block', async () => {
    const [one, other] = await added(block('01', '03'), block('01', '03'));
    assert.equal(one!.blockId, other!.blockId);
    assert.deepEqual([one!.change, other!.change].toSorted(), ['added', 'unchanged']);
  });

  // Spec: OPERATOR-9.
  test('collide › every stay and block that has nights is named, and nothing is added', async () => {
    const held = await stay('held', '02', '04');
    const confirmed = await stay('confirmed', '05', '07');
    const [other] = await added(block('08', '09', { reason: 'paint', source: 'channel' }));
    assert.deepEqual(await collisions(block('20', '21'), block('03', '10'), block('06', '07')), [
      {
        index: 1,
        taken: [
          { kind: 'held', attemptId: held, from: '2027-01-02', to: '2027-01-04' },
          {
            kind: 'confirmed',
            attemptId: confirmed,
            reference: 'LK-1',
            from: '2027-01-05',
            to: '2027-01-07',
          },
          {
            kind: 'block',
            blockId: other!.blockId,
            source: 'channel',
            reason: 'paint',
            from: '2027-01-08',
            to: '2027-01-09',
          },
        ],
      },
      {
        index: 2,
        taken: [
          {
            kind: 'confirmed',
            attemptId: confirmed,
            reference: 'LK-1',
            from: '2027-01-05',
            to: '2027-01-07',
          },
        ],
      },
    ]);
    assert.deepEqual(await nights(), ['02-04', '05-07', '08-09']);
  });

  test('collide › with each other in one call', async () => {
    const [only, ...others] = await collisions(block('02', '04'), block('01', '03'));
    assert.deepEqual(others, []);
    assert.equal(only!.index, 0, 'the earlier block is added first');
    assert.deepEqual(
      only!.taken.map(({ kind, from }) => [kind, from]),
      [['block', '2027-01-01']],
    );
  });

  test('many in one call', async () => {
    const blocks = homes.flatMap((listingId) =>
      Array.from({ length: 20 }, (_, at) =>
        block(String(at + 1).padStart(2, '0'), String(at + 2).padStart(2, '0'), { listingId }),
      ),
    );
    assert.ok(blocks.length > 1_000);
    assert.equal((await added(...blocks)).length, blocks.length);
    assert.equal((await takenNights(db.database)).length, blocks.length);
    assert.ok((await added(...blocks)).every(({ change }) => change === 'unchanged'));
  });

  test('nights that become free while a block waits for them are taken by it', async () => {
    const [first] = await added(block('01', '03'));
    const begun = Promise.withResolvers<void>();
    const removing = db.database.transaction(async (executor) => {
      await removeBlock(executor, first!.blockId);
      begun.resolve();
      await sql(executor, 'SELECT pg_sleep(0.2)');
    });
    await begun.promise;
    const [second] = await added(block('02', '04'));
    await removing;
    assert.equal(second!.change, 'added');
    assert.deepEqual(await nights(), ['02-04']);
  });

  test('are removed once', async () => {
    const [{ blockId } = { blockId: '' }] = await added(block('01', '03', { reason: 'roof' }));
    const removed = await removeBlock(db.database, blockId);
    assert.deepEqual(
      [removed?.from, removed?.to, removed?.reason],
      ['2027-01-01', '2027-01-03', 'roof'],
    );
    assert.equal(await removeBlock(db.database, blockId), undefined);
    assert.deepEqual(await nights(), []);
  });

  test('a stay is not removed as a block', async () => {
    const attemptId = await stay('confirmed', '01', '03');
    assert.equal(await removeBlock(db.database, attemptId), undefined);
    assert.deepEqual(await nights(), ['01-03']);
  });

  test('are listed page by page, of all listings or of some', async () => {
    const blocks = homes
      .slice(0, 5)
      .flatMap((listingId) => [block('01', '03', { listingId }), block('05', '06', { listingId })]);
    await added(...blocks);
    await stay('held', '20', '21');
    const pages = async (listingIds?: string[]) => {
      const all: string[] = [];
      for (let last: { listingId: string; from: string } | undefined; ;) {
        const page = await listBlocks(db.database, {
          ...(listingIds && { listingIds }),
          ...(last && { after: last }),
          atMost: 3,
        });
        all.push(...page.map(({ listingId, from }) => `${listingId} ${from}`));
        if (page.length < 3) return all;
        last = page.at(-1)!;
      }
    };
    const expected = blocks.map(({ listingId, from }) => `${listingId} ${from}`);
    assert.deepEqual(await pages(), expected);
    assert.deepEqual(await pages([homes[3]!, homes[1]!]), [
      ...expected.slice(2, 4),
      ...expected.slice(6, 8),
    ]);
  });
});
