/** What rules cost: the price of a stay at a home with every kind of rule, against a home with none. */
import { completeListing } from '../../src/catalog/file/entries.ts';
import type { CatalogListing } from '../../src/contract/catalog-file.ts';
import { normaliseParty, priceStay, stayOf } from '../../src/pricing/index.ts';
import type { Measure } from '../measure.ts';

const plain: CatalogListing = {
  slug: 'plain',
  name: 'Plain',
  timeZone: 'Europe/Paris',
  currency: 'EUR',
  rates: { nightly: 18_000 },
};

/** Six taxes, four fees and three layers, of every form, with every kind of condition. */
const ruled: CatalogListing = {
  ...plain,
  slug: 'ruled',
  rates: {
    nightly: 18_000,
    weekdays: { fri: 21_000, sat: 21_000 },
    seasons: [
      { name: 'Summer', from: '06-15', to: '09-10', changePercent: 35, minNights: 5, priority: 1 },
      { name: 'Festival', from: '2027-07-05', to: '2027-07-12', nightly: 30_000, priority: 2 },
    ],
    dates: [{ from: '2027-07-14', to: '2027-07-14', nightly: 60_000, minNights: 3 }],
    lengthDiscounts: [{ label: 'A week', minNights: 7, percent: 10 }],
    discounts: [
      { label: 'Early bird', percent: 10, when: { daysAhead: { min: 90 } } },
      { label: 'July', percent: 5, when: { nights: { from: '07-01', to: '07-10' } } },
    ],
  },
  fees: [
    { id: 'service', label: 'Service', kind: 'fee', percent: 8, on: ['accommodation'] },
    {
      label: 'Cleaning',
      kind: 'cleaning',
      per: 'stay',
      amount: 5_000,
      when: { stayNights: { max: 20 } },
    },
    { label: 'Linen', kind: 'fee', per: 'guest', amount: 1_200, payAt: 'property' },
    { label: 'Pet', kind: 'fee', per: 'pet_night', amount: 900, taxed: false },
  ],
  taxes: [
    {
      id: 'local',
      label: 'Tourist tax',
      per: 'guest_night',
      percent: 5,
      on: ['accommodation'],
      maxAmount: 230,
      who: { ages: { from: 18 } },
      payAt: 'property',
    },
    { label: 'Additional tax', on: ['local'], percent: 25, payAt: 'property' },
    {
      label: 'Summer tax',
      per: 'guest_night',
      amount: 300,
      who: { ages: { from: 10 } },
      maxNights: 10,
      when: { nights: { from: '04-15', to: '10-31' } },
    },
    {
      label: 'Stay tax',
      per: 'guest_night',
      tiers: [
        { from: 0, amount: 200 },
        { from: 600_000, amount: 400 },
      ],
    },
    { label: 'Levy', on: ['accommodation'], percent: 2.5, net: true },
    {
      label: 'VAT',
      on: ['accommodation', 'cleaning', 'service'],
      percent: 10,
      included: true,
    },
  ],
  payment: { schedule: [{ percent: 30 }, { daysBefore: 60, percent: 40 }, { daysBefore: 14 }] },
};

const stay = stayOf({ checkIn: '2027-07-08', checkOut: '2027-07-15' });
const party = normaliseParty({ adults: 2, children: 2, childAges: [4, 12], pets: 1 });
const pricedOn = stay.checkIn - 120;
const pricesOfBatch = 1_000;
const batches = 60;

function pricer(entry: CatalogListing): () => void {
  const listing = completeListing(entry);
  return () => {
    const options = { today: pricedOn, adjustmentPercent: 0 };
    if (priceStay(listing, stay, party, options) === null) throw new Error('no price');
  };
}

/** The CPU time of a price in µs. */
function batchOf(price: () => void): number {
  const before = process.cpuUsage();
  for (let at = 0; at < pricesOfBatch; at += 1) price();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / pricesOfBatch;
}

/** The fastest batches of both, which take turns, because another process can only make one slower. */
export const measurePrice: Measure['run'] = async (rounds, onRound) => {
  const [floor, figure] = [plain, ruled].map(pricer) as [() => void, () => void];
  for (const price of [floor, figure]) batchOf(price);
  for (let round = 0; round < rounds; round += 1) {
    const taken = Array.from({ length: batches }, () => [batchOf(floor), batchOf(figure)] as const);
    onRound({
      floor: Math.min(...taken.map(([one]) => one)),
      figure: Math.min(...taken.map(([, other]) => other)),
    });
  }
};
