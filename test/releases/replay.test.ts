/** A program that was written for the release before gets from this one what it got, and more members. Spec: VERSION-2. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, suite, test } from 'node:test';
import { makeDataFolders } from '../harness/data-folders.ts';
import type { Partner } from '../harness/partner.ts';
import { createTestDatabase } from '../harness/postgres.ts';
import { registerWithRelease, unpackPreviousRelease } from '../harness/previous-release.ts';
import { endAll, onDatabase, projectRoot, serve } from '../harness/service-process.ts';
import { lost, play, type Played } from './played.ts';

const folders = await makeDataFolders();
after(async () => {
  await endAll();
  await folders.clear();
});

interface Home {
  listingId: string;
}

async function homesIn(project: string): Promise<Map<string, string>> {
  const text = await readFile(path.join(project, 'src/simulation/homes.json'), 'utf8');
  const { listings } = JSON.parse(text) as { listings: Home[] };
  return new Map(listings.map((home) => [home.listingId, JSON.stringify(home)]));
}

/** Starts a release on an empty database, and plays the program against it. */
async function playedBy(project: string, homes: ReadonlySet<string>): Promise<Played[]> {
  const database = await createTestDatabase(10, 'template1');
  const dataDir = folders.folder();
  const env = { ...onDatabase(database), BASE_URL: 'http://latchkey.test' };
  const service = await serve({ dataDir, env, project });
  const as = (settlement: 'card' | 'partner'): Promise<Partner> =>
    registerWithRelease(
      project,
      { ...env, LATCHKEY_DATA_DIR: dataDir },
      {
        origin: service.origin,
        settlement,
      },
    );
  const partners = { card: await as('card'), partner: await as('partner') };
  const played = await play(partners, homes);
  await service.stop();
  await database.drop();
  return played;
}

const halfHour = (): number => Math.floor(Date.now() / 1_800_000);

suite('responses of the release before', () => {
  test('differ from those of this one only by members that were added', async () => {
    const project = await unpackPreviousRelease(folders.folder());
    const [before, now] = [await homesIn(project), await homesIn(projectRoot)];
    // Homes of the simulation may get other rules, which is no change of the contract.
    const same = new Set([...before.keys()].filter((id) => before.get(id) === now.get(id)));
    assert.ok(same.size > 60, `${same.size} homes are the same`);
    const both = async () => ({
      recorded: await playedBy(project, same),
      replayed: await playedBy(projectRoot, same),
    });
    const began = halfHour();
    let played = await both();
    // Somewhere it was midnight: quotes of another day are other quotes.
    if (halfHour() !== began) played = await both();
    const { recorded, replayed } = played;
    assert.deepEqual(
      replayed.map(({ call, status }) => [call, status]),
      recorded.map(({ call, status }) => [call, status]),
    );
    const differences = recorded.flatMap((one, at) =>
      lost(one, replayed[at]).map((where) => `${one.call} ${one.status} ${where}`),
    );
    assert.deepEqual(differences, []);
    assert.ok(recorded.length > 100, `${recorded.length} responses`);
  });
});
