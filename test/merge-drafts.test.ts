/** What becomes of the form of a home that somebody else has saved meanwhile. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { mergeDrafts } from '../console/src/operator/pages/homes/merge-drafts.ts';

const base = {
  name: 'Casa',
  blurb: 'By the sea',
  rates: { nightly: 100, seasons: [{ from: '2027-07-01' }] },
  amenities: ['wifi'],
};

suite('entries in the form of a home', () => {
  test('stay over what somebody else has saved in other members, at any depth', () => {
    const draft = { ...base, name: 'Casa Azul', rates: { ...base.rates, nightly: 120 } };
    const saved = { ...base, blurb: 'At the pier', rates: { ...base.rates, seasons: [] } };
    assert.deepEqual(mergeDrafts(base, draft, saved), {
      merged: {
        name: 'Casa Azul',
        blurb: 'At the pier',
        rates: { nightly: 120, seasons: [] },
        amenities: ['wifi'],
      },
      theirs: ['/blurb', '/rates/seasons'],
      both: [],
    });
  });

  test('are named where both have changed the same, and win', () => {
    const draft = { ...base, amenities: ['wifi', 'pool'], name: 'Same' };
    const saved = { ...base, amenities: ['wifi', 'sauna'], name: 'Same' };
    const { merged, both } = mergeDrafts(base, draft, saved);
    assert.deepEqual(merged, { ...base, name: 'Same', amenities: ['wifi', 'pool'] });
    assert.deepEqual(both, ['/amenities']);
  });

  test('take a member away, and take away what has a changed member', () => {
    const { blurb: _, ...draft } = base;
    const { rates: __, ...saved } = base;
    const priced = { ...draft, rates: { ...base.rates, nightly: 130 } };
    const { merged, theirs, both } = mergeDrafts<Partial<typeof base>>(base, priced, saved);
    assert.deepEqual(merged, { name: 'Casa', amenities: ['wifi'], rates: { nightly: 130 } });
    assert.deepEqual([theirs, both], [['/rates'], ['/rates/nightly']]);
  });
});
