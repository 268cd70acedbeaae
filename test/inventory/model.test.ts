/** Random sequences of everything that takes and frees nights, against a model. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import { createInventorySupply } from '../../src/bookings/ports/inventory-supply.ts';
import { takeStep } from '../../src/bookings/worker/steps.ts';
import { addBlocks, freeNights, moveNights, removeBlock } from '../../src/inventory/index.ts';
import { homesOf } from '../harness/catalog.ts';
import { takenNights } from '../harness/nights.ts';
import { aged, sql } from '../harness/rows.ts';
import { openResolution, type TestResolution } from '../resolution/resolution.ts';

type Nights = { home: number; checkIn: number; checkOut: number };

type Operation =
  | ({ does: 'book' | 'hold' | 'block' } & Nights)
  | ({ does: 'move'; which: number } & Nights)
  | { does: 'resolve' | 'fail' | 'cancel' | 'unblock'; which: number };

const nights = {
  home: fc.nat(1),
  checkIn: fc.integer({ min: 40, max: 60 }),
  length: fc.integer({ min: 1, max: 6 }),
};

const taking = fc
  .record({ does: fc.constantFrom('book' as const, 'hold' as const, 'block' as const), ...nights })
  .map(({ length, ...rest }): Operation => ({ ...rest, checkOut: rest.checkIn + length }));
const moving = fc
  .record({ does: fc.constant('move' as const), which: fc.nat(20), ...nights })
  .map(({ length, ...rest }): Operation => ({ ...rest, checkOut: rest.checkIn + length }));
const freeing = fc.record({
  does: fc.constantFrom('resolve', 'fail', 'cancel', 'unblock') as fc.Arbitrary<'resolve'>,
  which: fc.nat(20),
});
const operations = fc.array(
  fc.oneof({ weight: 4, arbitrary: taking }, { weight: 2, arbitrary: moving }, freeing),
  { minLength: 10, maxLength: 40 },
);

const today = Math.floor(Date.now() / 86_400_000);
const dateOf = (day: number): string =>
  new Date((today + day) * 86_400_000).toISOString().slice(0, 10);

interface Modelled extends Nights {
  kind: 'held' | 'confirmed' | 'block';
  /** Of a stay. */
  bookingId: string | null;
}

