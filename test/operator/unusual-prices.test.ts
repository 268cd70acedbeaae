/** Unusual prices are listed before they are set (FILE-13). */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import { dateText, todayAt } from '../../src/pricing/index.ts';
import { plusDays } from '../harness/catalog.ts';
import { operatorOf, type Operator } from '../harness/operator.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';

const today = dateText(todayAt(Date.now(), 'Europe/Lisbon'));
const from = plusDays(today, 40);
const to = plusDays(today, 41);

const cottage: CatalogListing = {
  slug: 'cottage',
  name: 'Cottage',
  timeZone: 'Europe/Lisbon',
  currency: 'EUR',
  rates: { nightly: 18_000 },
};

const unusual = [{ listing: 'cottage', currency: 'EUR', from, to, before: 18_000, after: 180 }];

suite('unusual prices', () => {
  let service: TestService;
  let staff: Operator;
  before(async () => {
    service = await startTestService(ownHomes);
    staff = await operatorOf(service);
    const body = {
      file: JSON.stringify({
        format: 'latchkey-catalog/1',
        catalog: { slug: 'homes', name: 'Homes', discovery: 'brand' },
        listings: [cottage],
      }),
    };
    const { warnings } = await staff.done('operator.catalog.import', { body });
    assert.deepEqual(
      warnings.filter((text) => text.includes('a fifth')),
      [],
      'a new home is exempt',
    );
  });
  after(() => service.stop());

  const detail = () => staff.done('operator.listing.get', { params: { listing: 'cottage' } });
  const assertRefused = (refused: { code: string; message: string; details?: unknown }) => {
    assert.equal(refused.code, 'conflict');
    assert.match(refused.message, /^2 nights would cost less than a fifth or more than five times/);
    assert.match(refused.message, /EUR 180\.00 → EUR 1\.80/);
    assert.deepEqual(refused.details, {
      reason: 'unusual_prices',
      unusual: { nights: 2, first: unusual },
    });
  };
  const restore = async () => {
    const { version } = await detail();
    await staff.done('operator.listing.change', {
      params: { listing: 'cottage' },
      body: { version, listing: cottage, allowUnusual: true },
    });
  };

  test('409 conflict › rates of dates are set only when they are allowed', async () => {
    const body = { listings: ['cottage'], from, to, nightly: 180 };
    const { version } = await detail();
    assertRefused(await staff.refused('operator.rate.set', { body }));
    assert.equal((await detail()).version, version, 'nothing has changed');
    const allowed = { ...body, allowUnusual: true };
    assert.equal((await staff.done('operator.rate.set', { body: allowed })).changed, 1);
    // Back is a hundred times of now.
    const back = { ...body, nightly: null };
    assert.equal((await staff.refused('operator.rate.set', { body: back })).code, 'conflict');
    await restore();
  });

  test('409 conflict › a spreadsheet in the wrong unit changes nothing, and its preview lists the nights', async () => {
    const file = `listing,from,to,nightly\ncottage,${from},${to},180\n`;
    const dry = await staff.done('operator.rate.import', { body: { file, dryRun: true } });
    assert.deepEqual(dry.unusual, { nights: 2, first: unusual });
    const { version } = await detail();
    assertRefused(await staff.refused('operator.rate.import', { body: { file } }));
    assert.equal((await detail()).version, version, 'nothing has changed');
    const done = await staff.done('operator.rate.import', { body: { file, allowUnusual: true } });
    assert.deepEqual([done.added, done.unusual.nights], [1, 2]);
    await restore();
  });

  test('409 conflict › the form of a home is saved only when its prices are allowed', async () => {
    const { version } = await detail();
    const listing = {
      ...cottage,
      name: 'Cottage by the weir',
      rates: { nightly: 18_000, dates: [{ from, to, nightly: 180 }] },
    };
    const change = { params: { listing: 'cottage' }, body: { version, listing } };
    assertRefused(await staff.refused('operator.listing.change', change));
    assert.equal((await detail()).listing.name, 'Cottage', 'nothing has changed');
    const allowed = { ...change, body: { ...change.body, allowUnusual: true } };
    const saved = await staff.done('operator.listing.change', allowed);
    assert.equal(saved.listing.name, 'Cottage by the weir');
    // The nights cost this already, so another change of the home needs no word.
    const renamed = { version: saved.version, listing: { ...listing, name: 'Cottage' } };
    await staff.done('operator.listing.change', { params: change.params, body: renamed });
    await restore();
  });

  test('a catalog file with unusual prices is imported with a warning', async () => {
    const body = {
      file: JSON.stringify({
        format: 'latchkey-catalog/1',
        catalog: { slug: 'homes', name: 'Homes', discovery: 'brand' },
        listings: [{ ...cottage, rates: { nightly: 18_000, dates: [{ from, to, nightly: 180 }] } }],
      }),
    };
    const dry = await staff.done('operator.catalog.import', { body: { ...body, dryRun: true } });
    const { warnings, changes } = await staff.done('operator.catalog.import', { body });
    assert.deepEqual(dry.warnings, warnings);
    assert.deepEqual(warnings.slice(-2), [
      '2 nights would cost less than a fifth or more than five times of now:',
      `cottage ${from} to ${to}: EUR 180.00 → EUR 1.80`,
    ]);
    assert.equal(changes.listings.changed, 1);
    assert.equal(changes.listings.entries[0]!.currency, 'EUR');
    await restore();
  });
});
