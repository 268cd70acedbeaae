import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { SearchListings } from '../../../src/contract/partner/schemas/search.ts';
import { simulationDefinitionVersion } from '../../../src/contract/wire.ts';
import {
  changeHome,
  easyStays,
  freeNights,
  homesOf,
  plainPrices,
  plainRates,
  sql,
} from '../../harness/catalog.ts';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

let service: TestService;
let partner: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
});
after(() => service.stop());

const stay = { checkIn: daysAhead(40), checkOut: daysAhead(43), party: { adults: 2 } };

const search = (body: Partial<SearchListings> = {}, who = partner) =>
  who.succeed('distribution.listing.search', { body: { ...stay, ...body } });

/** The results of all pages, each of the next size. */
async function walk(body: Partial<SearchListings>, sizes: readonly number[]) {
  const pages = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const limit: number = sizes[pages.length % sizes.length]!;
    const page = await search({ ...body, limit, ...(cursor !== undefined && { cursor }) });
    assert.ok(page.items.length === limit || page.nextCursor === null);
    pages.push(page.items);
    cursor = page.nextCursor;
  }
  return pages.flat();
}

async function invalidPaths(body: object): Promise<string[]> {
  const error = await partner.refused('distribution.listing.search', {
    rawBody: JSON.stringify(body),
  });
  assert.equal(error.code, 'invalid_input');
  assert.equal(error.status, 400);
  return wrongPaths(error).toSorted();
}

