import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPerson } from './guest-identity.ts';

const ada = {
  firstName: 'Ada',
  lastName: 'King  Lovelace',
  email: 'Ada@Example.com',
  phone: '+44 20 7946-0001',
};

test('a person is named by email, phone digits, whole name or last name; all that is given must fit', () => {
  const cases: [Parameters<typeof isPerson>[1], boolean][] = [
    [{ email: ' ada@example.COM ' }, true],
    [{ email: 'ada@example.co' }, false],
    [{ phone: '442079460001' }, true],
    [{ phone: '+44 (20) 7946 0001' }, true],
    [{ phone: '2079460001' }, false],
    [{ name: 'ada king lovelace' }, true],
    [{ name: 'KING LOVELACE' }, true],
    [{ name: 'Ada' }, false],
    [{ email: 'ada@example.com', name: 'Grace' }, false],
    [{ email: 'ada@example.com', phone: '44 2079460001', name: 'King Lovelace' }, true],
  ];
  for (const [person, expected] of cases) {
    assert.equal(isPerson(ada, person), expected, JSON.stringify(person));
  }
});

test('people with one name have no last name that everybody without one would share', () => {
  const cher = { ...ada, firstName: 'Cher', lastName: '' };
  assert.equal(isPerson(cher, { name: 'cher' }), true);
  assert.equal(isPerson(cher, { name: ' ' }), false);
});
