/** A copy that is kept by the feed equals ours, although processes of the service and its own are killed. Spec: COPY-4. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mirror, type MirrorCalls } from '../../bench/mirror/mirror.ts';
import { numbers } from '../../src/simulation/seeded.ts';
import { makeDataFolders } from '../harness/data-folders.ts';
import { operatorOf } from '../harness/operator.ts';
import { Partner } from '../harness/partner.ts';
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts';
import { registerPartner } from '../harness/registration.ts';
import { sql } from '../harness/rows.ts';
import { endAll, onDatabase, serve, type ServiceProcess } from '../harness/service-process.ts';
import { actsOf, addTwoCatalogs, callsOf, differences, ranges, told } from './mirroring.ts';

const kills = 4;
// A process that was killed counts as reading for some seconds more.
const longestWaitMs = 60_000;

/** The calls of a mirror, each repeated until it succeeds: the process that gets it may be dead. */
function patient(calls: MirrorCalls): MirrorCalls {
  const again =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const deadline = performance.now() + longestWaitMs;
      for (;;) {
        try {
          return await call(...args);
        } catch (error) {
          if (performance.now() > deadline) throw error;
          await sleep(20);
        }
      }
    };
  return {
    changes: again(calls.changes),
    homes: again(calls.homes),
    home: again(calls.home),
    calendars: again(calls.calendars),
  };
}

suite('a copy that is kept while processes are killed', () => {
  const processes: ServiceProcess[] = [];
  let database: TestDatabase;
  let folders: Awaited<ReturnType<typeof makeDataFolders>>;

  const start = (): Promise<ServiceProcess> =>
    serve({
      dataDir: folders.folder(),
      env: {
        ...onDatabase(database),
        LATCHKEY_ENVIRONMENT: 'test',
        BASE_URL: 'http://latchkey.test',
      },
    });
  let calls = 0;
  const origin = (): string => processes[(calls += 1) % processes.length]!.origin;

  before(async () => {
    folders = await makeDataFolders();
    database = await createTestDatabase();
    await sql(database.database, `UPDATE installation SET environment = 'test'`);
    processes.push(await start());
    processes.push(await start());
  });
  after(async () => {
    await endAll();
    await database.drop();
    await folders.clear();
  });

  test('equals ours at the end, and its program repeats what it had not stored', async () => {
    const next = numbers(21);
    const { catalogIds, slugs } = await addTwoCatalogs(database.database);
    const application = { catalogId: catalogIds[0]! };
    const partner = await registerPartner(database.database, origin, application, 'test');
    const others = await registerPartner(database.database, origin, application, 'test');
    const staff = await operatorOf({
      database: database.database,
      get origin() {
        return origin();
      },
    });
    const act = actsOf(next, () => partner.credentials.applicationId, { staff, others, slugs });
    const mirrorCalls = patient(callsOf(partner));
    let mirror = new Mirror(mirrorCalls, ranges);
    await mirror.start();

    let isOver = false;
    let done = 0;
    const acting = (async () => {
      while (!isOver) {
        // A call to a process that dies has no answer.
        await act().then(
          () => (done += 1),
          () => sleep(10),
        );
      }
    })();
    let entries = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const doneBefore = done;
      const { cursor } = mirror;
      while (done < doneBefore + 15) await mirror.follow();
      const at = kill % processes.length;
      processes[at]!.kill('SIGKILL');
      await processes[at]!.ended;
      await mirror.follow();
      entries += mirror.entries;
      // The mirror is killed as well: its copy is newer than the cursor that it has stored.
      mirror = new Mirror(mirrorCalls, ranges, { copy: mirror.copy, cursor });
      processes[at] = await start();
    }
    isOver = true;
    await acting;
    await told(database.database, longestWaitMs);
    await mirror.follow();

    for (const { origin: one } of processes) {
      const reader = new Partner(one, partner.credentials);
      const fresh = new Mirror(patient(callsOf(reader)), ranges);
      await fresh.start();
      assert.deepEqual(differences(mirror.copy, fresh.copy), []);
    }
    assert.ok(entries + mirror.entries > 20, `${entries} entries`);
  });
});
