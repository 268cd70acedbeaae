/** What a change of rates does, in the words of the console. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  changedNights,
  homesWithLessNights,
  nightsIn,
} from '../console/src/operator/pages/calendar/changed-nights.ts';

const rates = {
  nightly: 10_000,
  minNights: 2,
  maxNights: 28,
  minNightsThrough: null,
  arrivalDays: [],
  departureDays: [],
};

const change = (listing: string, [from, to]: string[], nightly: number, minNights: number) => {
  const before = { ...rates, nightly, minNights };
  const after = { ...before, minNights: 5 };
  return { listing, name: listing, currency: 'EUR', from: from!, to: to!, before, after };
};

suite('changed nights', () => {
  const changes = [
    change('casa', ['2027-12-24', '2027-12-25'], 10_000, 2),
    change('casa', ['2027-12-26', '2027-12-28'], 20_000, 2),
    change('casa', ['2027-12-30', '2027-12-30'], 20_000, 2),
    change('casa', ['2027-12-31', '2027-12-31'], 20_000, 7),
    change('mews', ['2028-01-01', '2028-01-02'], 20_000, 7),
  ];

  test('are one line while they follow each other and the same changes', () => {
    assert.deepEqual(
      changedNights(changes).map(({ listing, from, to, differences }) => [
        listing,
        from,
        to,
        differences,
      ]),
      [
        ['casa', '2027-12-24', '2027-12-28', 'Minimum nights 2 → 5'],
        ['casa', '2027-12-30', '2027-12-30', 'Minimum nights 2 → 5'],
        ['casa', '2027-12-31', '2027-12-31', 'Minimum nights 7 → 5'],
        ['mews', '2028-01-01', '2028-01-02', 'Minimum nights 7 → 5'],
      ],
    );
  });

  test('are counted', () => assert.equal(nightsIn(changes), 9));

  test('tell at how many homes an arrival needs fewer nights', () => {
    assert.equal(homesWithLessNights(changes), 2);
    assert.equal(homesWithLessNights(changes.slice(0, 3)), 0);
  });
});
