import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { kindsIn, ruleKinds } from '../../../test/harness/rule-kinds.ts';
import type { CatalogFile } from '../../contract/catalog-file.ts';
import { dayNumber } from '../../pricing/index.ts';
import { generateCatalog } from './generate-catalog.ts';

const textOf = async (listings: number, seed: number): Promise<string> =>
  (await Array.fromAsync(generateCatalog({ listings, seed, from: '2027-01-01' }))).join('');

suite('generated catalogs', () => {
  test('the same input gives the same text, another seed another one', async () => {
    const text = await textOf(30, 1);
    assert.equal(await textOf(30, 1), text);
    assert.notEqual(await textOf(30, 2), text);
  });

  test('60 % of the nights of two years are taken, and no two blocks overlap', async () => {
    const { listings, blocks } = JSON.parse(await textOf(300, 9)) as Required<CatalogFile>;
    const byListing = Map.groupBy(blocks, ({ listing }) => listing);
    let nights = 0;
    let gaps = 0;
    for (const ofHome of byListing.values()) {
      let end = dayNumber('2027-01-01');
      for (const { from, to } of ofHome) {
        assert.ok(dayNumber(from) >= end && dayNumber(to) > dayNumber(from));
        gaps += dayNumber(from) > end ? 1 : 0;
        end = dayNumber(to);
        nights += end - dayNumber(from);
      }
      assert.ok(end <= dayNumber('2027-01-01') + 730);
    }
    const occupancy = nights / listings.length / 730;
    assert.ok(occupancy > 0.57 && occupancy < 0.63, `${occupancy}`);
    assert.ok(gaps > blocks.length / 2, 'most stays have free nights between them');
  });

  test('homes of many places, with currencies of 0, 2 and 3 decimals', async () => {
    const { listings } = JSON.parse(await textOf(300, 4)) as Required<CatalogFile>;
    const decimals = new Set(
      listings.map(
        ({ currency }) =>
          new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
            .maximumFractionDigits,
      ),
    );
    assert.deepEqual([...decimals].toSorted(), [0, 2, 3]);
    assert.ok(new Set(listings.map(({ timeZone }) => timeZone)).size > 10);
    assert.equal(new Set(listings.map(({ slug }) => slug)).size, 300);
  });

  test('rules as operators have them: each kind, and most homes with few of them', async () => {
    const { listings } = JSON.parse(await textOf(600, 4)) as Required<CatalogFile>;
    assert.deepEqual(kindsIn(listings), Object.keys(ruleKinds));
    const many = listings.filter((listing) => kindsIn([listing]).length > 4);
    assert.ok(many.length < listings.length / 10, `${many.length} homes have many kinds`);
  });

  test('a catalog of one home', async () => {
    const file = JSON.parse(await textOf(1, 0)) as Required<CatalogFile>;
    assert.equal(file.listings.length, 1);
    assert.equal(file.catalog.collections?.length, 1);
  });
});
