import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { changedParts } from './changed-parts.ts';

type Home = Parameters<typeof changedParts>[0];

const home = {
  slug: 'cottage',
  name: 'Cottage',
  currency: 'USD',
  fees: [],
  party: { children: true, infants: true, maxPets: 0 },
  rates: {
    nightly: 10_000,
    weekdays: {},
    seasons: [
      { name: 'Summer', from: '2027-06-01', to: '2027-08-31', nightly: 20_000, minNights: 3 },
    ],
    dates: [
      { from: '2027-03-01', to: '2027-03-05', nightly: 12_000 },
      { from: '2027-04-01', to: '2027-04-02', minNights: 2 },
    ],
    lengthDiscounts: [],
  },
} as unknown as Home;

const changed = (change: Partial<Home>) => changedParts(home, { ...home, ...change });
const rates = (change: Partial<Home['rates']>) => changed({ rates: { ...home.rates, ...change } });
const [summer] = home.rates.seasons;
const [first, second] = home.rates.dates;

suite('what has changed in a home', () => {
  const none = { kinds: [], nights: null };
  test('the same, also with members in another order or absent', () => {
    assert.deepEqual(changed({}), none);
    assert.deepEqual(changed({ party: { maxPets: 0, infants: true, children: true } }), none);
    assert.deepEqual(
      rates({ dates: [{ ...first!, maxNights: undefined }, second!] } as never),
      none,
    );
  });

  test('content, prices and rules', () => {
    assert.deepEqual(changed({ name: 'House' }), { kinds: ['content'], nights: null });
    assert.deepEqual(rates({ nightly: 11_000 }), { kinds: ['rates'], nights: null });
    assert.deepEqual(changed({ party: { ...home.party, maxPets: 1 } }), {
      kinds: ['content', 'rules'],
      nights: null,
    });
  });

  test('a change of a season names what of it has changed', () => {
    const kindsOf = (season: object) =>
      rates({ seasons: [{ ...summer!, ...season }] } as never).kinds;
    assert.deepEqual(kindsOf({ nightly: 21_000 }), ['rates']);
    assert.deepEqual(kindsOf({ minNights: 4 }), ['rules']);
    assert.deepEqual(kindsOf({ minNightsThrough: 4 }), ['rules']);
    assert.deepEqual(kindsOf({ departureDays: ['sat'] }), ['rules']);
    assert.deepEqual(kindsOf({ to: '2027-09-01' }), ['rates', 'rules']);
    assert.deepEqual(rates({ seasons: [] }).kinds, ['rates', 'rules']);
  });

  test('dates alone have their nights', () => {
    const dates = (...list: object[]) => rates({ dates: list } as never);
    assert.deepEqual(dates({ ...first!, nightly: 13_000 }, second!), {
      kinds: ['rates'],
      nights: { from: '2027-03-01', until: '2027-03-06' },
    });
    assert.deepEqual(dates(first!), {
      kinds: ['rules'],
      nights: { from: '2027-04-01', until: '2027-04-03' },
    });
    assert.deepEqual(dates(), {
      kinds: ['rates', 'rules'],
      nights: { from: '2027-03-01', until: '2027-04-03' },
    });
  });

  test('dates and something else have no nights', () => {
    assert.deepEqual(rates({ nightly: 1, dates: [] }), { kinds: ['rates', 'rules'], nights: null });
  });
});
