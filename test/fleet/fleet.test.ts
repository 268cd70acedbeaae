/** Two processes behind HAProxy: upgraded one after the other under load, and killed with -9. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { chanceOf } from '../harness/chance.ts';
import { newSeed } from '../faults/seed.ts';
import { bookingOf, outcomesOf } from '../faults/test-system.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { eventually } from '../harness/eventually.ts';
import { noHaproxy } from '../harness/haproxy.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { registerWithRelease, unpackPreviousRelease } from '../harness/previous-release.ts';
import { noRedis } from '../harness/redis.ts';
import { sql } from '../harness/rows.ts';
import { onDatabase } from '../harness/service-process.ts';
import { failuresIn } from '../load/report.ts';
import { openFleet, two, type Fleet } from './fleet.ts';
import { killAndStart } from './kills.ts';

const migrationsIn = async ({ database }: TestDatabase): Promise<number> =>
  (await sql(database, 'SELECT FROM schema_migrations')).length;

// Longer ones manually: npm run fleet -- --seconds N --seed S
describe('a fleet behind HAProxy', { skip: noHaproxy || noRedis }, () => {
  let database: TestDatabase;
  let fleet: Fleet<keyof typeof two>;
  let project: string;
  const folders = makeDataFolders();

  before(async () => {
    project = await unpackPreviousRelease((await folders).folder());
    database = await createTestDatabase(10, 'template1');
    fleet = await openFleet({ roles: two, envOf: () => onDatabase(database), project });
  });
  after(async () => {
    await fleet.close();
    await database.drop();
    await (await folders).clear();
  });

  it('is upgraded from the previous release: no call fails; killed then: nothing is lost or done twice', async (t) => {
    const seed = newSeed(t);
    const env = { ...onDatabase(database), LATCHKEY_DATA_DIR: fleet.folderOf('one') };
    const { origin } = fleet;
    const partners = await Promise.all(
      (['card', 'partner'] as const).map((settlement) =>
        registerWithRelease(project, env, { origin, settlement }),
      ),
    );
    const workload = await bookingOf(partners, seed, 2);
    const { history, ended } = workload;
    const booked = (): number => ended.get('confirmed') ?? 0;
    const booksOn = async (): Promise<void> => {
      const bookedBefore = booked();
      await eventually(async () => booked() > bookedBefore, 60_000);
    };
    try {
      await booksOn();
      const migrated = await migrationsIn(database);
      for (const runner of [fleet.members.one, fleet.members.other]) {
        assert.deepEqual(await runner.process.stop(), { code: 0, signal: null });
        runner.use();
        await runner.start();
        await fleet.balancer.bothServe();
        // Both releases serve now, or both processes are of this one.
        await booksOn();
      }
      t.diagnostic(`${(await migrationsIn(database)) - migrated} migrations under load`);
      const failed = history.calls.filter((called) => failuresIn([called]) > 0);
      assert.deepEqual(failed, []);

      await killAndStart(fleet, ['one'], chanceOf(seed));
      assert.deepEqual(await outcomesOf(database.database, workload), []);
      t.diagnostic(JSON.stringify(Object.fromEntries(ended)));
    } finally {
      await workload.abandon();
    }
  });
});
