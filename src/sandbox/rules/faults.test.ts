import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { FaultRule } from '../../contract/sandbox/schemas.ts';
import { decideFault, faultText, type FaultState, newFaults } from './faults.ts';

const respond = { respond: 503 } as const;
const hit = { requestId: '00000000-0000-0000-0000-000000000001', at: '2027-01-01T00:00:00.000Z' };
const chance = (_seed: number, rule: number, count: number) => (rule + count) % 2;

function play(rules: FaultRule[], operations: string[]): (number | null)[] {
  let state: FaultState = newFaults(1, rules);
  return operations.map((operation) => {
    const { next, played } = decideFault(state, operation, hit, chance);
    state = next;
    return played && played.rule;
  });
}

const site = 'distribution.site.get';
const list = 'distribution.listing.list';

// Spec: SANDBOX-2.
suite('decideFault', () => {
  test('counts the calls of each operation from 1', () => {
    const rules = [{ match: { operation: site, nth: 2 }, do: respond }];
    assert.deepEqual(play(rules, [site, list, site, site]), [null, null, 0, null]);
  });

  test('acts on every so many calls', () => {
    const rules = [{ match: { operation: site, every: 2 }, do: respond }];
    assert.deepEqual(play(rules, [site, site, site, site]), [null, 0, null, 0]);
  });

  test('acts at most so many times', () => {
    const rules = [{ match: { operation: site }, times: 2, do: respond }];
    assert.deepEqual(play(rules, [site, site, site]), [0, 0, null]);
  });

  test('lets the first rule act that holds', () => {
    const rules = [
      { match: { operation: site, nth: 2 }, do: respond },
      { match: { operation: site }, do: respond },
    ];
    assert.deepEqual(play(rules, [site, site, site]), [1, 0, 1]);
  });

  test('draws by rule and count', () => {
    const rules = [{ match: { operation: site, probability: 0.5 }, do: respond }];
    assert.deepEqual(play(rules, [site, site, site, site]), [null, 0, null, 0]);
  });

  test('needs all that a match says', () => {
    const rules = [{ match: { operation: site, every: 2, nth: 4 }, do: respond }];
    assert.deepEqual(play(rules, [site, site, site, site]), [null, null, null, 0]);
  });

  test('keeps the hits', () => {
    const rules = [{ match: { operation: site }, do: respond }];
    const { next } = decideFault(newFaults(1, rules), site, hit, chance);
    assert.deepEqual(next.hits, [{ count: 1, last: [hit] }]);
    assert.deepEqual(next.counts, { [site]: 1 });
  });
});

test('faultText names the rule and what it did', () => {
  assert.equal(faultText(0, { drop: 'after' }), 'rule 1: drop after');
  assert.equal(faultText(null, { html: 502 }), 'conformance run: html 502');
});
