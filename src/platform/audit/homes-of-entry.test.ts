import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { homesOfDetails } from './homes-of-entry.ts';

describe('the homes of an entry', () => {
  const cases = [
    ['the one that it is about', { listing: 'casa', from: '2027-01-01' }, ['casa']],
    [
      'each of a list, once',
      { homes: [{ listing: 'a' }, { listing: 'b' }, { listing: 'a' }] },
      ['a', 'b'],
    ],
    ['slugs', { homes: ['a', 'b'] }, ['a', 'b']],
    ['none', { listings: 3, first: ['x', null, 7], listing: null }, []],
  ] as const;
  for (const [what, details, homes] of cases) {
    it(what, () => {
      assert.deepEqual(homesOfDetails(details), homes);
    });
  }
});