suite('taken nights', () => {
  let resolution: TestResolution;
  let homes: string[];

  before(async () => {
    resolution = await openResolution({
      supply: (_real, database) => createInventorySupply(database),
    });
    homes = (await homesOf(resolution)).map(({ listingId }) => listingId);
  });
  after(() => resolution.drop());

  async function attemptOf(bookingId: string): Promise<string> {
    const [row] = await sql<{ attempt_id: string }>(
      resolution.database,
      'SELECT attempt_id FROM bookings WHERE booking_id = $1',
      [bookingId],
    );
    return row!.attempt_id;
  }

  async function claimOf(bookingId: string) {
    await aged.due(resolution.database, bookingId, 60);
    const claims = await resolution.testWorker.claim();
    const claim = claims.find(({ booking }) => booking.bookingId === bookingId);
    assert.ok(claim);
    return claim;
  }

  const suspended = (isSuspended: boolean) =>
    sql(
      resolution.database,
      `UPDATE applications SET suspended_at = ${isSuspended ? 'now()' : 'NULL'} WHERE application_id = $1`,
      [resolution.applicationId],
    );

  async function stateOf(bookingId: string): Promise<string> {
    return (await resolution.state(bookingId)).state;
  }

  /** Runs the operations, and after each compares what is taken with the model. */
  async function run(all: readonly Operation[]): Promise<void> {
    const { database, testWorker } = resolution;
    const { context } = testWorker;
    await sql(database, 'UPDATE bookings SET due_at = NULL');
    await sql(database, 'DELETE FROM occupancies');
    const model = new Map<string, Modelled>();
    const isFree = (wanted: Nights, except?: string): boolean =>
      [...model].every(
        ([id, { home, checkIn, checkOut }]) =>
          id === except ||
          home !== wanted.home ||
          checkOut <= wanted.checkIn ||
          wanted.checkOut <= checkIn,
      );
    const pick = (which: number, kind: Modelled['kind']): [string, Modelled] | undefined => {
      const some = [...model].filter(([, each]) => each.kind === kind);
      return some[which % some.length];
    };

    for (const operation of all) {
      switch (operation.does) {
        case 'book': {
          const { does: _, ...stay } = operation;
          const bookingId = await resolution.make({ stay });
          await takeStep(context, await claimOf(bookingId));
          const fits = isFree(stay);
          assert.equal(await stateOf(bookingId), fits ? 'confirmed' : 'failed');
          if (fits) {
            model.set(await attemptOf(bookingId), { ...stay, kind: 'confirmed', bookingId });
          }
          break;
        }
        case 'hold': {
          const { does: _, ...stay } = operation;
          const bookingId = await resolution.make({ stay });
          const { booking, fence } = await claimOf(bookingId);
          const answer = await context.supply.hold(booking, fence, new AbortController().signal);
          assert.equal(answer.outcome, isFree(stay) ? 'done' : 'refused');
          if (answer.outcome === 'done') {
            model.set(booking.attemptId, { ...stay, kind: 'held', bookingId });
            assert.equal(
              (await context.supply.hold(booking, fence, new AbortController().signal)).outcome,
              'done',
              'a repeated hold has no second effect',
            );
          }
          break;
        }
        case 'block': {
          const { does: _, home, checkIn, checkOut } = operation;
          const block = { listingId: homes[home]!, from: dateOf(checkIn), to: dateOf(checkOut) };
          const result = await addBlocks(database, [{ ...block, reason: null, source: 'staff' }]);
          const same = [...model].find(
            ([, other]) =>
              other.kind === 'block' &&
              other.home === home &&
              other.checkIn === checkIn &&
              other.checkOut === checkOut,
          );
          const fits = isFree({ home, checkIn, checkOut });
          assert.equal(result.outcome, fits || same ? 'added' : 'taken');
          if (result.outcome === 'added' && fits) {
            const { blockId } = result.blocks[0]!;
            model.set(blockId, { home, checkIn, checkOut, kind: 'block', bookingId: null });
          }
          break;
        }
        case 'move': {
          const { does: _, which, ...next } = operation;
          const [attemptId, stay] = pick(which, 'confirmed') ?? [];
          if (!attemptId || !stay) break;
          const verdict = await database.transaction((executor) =>
            moveNights(executor, attemptId, homes[next.home]!, {
              checkIn: today + next.checkIn,
              checkOut: today + next.checkOut,
            }),
          );
          assert.equal(verdict, isFree(next, attemptId) ? 'moved' : 'taken');
          if (verdict === 'moved') model.set(attemptId, { ...stay, ...next });
          break;
        }
        case 'resolve': {
          const [attemptId, stay] = pick(operation.which, 'held') ?? [];
          if (!attemptId || !stay?.bookingId) break;
          await takeStep(context, await claimOf(stay.bookingId));
          assert.equal(await stateOf(stay.bookingId), 'confirmed');
          model.set(attemptId, { ...stay, kind: 'confirmed' });
          break;
        }
        case 'fail': {
          const [attemptId, stay] = pick(operation.which, 'held') ?? [];
          if (!attemptId || !stay?.bookingId) break;
          await suspended(true);
          await takeStep(context, await claimOf(stay.bookingId));
          await suspended(false);
          assert.equal(await stateOf(stay.bookingId), 'failed');
          model.delete(attemptId);
          break;
        }
        case 'cancel': {
          const [attemptId] = pick(operation.which, 'confirmed') ?? [];
          if (!attemptId) break;
          await freeNights(database, attemptId);
          model.delete(attemptId);
          break;
        }
        case 'unblock': {
          const [blockId] = pick(operation.which, 'block') ?? [];
          if (!blockId) break;
          assert.ok(await removeBlock(database, blockId));
          model.delete(blockId);
          break;
        }
      }
      const stored = await takenNights(database);
      const lines = stored.map(({ id, kind, listingId, from, to }) =>
        [id, kind, homes.indexOf(listingId), from, to].join(' '),
      );
      const expected = [...model].map(([id, { kind, home, checkIn, checkOut }]) =>
        [id, kind, home, dateOf(checkIn), dateOf(checkOut)].join(' '),
      );
      assert.deepEqual(lines.toSorted(), expected.toSorted());
    }
  }

  test('are what a model says, after any sequence of operations', async () => {
    await fc.assert(fc.asyncProperty(operations, run), { numRuns: 15, endOnFailure: true });
  });
});
