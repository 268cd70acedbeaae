/** Homes as their operators describe them, with sums that a person has worked out: see `arithmetic` of each stay. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { readEntry } from '../../src/catalog/file/entries.ts';
import type { CatalogBlock, CatalogListing } from '../../src/contract/catalog-file.ts';
import { dateText, dayNumber, todayAt } from '../../src/pricing/rules/calendar-date.ts';
import { cancellationInstants } from '../../src/pricing/rules/cancellation.ts';
import type { Charges } from '../../src/pricing/rules/charges.ts';
import type { Listing, Party } from '../../src/pricing/rules/listing.ts';
import { partyRefusal } from '../../src/pricing/rules/party.ts';
import { priceStay } from '../../src/pricing/rules/price-stay.ts';
import { fillsGapExactly, stayRuleRefusal } from '../../src/pricing/rules/stay.ts';
import { stayOf } from '../../src/pricing/stay-input.ts';

interface WorkedStay {
  checkIn: string;
  checkOut: string;
  party: Party;
  quotedAt?: string;
  total?: number;
  refused?: string;
  lines?: Partial<Charges['lines'][number]>[];
  includedTaxes?: { label: string; amount: number }[];
  schedule?: { dueOn: string; amount: number; at?: string }[];
  refund?: { at: string; amount: number }[];
  arithmetic: string;
}

interface WorkedHome {
  name: string;
  listing: CatalogListing;
  blocks?: CatalogBlock[];
  stays: WorkedStay[];
}

const homes = JSON.parse(
  readFileSync(new URL('../fixtures/operators-prices.json', import.meta.url), 'utf8'),
) as WorkedHome[];

const usualMoment = '2026-12-01T12:00:00Z';

const sameMembers = (expected: object, actual: object | undefined): void =>
  assert.deepEqual({ ...actual, ...expected }, actual);

const refundAt = (instants: { before: string; refundAmount: number }[], at: string): number =>
  instants.find(({ before }) => Date.parse(at) < Date.parse(before))?.refundAmount ?? 0;

const isBlocked = (blocks: readonly CatalogBlock[], night: number): boolean =>
  blocks.some(({ from, to }) => from <= dateText(night) && dateText(night) < to);

function check(listing: Listing, blocks: readonly CatalogBlock[], worked: WorkedStay): void {
  const { party, quotedAt = usualMoment } = worked;
  const now = Date.parse(quotedAt);
  const stay = stayOf(worked);
  const fillsGap = () =>
    fillsGapExactly(stay, listing.stayRules, (night) => isBlocked(blocks, night));
  const refused = partyRefusal(listing, party) ?? stayRuleRefusal(listing, stay, now, fillsGap);
  assert.equal(refused, worked.refused ?? null);
  if (worked.refused) return;
  const today = todayAt(now, listing.timeZone);
  const charges = priceStay(listing, stay, party, { today, adjustmentPercent: 0 })!;
  assert.equal(charges.total, worked.total);
  if (worked.lines) {
    assert.equal(charges.lines.length, worked.lines.length);
    worked.lines.forEach((line, at) => sameMembers(line, charges.lines[at]));
  }
  worked.includedTaxes?.forEach((tax, at) => sameMembers(tax, charges.includedTaxes![at]));
  if (worked.schedule) {
    const schedule = worked.schedule.map(({ dueOn, ...payment }) => ({
      ...payment,
      dueOn: dueOn === 'booking' ? dateText(today) : dueOn,
    }));
    assert.deepEqual(charges.schedule, schedule);
  }
  const instants = cancellationInstants(listing, stay, charges, { from: now, quotedAt: now });
  for (const { at, amount } of worked.refund ?? [])
    assert.equal(refundAt(instants, at), amount, at);
}

// The homes prove these rules:
// Spec: TAX-1. Extra guests from the third on.
// Spec: TAX-2. Paris, a tax on a tax; a service fee that is taxed.
// Spec: TAX-3. Paris and Kyoto.
// Spec: TAX-4. Balearic Islands, a quarter in winter; early bird and last minute.
// Spec: TAX-5. Berlin, the first 21 nights; Balearic Islands, from the ninth night.
// Spec: TAX-6. North Sea resort and Balearic Islands.
// Spec: TAX-7, TAX-9. Prices that contain VAT, with percent and base.
// Spec: TAX-8, SCHEDULE-4. Paris, paid at the property.
// Spec: SCHEDULE-3. A fixed deposit, the first night, three instalments.
// Spec: PRICE-8. Dinars.
suite('prices of operators', () => {
  for (const { name, listing: written, blocks = [], stays } of homes) {
    for (const [at, stay] of stays.entries()) {
      test(`prices of operators › ${name} › ${at + 1}: ${stay.arithmetic}`, () => {
        const { entry, problems } = readEntry('listings', written);
        assert.deepEqual(problems, []);
        const home = { ...entry!, listingId: '', collectionId: null };
        check(home, blocks, stay);
        assert.ok(dayNumber(stay.checkIn) < dayNumber(stay.checkOut));
      });
    }
  }
});