suite('distribution.listing.search', () => {
  test('200 › items › the listing as in its own read, its total and its currency', async () => {
    const { items } = await search({ limit: 50 });
    assert.ok(items.length >= 10, 'about half of the homes are free');
    const homes = await homesOf(service);
    for (const { listing, total, currency } of items) {
      const params = { listingId: listing.listingId };
      assert.deepEqual(await partner.succeed('distribution.listing.get', { params }), listing);
      assert.ok(Number.isSafeInteger(total) && total! > 0);
      const home = homes.find(({ listingId }) => listingId === listing.listingId);
      assert.equal(currency, home?.currency);
    }
  });

  test('200 › meta › complete, simulated, read now', async () => {
    const { meta } = await search();
    assert.equal(meta.completeness, 'complete');
    assert.equal(meta.definitionVersion, simulationDefinitionVersion);
    assert.ok(Math.abs(Date.now() - Date.parse(meta.asOf ?? '')) < 5_000);
  });

  test('200 › Cache-Control › no-store', async () => {
    const { headers } = await partner.call('distribution.listing.search', { body: stay });
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  test('200 › paging › without a gap or a repeat, by pages of any size, in the order of the list', async () => {
    const whole = await walk({}, [50]);
    const ids = whole.map(({ listing }) => listing.listingId);
    assert.equal(new Set(ids).size, ids.length);
    const order = (await homesOf(service)).map(({ listingId }) => listingId);
    assert.deepEqual(
      ids,
      order.filter((id) => ids.includes(id)),
    );
    for (const sizes of [[1], [4], [7, 2, 50]]) assert.deepEqual(await walk({}, sizes), whole);
  });

  test('200 › limit › 20 by default', async () => {
    const free = await walk({}, [50]);
    assert.ok(free.length > 20);
    assert.equal((await search()).items.length, 20);
  });

  test('200 › collectionId › only results in it', async () => {
    const whole = await walk({}, [50]);
    const { collections } = await partner.succeed('distribution.site.get');
    for (const { collectionId } of collections) {
      const expected = whole.filter(({ listing }) => listing.collectionId === collectionId);
      assert.deepEqual(await walk({ collectionId }, [50]), expected);
      assert.deepEqual(await walk({ collectionId: collectionId.toUpperCase() }, [3]), expected);
    }
  });

  test('200 › no result › empty items', async () => {
    for (const none of [{ collectionId: randomUUID() }, { party: { adults: 2, pets: 99 } }]) {
      const page = await search(none);
      assert.deepEqual(page.items, []);
      assert.equal(page.nextCursor, null);
      assert.equal(page.meta.completeness, 'complete');
    }
  });

  // Spec: PARTY-2.
  test('200 › party › children count to sleeps, infants do not', async () => {
    const [first] = await homesOf(service);
    const home = await changeHome(service, partner, first!, {
      sleeps: 4,
      stayRules: easyStays,
      ...plainPrices,
      party: { children: true, infants: true, maxPets: 1 },
    });
    const { checkIn, checkOut } = await freeNights(partner, home.listingId, 2, daysAhead(10));
    const isFound = async (party: SearchListings['party']) => {
      const results = await walk({ checkIn, checkOut, party }, [50]);
      return results.some(({ listing }) => listing.listingId === home.listingId);
    };
    const parties: [SearchListings['party'], boolean][] = [
      [{ adults: 4 }, true],
      [{ adults: 5 }, false],
      [{ adults: 2, children: 2 }, true],
      [{ adults: 2, children: 3 }, false],
      [{ adults: 4, infants: 5 }, true],
      [{ adults: 4, infants: 5, children: 1 }, false],
      [{ adults: 4, pets: 1 }, true],
      [{ adults: 4, pets: 2 }, false],
    ];
    for (const [party, expected] of parties) {
      assert.equal(await isFound(party), expected, JSON.stringify(party));
    }
  });

  // Spec: SEARCH-2.
  test('200 › total › null if a night has no price', async () => {
    const [, second] = await homesOf(service);
    const { nightly: _, ...rates } = plainRates;
    const home = await changeHome(service, partner, second!, {
      sleeps: null,
      stayRules: easyStays,
      ...plainPrices,
      rates,
    });
    const { checkIn, checkOut } = await freeNights(partner, home.listingId, 2, daysAhead(10));
    const results = await walk({ checkIn, checkOut }, [50]);
    const result = results.find(({ listing }) => listing.listingId === home.listingId);
    assert.equal(result?.total, null);
    assert.equal(result?.currency, null);
  });
});

suite('distribution.listing.search › 400 invalid_input', () => {
  const wrong: [why: string, change: object, paths: string[]][] = [
    ['no checkIn', { checkIn: undefined }, ['/checkIn']],
    [
      'nothing at all',
      { checkIn: undefined, checkOut: undefined, party: undefined },
      ['/checkIn', '/checkOut', '/party'],
    ],
    ['an impossible date', { checkIn: '2027-02-30' }, ['/checkIn']],
    ['an impossible month', { checkOut: '2027-13-01' }, ['/checkOut']],
    ['a date with a time', { checkIn: `${stay.checkIn}T00:00:00Z` }, ['/checkIn']],
    ['a past checkIn', { checkIn: daysAhead(-2), checkOut: daysAhead(1) }, ['/checkIn']],
    [
      'a checkIn beyond the horizon',
      { checkIn: daysAhead(732), checkOut: daysAhead(733) },
      ['/checkIn'],
    ],
    ['91 nights', { checkOut: daysAhead(40 + 91) }, ['/checkOut']],
    ['no night', { checkOut: stay.checkIn }, ['/checkOut']],
    ['checkOut before checkIn', { checkOut: daysAhead(39) }, ['/checkOut']],
    [
      'past and too long',
      { checkIn: daysAhead(-2), checkOut: daysAhead(90) },
      ['/checkIn', '/checkOut'],
    ],
    ['all of time', { checkIn: '0000-01-01', checkOut: '9999-12-31' }, ['/checkIn', '/checkOut']],
    ['limit 0', { limit: 0 }, ['/limit']],
    ['limit 51', { limit: 51 }, ['/limit']],
    ['limit as text', { limit: '20' }, ['/limit']],
    ['an empty limit', { limit: '' }, ['/limit']],
    ['a cursor of blanks', { cursor: ' ' }, ['/cursor']],
    ['consent that is not a value of it', { consent: 'granted' }, ['/consent']],
    ['journeyId that is no UUID', { journeyId: 'a-journey' }, ['/journeyId']],
    ['collectionId null', { collectionId: null }, ['/collectionId']],
    ['a member that is not known', { checkin: stay.checkIn }, ['/checkin']],
    ['no adults', { party: {} }, ['/party/adults']],
    ['adults 0', { party: { adults: 0 } }, ['/party/adults']],
    ['adults 100', { party: { adults: 100 } }, ['/party/adults']],
    ['adults 1.5', { party: { adults: 1.5 } }, ['/party/adults']],
    ['adults as text', { party: { adults: '2' } }, ['/party/adults']],
    [
      'every other guest out of bounds',
      { party: { adults: 1, children: -1, infants: 100, pets: null } },
      ['/party/children', '/party/infants', '/party/pets'],
    ],
    ['a guest of a kind that is not known', { party: { adults: 1, dogs: 1 } }, ['/party/dogs']],
  ];
  for (const [why, change, paths] of wrong) {
    test(why, async () => {
      assert.deepEqual(await invalidPaths({ ...stay, ...change }), paths);
    });
  }

  test('an empty cursor counts as absent', async () => {
    const { items, nextCursor } = await search({ limit: 2 });
    const same = await search({ limit: 2, cursor: '' });
    assert.deepEqual(same.items, items);
    assert.deepEqual(
      (await search({ limit: 2, cursor: same.nextCursor! })).items,
      (await search({ limit: 2, cursor: nextCursor! })).items,
    );
  });

  test('a party of 99 of each is no error', async () => {
    const party = { adults: 99, children: 99, infants: 99, pets: 99 };
    assert.deepEqual((await search({ party })).items, []);
  });

  test('a stay of 90 nights is no error', async () => {
    await search({ checkOut: daysAhead(40 + 90) });
  });
});

suite('distribution.listing.search › cursor', () => {
  const refusedWith = async (body: Partial<SearchListings>, who = partner) => {
    const error = await who.refused('distribution.listing.search', { body: { ...stay, ...body } });
    assert.equal(error.code, 'invalid_input');
    assert.deepEqual(wrongPaths(error), ['/cursor']);
  };
  const firstCursor = async () => (await search({ limit: 2 })).nextCursor ?? '';

  test('200 › is not bound to limit, consent, journey or the spelling of the party', async () => {
    const cursor = await firstCursor();
    const expected = (await walk({}, [50])).slice(2, 7);
    const party = { pets: 0, infants: 0, children: 0, adults: 2 };
    const page = await search({
      cursor,
      party,
      limit: 5,
      consent: 'not_required',
      journeyId: randomUUID(),
    });
    assert.deepEqual(page.items, expected);
  });

  test('400 › with other dates, party or collection', async () => {
    const cursor = await firstCursor();
    const { collections } = await partner.succeed('distribution.site.get');
    for (const other of [
      { checkIn: daysAhead(41) },
      { checkOut: daysAhead(44) },
      { party: { adults: 3 } },
      { party: { adults: 2, infants: 1 } },
      { collectionId: collections[0]!.collectionId },
    ]) {
      await refusedWith({ ...other, cursor });
    }
  });

  test('400 › of another application, of the listing list, changed', async () => {
    const cursor = await firstCursor();
    await refusedWith({ cursor }, await service.partner());
    const list = await partner.succeed('distribution.listing.list', { query: { limit: 2 } });
    await refusedWith({ cursor: list.nextCursor ?? '' });
    await refusedWith({ cursor: `${cursor.startsWith('A') ? 'B' : 'A'}${cursor.slice(1)}` });
    await refusedWith({ cursor: 'AAAA' });
  });
});

suite('distribution.listing.search › searchObservationId', () => {
  const observations = () =>
    sql(service, 'SELECT * FROM search_observations WHERE application_id = $1', [
      partner.credentials.applicationId,
    ]);

  // Spec: SEARCH-10.
  test('null and not recorded without consent or if it is denied', async () => {
    const earlier = await observations();
    const journeyId = randomUUID();
    for (const consent of [{}, { consent: 'denied' as const }]) {
      const { searchObservationId } = await search({ ...consent, journeyId });
      assert.equal(searchObservationId, null);
    }
    assert.deepEqual(await observations(), earlier);
  });

  test('names the recorded search if consent is not_required', async () => {
    const journeyId = randomUUID();
    const body = { consent: 'not_required' as const, journeyId: journeyId.toUpperCase() };
    const { items, searchObservationId } = await search(body);
    const [row] = await sql(
      service,
      `SELECT application_id, journey_id, check_in, check_out, party, collection_id, results
        FROM search_observations WHERE observation_id = $1`,
      [searchObservationId],
    );
    assert.deepEqual(row, {
      application_id: partner.credentials.applicationId,
      journey_id: journeyId,
      check_in: stay.checkIn,
      check_out: stay.checkOut,
      party: { adults: 2, children: 0, infants: 0, pets: 0 },
      collection_id: null,
      results: items.length,
    });
  });
});
