/** The harness of tests with a standby: what it says about the two servers is so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDataFolders } from '../harness/data-folders.ts';
import { asSuperuser, openStandbyPair, standbyName } from '../harness/standby.ts';

test('a standby › receives what the primary commits, can wait with it, and takes over', async (t) => {
  const folders = await makeDataFolders();
  const pair = await openStandbyPair(await folders.usedFolder(), folders.folder());
  t.after(async () => {
    await pair.stop();
    await folders.clear();
  });
  const { primary, standby } = pair;
  const rowsOn = async (server: typeof primary) =>
    (await asSuperuser(server, 'SELECT count(*)::int AS rows FROM things'))[0]!['rows'];

  await pair.replicateSynchronously();
  await asSuperuser(primary, 'CREATE TABLE things (n int)');
  await pair.caughtUp();
  assert.equal(await rowsOn(standby), 0);
  await pair.pauseReplay();
  await asSuperuser(primary, 'INSERT INTO things VALUES (1)');
  assert.equal(await rowsOn(standby), 0, 'it does not replay');
  await pair.resumeReplay();
  await pair.caughtUp();
  assert.equal(await rowsOn(standby), 1);
  const [waits] = await asSuperuser(primary, 'SHOW synchronous_standby_names');
  assert.equal(waits!['synchronous_standby_names'], standbyName);

  await asSuperuser(primary, 'INSERT INTO things VALUES (2)');
  await primary.kill();
  await pair.promote();
  assert.equal(await rowsOn(standby), 2, 'what was acknowledged is there');
  await asSuperuser(standby, `ALTER SYSTEM RESET synchronous_standby_names`);
  await asSuperuser(standby, 'SELECT pg_reload_conf()');
  await asSuperuser(standby, 'INSERT INTO things VALUES (3)');
  assert.equal(await rowsOn(standby), 3);
});
