import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Catalog } from '../catalog/index.ts';
import type { Availability } from './availability.ts';
import { followIfOld, knownUntil } from './freshness.ts';
import { createLiveReads } from './live-reads.ts';

const now = 1_000_000_000_000;

/** Something that this process last followed at a time; `following`: what happens when it follows now. */
function lastFollowed(at: number, following: () => Promise<number>) {
  let known = at;
  const follow = async (): Promise<void> => {
    known = await following();
  };
  return {
    knownUntil: () => known,
    follow,
    followSoon: () => follow().then(() => true),
  };
}

const never = (): Promise<number> => assert.fail('it is recent enough');

type Followed = ReturnType<typeof lastFollowed>;
const known = (catalog: Followed, availability: Followed) => ({
  catalog: catalog as Followed & Catalog,
  availability: availability as Followed & Availability,
});

const decide = (
  context: ReturnType<typeof known>,
  atMostSeconds = 60,
  deadlineMs = 1_000,
  isCurrent = true,
) =>
  followIfOld(
    {
      ...context,
      liveReads: createLiveReads(1, deadlineMs),
      now: () => now,
      isCurrent: () => isCurrent,
    },
    atMostSeconds,
  );

suite('the age of a live read', () => {
  const recent = () => lastFollowed(now, async () => now);

  test('catalog and nights within the limit are used as they are', async () => {
    const each = (ms: number) => lastFollowed(now - ms, never);
    assert.equal(await decide(known(each(60_000), each(60_000))), null);
    assert.equal(await decide(known(each(120_000), each(120_000)), 120), null);
  });

  test('the older of the two counts', () => {
    assert.equal(knownUntil(known(lastFollowed(7, never), lastFollowed(5, never))), 5);
    assert.equal(knownUntil(known(lastFollowed(5, never), lastFollowed(Infinity, never))), 5);
  });

  test('an older catalog is followed first', async () => {
    const catalog = lastFollowed(now - 60_001, async () => now - 5);
    assert.equal(await decide(known(catalog, recent())), null);
    assert.equal(catalog.knownUntil(), now - 5);
  });

  // Spec: COPY-2.
  test('what the feed may have published is followed first, however recent the rest is', async () => {
    const [catalog, nights] = [1, 2].map((later) => lastFollowed(now, async () => now + later));
    assert.equal(await decide(known(catalog!, nights!), 60, 1_000, false), null);
    assert.deepEqual([catalog!.knownUntil(), nights!.knownUntil()], [now + 1, now + 2]);
  });

  // Spec: SEARCH-11.
  test('older nights are followed first', async () => {
    const nights = lastFollowed(now - 60_001, async () => now - 5);
    assert.equal(await decide(known(recent(), nights)), null);
    assert.equal(nights.knownUntil(), now - 5);
  });

  test('a wrong clock of the process refuses nothing', async () => {
    const catalog = lastFollowed(now - 90_000, async () => now - 61_000);
    assert.equal(await decide(known(catalog, recent())), null);
  });

  test('following takes too long: unavailable', async () => {
    const stuck = lastFollowed(now - 90_000, () => new Promise<number>(() => undefined));
    for (const context of [known(stuck, recent()), known(recent(), stuck)]) {
      const refused = await decide(context, 60, 20);
      assert.equal(refused?.refused, 'unavailable');
    }
  });
});
