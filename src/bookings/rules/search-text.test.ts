/** What the texts mean that staff type into the one search. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameWords, phoneWord, searchWords } from './guest-identity.ts';
import { referenceMeant, searchedFor } from './search-text.ts';

const today = '2026-11-26';
const night = (text: string) => searchedFor(text, today).night;

describe('a reference that was written without hyphens or capitals', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['0s0q2a21', 'LK-0S0Q-2A21'],
    ['OsOq 2a2I', 'LK-0S0Q-2A21'],
    ['lk-0s0q-2a2l', 'LK-0S0Q-2A21'],
    ['LK 0S0Q2A21', 'LK-0S0Q-2A21'],
    ['LKO12345', 'LK-1K01-2345'],
    ['0s0q2a2', null],
    ['Schubert', null],
  ];
  for (const [text, reference] of cases) {
    it(`${text} is ${reference}`, () => assert.equal(referenceMeant(text), reference));
  }
});

describe('a day in a text', () => {
  const cases: readonly (readonly [string, string | null])[] = [
    ['2027-08-14', '2027-08-14'],
    ['9999-12-31', null],
    ['14.8.1312', null],
    ['14.8.', '2026-08-14'],
    ['3.1.', '2027-01-03'],
    ['3.1.2028', '2028-01-03'],
    ['villa rosa 14 aug 2027', '2027-08-14'],
    ['Dec 24', '2026-12-24'],
    ['24. December', '2026-12-24'],
    ['tomorrow', '2026-11-27'],
    ['31.2.', null],
    ['+49 171 2345678', null],
    ['Maya', null],
    ['Martin 12', null],
    ['villa rosa, 14.8.', '2026-08-14'],
    // Of an email, an ID and a partner's references.
    ['f08acb45-6cf6-4feb-adf4-6ce1e14a0137@example.com', null],
    ['1c7d5c5e-90b1-4dec-8a52-6ce1e14a0137', null],
    ['today@example.com', null],
    ['ORDER-2027-08-14', null],
    ['P12.8.2027/4', null],
  ];
  for (const [text, date] of cases) it(`${text}: ${date}`, () => assert.equal(night(text), date));

  it('is not part of what is searched beside it', () => {
    const found = searchedFor('Villa  Rosa 14.8.2027', today);
    assert.deepEqual([found.rest, found.words], ['Villa Rosa', ['villa', 'rosa']]);
  });
});

describe('a guest', () => {
  it('is found by words in each spelling', () => {
    for (const name of ['Müller', 'MUELLER', 'muller', 'Mu\u0308ller']) {
      assert.deepEqual(nameWords(name), ['muller']);
    }
    assert.deepEqual(nameWords("Seán O'Neill-Weiß"), ['sean', 'oneill', 'weis']);
  });

  it('is found by the end of the phone number, with a country code and without', () => {
    const kept = searchWords({ firstName: 'A', lastName: 'B', phone: '+49 (171) 234-5678' });
    assert.deepEqual(kept, ['word a', 'word b', 'phone 12345678', 'phone 345678']);
    assert.equal(phoneWord('0171 2345678'), 'phone 12345678');
    assert.equal(phoneWord('345678'), 'phone 345678');
    assert.equal(phoneWord('45678'), null);
  });

  it('is searched by email or by phone where the text is one, and then not by name', () => {
    assert.deepEqual(searchedFor('a@b.example', today).words, []);
    assert.equal(searchedFor('0171 2345678', today).phone, 'phone 12345678');
    assert.deepEqual(searchedFor('0171 2345678', today).words, []);
    assert.equal(searchedFor('45678', today).isShortPhone, true);
  });
});
