/** A worker that is killed between the hold of the nights and the outcome leaves neither too much nor too little. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createInventorySupply } from '../../src/bookings/index.ts';
import { assertNightsFit, takenNights } from '../harness/nights.ts';
import { signalThatEnds } from '../harness/killed-program.ts';
import { aged } from '../harness/rows.ts';
import { openResolution, type TestResolution } from '../resolution/resolution.ts';
import type { Resolving } from './resolving.ts';

const program = new URL('resolving.ts', import.meta.url);

/** Where the worker is killed, and what it has left: the state of the booking, and its nights. */
const kills: [failpoint: string, state: string, nights: string[]][] = [
  ['before:hold-nights', 'pending', []],
  ['after:hold-nights', 'pending', ['held']],
  ['before:transition-booking', 'pending', ['held']],
  ['after:transition-booking', 'confirmed', ['confirmed']],
];

suite('a worker killed with -9', () => {
  let resolution: TestResolution;
  let checkIn = 40;

  before(async () => {
    resolution = await openResolution({
      supply: (_simulated, database) => createInventorySupply(database),
    });
  });
  after(() => resolution.drop());

  async function resolveInProcess(failpoint: string): Promise<NodeJS.Signals | null> {
    const argument: Resolving = { connection: resolution.connection, failpoint };
    return signalThatEnds(program, argument);
  }

  const nightsOf = async (from: number): Promise<string[]> => {
    const date = new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10);
    const taken = await takenNights(resolution.database);
    return taken.filter((each) => each.from === date).map(({ kind }) => kind);
  };

  for (const [failpoint, state, nights] of kills) {
    for (const kind of ['checkout', 'request'] as const) {
      test(`${kind} › ${failpoint} › ${state}, nights: ${nights.join() || 'none'}; the next worker confirms`, async () => {
        checkIn += 5;
        const { database } = resolution;
        const id = await resolution.make({
          kind,
          stay: { home: 0, checkIn, checkOut: checkIn + 3 },
        });
        assert.equal(await resolveInProcess(failpoint), 'SIGKILL');
        assert.equal((await resolution.state(id)).state, state);
        assert.deepEqual(await nightsOf(checkIn), nights);
        await assertNightsFit(database);
        if (state === 'pending') await aged.due(database, id, 60);
        await resolution.testWorker.runDue();
        assert.equal((await resolution.state(id)).state, 'confirmed');
        assert.deepEqual(await nightsOf(checkIn), ['confirmed']);
        await assertNightsFit(database);
      });
    }
  }
});
