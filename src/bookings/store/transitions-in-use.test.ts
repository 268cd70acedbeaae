import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { transitionsInUse } from './transitions-in-use.ts';

suite('the transitions in use', () => {
  const all = transitionsInUse();
  const none = (what: string, isWrong: (clauses: (typeof all)[number]) => boolean): void =>
    void test(what, () => assert.deepEqual(all.filter(isWrong), []));

  test('are written by commands, workers and staff', () => {
    assert.ok(all.some(({ journal, claim }) => journal && claim));
    assert.ok(all.some(({ fence }) => fence));
    assert.ok(all.some(({ journal, fence, reservation }) => !journal && !fence && reservation));
  });

  none('a claim locks no promotion', ({ claim, promotion }) => claim && promotion);
  none(
    'what claims or counts is a command',
    ({ claim, counts, journal }) => (claim || counts) && !journal,
  );
  none('a session is compared together with the quote', ({ session, quote }) => session && !quote);
  none('a worker writes no command', ({ fence, journal }) => fence && journal);
  none(
    'a reservation has nights and events',
    (one) => one.reservation && !(one.nights && one.events),
  );
});
