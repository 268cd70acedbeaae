/** The examples of the guide about taxes are homes that a file may have, with totals that are right. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { readEntry } from '../../src/catalog/file/entries.ts';
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import { dayNumber } from '../../src/pricing/rules/calendar-date.ts';
import { normaliseParty, type PartyInput } from '../../src/pricing/rules/party.ts';
import { priceStay } from '../../src/pricing/rules/price-stay.ts';
import { stayOf } from '../../src/pricing/stay-input.ts';

interface Example {
  listing: Omit<CatalogListing, 'slug' | 'name'>;
  stays: { checkIn: string; checkOut: string; party: PartyInput; total: number }[];
}

const guide = readFileSync(
  new URL('../../docs/operators/taxes-and-rules.md', import.meta.url),
  'utf8',
);
const examples = [...guide.matchAll(/^## \d+\. (.+)$[^]*?```json\n([^]*?)```/gm)].map(
  ([, title, json]) => ({ title: title!, ...(JSON.parse(json!) as Example) }),
);

suite('the guide about taxes', () => {
  test('has ten examples', () => assert.equal(examples.length, 10));

  for (const { title, listing, stays } of examples) {
    test(title, () => {
      const written = { slug: 'home', name: 'Home', ...listing };
      const { entry, problems } = readEntry('listings', written);
      assert.deepEqual(problems, []);
      const home = { ...entry!, listingId: '', collectionId: null };
      const options = { today: dayNumber('2026-12-01'), adjustmentPercent: 0 };
      for (const { party, total, ...dates } of stays) {
        const charges = priceStay(home, stayOf(dates), normaliseParty(party), options);
        assert.equal(charges?.total, total, dates.checkIn);
      }
    });
  }
});
