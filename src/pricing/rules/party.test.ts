import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  guestsOf,
  normaliseParty,
  partyProblems,
  partyRefusal,
  type PartyLimits,
  type PartyRefusal,
} from './party.ts';
import { listings, parties } from '../../../test/harness/arbitraries.ts';

const STRICT: PartyLimits = {
  sleeps: 4,
  party: { children: false, infants: false, maxPets: 0 },
};
const OPEN: PartyLimits = {
  sleeps: null,
  party: { children: true, infants: true, maxPets: 2 },
};
const COUPLE = { adults: 2, children: 0, infants: 0, pets: 0 };

suite('party', () => {
  // Spec: PARTY-1.
  test('party › absent members count as 0', () => {
    assert.deepEqual(normaliseParty({ adults: 2 }), COUPLE);
    assert.deepEqual(normaliseParty({ adults: 1, pets: 3, children: undefined }), {
      adults: 1,
      children: 0,
      infants: 0,
      pets: 3,
    });
  });

  // Spec: PARTY-4.
  test('party › one age for each child, or none at all', () => {
    const pathsOf = (children: number, childAges?: number[]) =>
      partyProblems({ adults: 2, children, ...(childAges && { childAges }) }).map(
        ({ path }) => path,
      );
    assert.deepEqual(pathsOf(2), []);
    assert.deepEqual(pathsOf(2, [4, 9]), []);
    assert.deepEqual(pathsOf(0, []), []);
    for (const ages of [[], [4], [4, 9, 9]]) {
      assert.deepEqual(pathsOf(2, ages), ['/party/childAges'], ages.join());
    }
  });

  // Spec: PARTY-2.
  test('party › adults and children count against sleeps, infants do not', () => {
    const limits = { ...OPEN, sleeps: 4 };
    assert.equal(partyRefusal(limits, { ...COUPLE, children: 2, infants: 9 }), null);
    assert.equal(partyRefusal(limits, { ...COUPLE, children: 3 }), 'too_many_guests');
    assert.equal(partyRefusal(limits, { ...COUPLE, adults: 5 }), 'too_many_guests');
    assert.equal(guestsOf({ adults: 2, children: 3, infants: 4, pets: 5 }), 5);
  });

  test('party › without sleeps at most 50 adults and children', () => {
    assert.equal(partyRefusal(OPEN, { ...COUPLE, adults: 20, children: 30 }), null);
    assert.equal(partyRefusal(OPEN, { ...COUPLE, adults: 50 }), null);
    assert.equal(partyRefusal(OPEN, { ...COUPLE, adults: 51 }), 'too_many_guests');
    assert.equal(partyRefusal(OPEN, { ...COUPLE, adults: 1, children: 50 }), 'too_many_guests');
    const large = { ...OPEN, sleeps: 60 };
    assert.equal(partyRefusal(large, { ...COUPLE, adults: 60 }), null);
  });

  test('party › at most 10 infants, with any `sleeps`', () => {
    for (const sleeps of [null, 2, 60]) {
      const limits = { ...OPEN, sleeps };
      assert.equal(partyRefusal(limits, { ...COUPLE, infants: 10 }), null);
      assert.equal(partyRefusal(limits, { ...COUPLE, infants: 11 }), 'too_many_guests');
    }
    assert.equal(partyRefusal(STRICT, { ...COUPLE, infants: 11 }), 'too_many_guests');
  });

  // Spec: PARTY-3.
  test('party › each rule alone', () => {
    assert.equal(partyRefusal(STRICT, COUPLE), null);
    assert.equal(partyRefusal(STRICT, { ...COUPLE, children: 1 }), 'children_not_allowed');
    assert.equal(partyRefusal(STRICT, { ...COUPLE, infants: 1 }), 'infants_not_allowed');
    assert.equal(partyRefusal(STRICT, { ...COUPLE, pets: 1 }), 'pets_not_allowed');
    const onePet = { ...OPEN, party: { ...OPEN.party, maxPets: 1 } };
    assert.equal(partyRefusal(onePet, { ...COUPLE, pets: 1 }), null);
    assert.equal(partyRefusal(onePet, { ...COUPLE, pets: 2 }), 'too_many_pets');
    assert.equal(partyRefusal(OPEN, { ...COUPLE, pets: 2 }), null);
    assert.equal(partyRefusal(OPEN, { ...COUPLE, pets: 3 }), 'too_many_pets');
  });

  // Spec: PARTY-5.
  test('party › of several broken rules the first of the list is the reason', () => {
    const steps: [party: typeof COUPLE, first: PartyRefusal][] = [
      [{ adults: 9, children: 1, infants: 1, pets: 1 }, 'too_many_guests'],
      [{ adults: 1, children: 1, infants: 1, pets: 1 }, 'children_not_allowed'],
      [{ adults: 1, children: 0, infants: 1, pets: 1 }, 'infants_not_allowed'],
      [{ adults: 1, children: 0, infants: 0, pets: 1 }, 'pets_not_allowed'],
    ];
    for (const [party, first] of steps) assert.equal(partyRefusal(STRICT, party), first);
    const somePets = { ...STRICT, party: { ...STRICT.party, maxPets: 1 } };
    const tooManyPets = { adults: 1, children: 0, infants: 1, pets: 2 };
    assert.equal(partyRefusal(somePets, tooManyPets), 'infants_not_allowed');
  });

  test('party › an accepted party is accepted with fewer pets, infants or children', () => {
    fc.assert(
      fc.property(
        listings(),
        parties(),
        fc.constantFrom('children', 'infants', 'pets'),
        (listing, party, member) => {
          fc.pre(party[member] > 0);
          const fewer = { ...party, [member]: party[member] - 1 };
          if (partyRefusal(listing, party) === null) {
            assert.equal(partyRefusal(listing, fewer), null);
          }
        },
      ),
    );
  });
});
