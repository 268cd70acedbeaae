/** Prices calculated manually: `prices.json` has the arithmetic of each, line by line. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { completeListing, readEntry } from '../../src/catalog/file/entries.ts';
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import { dayNumber } from '../../src/pricing/rules/calendar-date.ts';
import type { Charges } from '../../src/pricing/rules/charges.ts';
import { normaliseParty, type PartyInput } from '../../src/pricing/rules/party.ts';
import { priceStay } from '../../src/pricing/rules/price-stay.ts';
import type { Promotion } from '../../src/pricing/rules/promotion.ts';
import { unlimited } from '../harness/unlimited-promotion.ts';

interface WorkedPrice {
  name: string;
  /** Members of a home in the catalog file. */
  listing: Pick<CatalogListing, 'currency' | 'rates' | 'fees' | 'taxes' | 'payment'>;
  checkIn: string;
  checkOut: string;
  party: PartyInput;
  today: string;
  adjustmentPercent?: number;
  promotion?:
    | { label: string; percent: number }
    | { label: string; amount: number; currency: string };
  working: string[];
  /** null: there is no price. */
  expected: Charges | null;
}

const worked = JSON.parse(
  readFileSync(new URL('./prices.json', import.meta.url), 'utf8'),
) as WorkedPrice[];

const always = { code: 'CODE', ...unlimited };

function promotionOf({ promotion }: WorkedPrice): Promotion | null {
  if (!promotion) return null;
  return 'percent' in promotion
    ? { ...always, kind: 'percent', label: promotion.label, percent: promotion.percent }
    : {
        ...always,
        kind: 'amount',
        label: promotion.label,
        off: promotion.amount,
        currency: promotion.currency,
      };
}

/** Charges without what is told besides the amounts of lines. */
function withoutPercentages({ includedTaxes, ...charges }: Charges): Charges {
  assert.deepEqual(includedTaxes, []);
  return { ...charges, lines: charges.lines.map(({ percent: _, base: __, ...line }) => line) };
}

suite('prices calculated manually', () => {
  test('are 40, and homes that a catalog file may have', () => {
    assert.equal(worked.length, 40);
    assert.equal(new Set(worked.map(({ name }) => name)).size, 40);
    const listings = worked.map(({ listing }, at) => ({
      ...listing,
      slug: `home-${at}`,
      name: 'Home',
    }));
    const problems = listings.flatMap((listing) => readEntry('listings', listing).problems);
    assert.deepEqual(problems, []);
  });

  for (const price of worked) {
    test(price.name, () => {
      const { rates, ...rest } = price.listing;
      const listing = completeListing({ slug: 'home', name: 'Home', rates, ...rest });
      const stay = { checkIn: dayNumber(price.checkIn), checkOut: dayNumber(price.checkOut) };
      const charges = priceStay(listing, stay, normaliseParty(price.party), {
        today: dayNumber(price.today),
        promotion: promotionOf(price),
        adjustmentPercent: price.adjustmentPercent ?? 0,
      });
      const amounts = charges && withoutPercentages(charges);
      assert.deepEqual(amounts, price.expected, price.working.join('\n'));
    });
  }
});
