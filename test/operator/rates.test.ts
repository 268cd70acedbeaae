/** Prices and rules over nights of many homes: seen before, changed as one, undone as one. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import type { OperatorBodyOf } from '../../src/contract/operator/operations.ts';
import { dateText, todayAt } from '../../src/pricing/index.ts';
import { plusDays } from '../harness/catalog.ts';
import { operatorOf, type Operator } from '../harness/operator.ts';
import { sql } from '../harness/rows.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import { wrongPaths } from '../harness/wrong-paths.ts';

const today = dateText(todayAt(Date.now(), 'Europe/Lisbon'));
const from = plusDays(today, 40);
const to = plusDays(today, 46);

const home = (slug: string, nightly: number | undefined, currency = 'EUR'): CatalogListing => ({
  slug,
  name: `The ${slug}`,
  timeZone: 'Europe/Lisbon',
  currency,
  rates: { ...(nightly !== undefined && { nightly }) },
});

type Body = OperatorBodyOf<'operator.rate.set'>;

suite('operator.rate.set', () => {
  let service: TestService;
  let staff: Operator;
  before(async () => {
    service = await startTestService(ownHomes);
    staff = await operatorOf(service);
    const listings = [
      home('weir', 18_001),
      home('mill', 20_000),
      home('loft', 30_000, 'USD'),
      home('barn', undefined),
    ];
    await staff.done('operator.catalog.import', {
      body: {
        file: JSON.stringify({
          format: 'latchkey-catalog/1',
          catalog: { slug: 'homes', name: 'Homes', discovery: 'brand' },
          listings,
        }),
      },
    });
  });
  after(() => service.stop());

  const both = ['mill', 'weir'];
  const bodyOf = (more: Partial<Body>): Body => ({ listings: both, from, to, ...more });
  const look = (more: Partial<Body>) =>
    staff.done('operator.rate.previewSet', { body: bodyOf(more) });
  const set = (more: Partial<Body>) => staff.done('operator.rate.set', { body: bodyOf(more) });
  const refusedSet = (more: Partial<Body>) =>
    staff.refused('operator.rate.set', { body: bodyOf(more) });
  const detail = (listing: string) => staff.done('operator.listing.get', { params: { listing } });
  const prices = async (slug: string) => {
    const query = { from, days: 7, text: slug };
    const { homes } = await staff.done('operator.calendar.read', { query });
    return homes.find((each) => each.slug === slug)!.prices;
  };
  const undo = (changeId: string | null) =>
    staff.done('operator.rate.undo', { params: { rateChangeId: changeId! }, body: {} });

  // Spec: OPERATOR-19.
  test('a percentage is shown before and after, set as it was shown, and undone at all homes', async () => {
    await set({
      listings: ['mill'],
      from: plusDays(from, 2),
      to: plusDays(from, 2),
      nightly: 25_000,
    });
    const datesOf = async (slug: string) => (await detail(slug)).listing.rates?.dates;
    const earlier = [await datesOf('mill'), await datesOf('weir')];
    const shown = await look({ changePercent: 12 });
    assert.deepEqual(
      [shown.dryRun, shown.changeId, shown.changed, shown.nights, shown.notPriced],
      [true, null, 2, 14, 0],
    );
    assert.deepEqual(shown.sums, [
      { currency: 'EUR', nights: 14, before: 271_007, after: 303_527 },
    ]);
    assert.deepEqual(
      shown.changes.map((each) => [
        each.name,
        each.from,
        each.to,
        each.before.nightly,
        each.after.nightly,
      ]),
      [
        ['The mill', from, plusDays(from, 1), 20_000, 22_400],
        ['The mill', plusDays(from, 2), plusDays(from, 2), 25_000, 28_000],
        ['The mill', plusDays(from, 3), to, 20_000, 22_400],
        ['The weir', from, to, 18_001, 20_161],
      ],
    );
    assert.deepEqual(
      await prices('mill'),
      [20_000, 20_000, 25_000, 20_000, 20_000, 20_000, 20_000],
    );
    const done = await set({ changePercent: 12, expectedVersion: shown.version });
    assert.deepEqual(done, { ...shown, dryRun: false, changeId: done.changeId });
    assert.deepEqual(
      await prices('weir'),
      Array.from({ length: 7 }, () => 20_161),
    );
    assert.deepEqual(await undo(done.changeId), { changed: 2 });
    assert.deepEqual([await datesOf('mill'), await datesOf('weir')], earlier);
    const again = await staff.refused('operator.rate.undo', {
      params: { rateChangeId: done.changeId! },
      body: {},
    });
    assert.equal(again.status, 404);
  });

  test('412 precondition_failed › the rates of one of the homes were changed since the preview', async () => {
    const { version } = await look({ changePercent: 10 });
    await set({ listings: ['weir'], nightly: 19_000 });
    const refused = await refusedSet({ changePercent: 10, expectedVersion: version });
    assert.deepEqual([refused.status, refused.code], [412, 'precondition_failed']);
    assert.equal((await prices('mill'))[0], 20_000);
    await set({ nightly: null });
  });

  test('409 conflict › nothing is undone when one of the homes was changed since', async () => {
    const { changeId } = await set({ nightly: 21_000 });
    await set({ listings: ['weir'], from: to, nightly: 22_000 });
    const refused = await staff.refused('operator.rate.undo', {
      params: { rateChangeId: changeId! },
      body: {},
    });
    assert.equal(refused.status, 409);
    assert.match(refused.message, /^Rates were changed since at weir\. Nothing was undone\.$/);
    assert.equal((await prices('mill'))[0], 21_000);
    await set({ nightly: null });
  });

  test('only chosen weekdays change; amounts are added and rounded', async () => {
    const shown = await look({ weekdays: ['fri', 'sat'], changeAmount: 1_333, roundTo: 500 });
    assert.equal(shown.nights, 4);
    assert.deepEqual(
      shown.changes.map(({ listing, before: { nightly: old }, after: { nightly } }) => [
        listing,
        old,
        nightly,
      ]),
      [
        ['mill', 20_000, 21_500],
        ['weir', 18_001, 19_500],
      ].flatMap((each) =>
        // The two nights follow each other unless the week of the test begins with Saturday.
        shown.changes.length === 4 ? [each, each] : [each],
      ),
    );
  });

  test('rules of many homes are set and removed, and named in the preview', async () => {
    const rules = { minNights: 5, minNightsThrough: 5, arrivalDays: ['sat'] as const };
    const { changes, sums } = await look({ ...rules, arrivalDays: ['sat'] });
    assert.deepEqual(
      changes.map(({ listing, before: old, after: next }) => [
        listing,
        old.minNights,
        next.minNights,
        old.minNightsThrough,
        next.minNightsThrough,
        next.arrivalDays,
      ]),
      ['mill', 'weir'].map((slug) => [slug, 1, 5, null, 5, ['sat']]),
    );
    assert.deepEqual(sums, [{ currency: 'EUR', nights: 14, before: 266_007, after: 266_007 }]);
    const { changeId } = await set({ ...rules, arrivalDays: ['sat'] });
    const wrong = await refusedSet({ maxNights: 3 });
    assert.equal(wrong.status, 400);
    const { fields } = wrong.details as { fields: { path: string; message: string }[] };
    assert.equal(fields.length, 14);
    assert.deepEqual(fields[0], {
      path: '/maxNights',
      message: `at mill, ${from}: allows no stay: at least 5 nights, at most 3`,
    });
    await undo(changeId);
  });

  test('nights without a price are counted, not changed', async () => {
    const shown = await look({ listings: ['barn', 'mill'], changePercent: 10 });
    assert.deepEqual([shown.changed, shown.notPriced], [1, 7]);
  });

  test('400 invalid_input › two prices, amounts for several currencies, no such night, a price below nothing', async () => {
    const faults = async (more: Partial<Body>) => wrongPaths(await refusedSet(more))[0];
    assert.equal(await faults({ nightly: 1, changePercent: 5 }), '/changePercent');
    assert.equal(await faults({ listings: ['mill', 'loft'], changeAmount: 100 }), '/changeAmount');
    assert.equal(
      await faults({ from, to: from, weekdays: otherDays(from), nightly: 1 }),
      '/weekdays',
    );
    assert.equal(await faults({ changeAmount: -19_000 }), '/changeAmount');
    assert.equal(await faults({ from: '1900-01-01', to: '8999-12-31', nightly: 1 }), '/to');
    assert.equal(await faults({}), '');
    const shown = await look({ listings: ['mill', 'loft'], changePercent: 10 });
    assert.deepEqual(
      shown.sums.map(({ currency }) => currency),
      ['USD', 'EUR'],
    );
  });

  test('the preview lists unusual prices, and the change is refused until they are allowed', async () => {
    const { unusual, version } = await look({ nightly: 200 });
    assert.equal(unusual.nights, 14);
    const change = { nightly: 200, expectedVersion: version };
    assert.equal((await refusedSet(change)).code, 'conflict');
    const { changeId } = await set({ ...change, allowUnusual: true });
    await undo(changeId);
    const [{ count } = { count: -1 }] = await sql<{ count: number }>(
      service.database,
      'SELECT count(*)::integer AS count FROM rate_undos WHERE change_id = $1',
      [changeId],
    );
    assert.equal(count, 0);
  });
});

/** All weekdays but that of a date. */
function otherDays(date: string) {
  const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
  return names.filter((_, at) => at !== new Date(`${date}T00:00:00Z`).getUTCDay());
}
