/** What is slow has a bulkhead of its own. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { createBulkheads, type BulkheadAttempt, type Bulkheads } from './bulkheads.ts';

const limits = { quick: 4, trial: 2, slow: 3, waiting: 6, quickMs: 500 };

describe('the bulkheads', () => {
  let now = 0;
  let bulkheads: Bulkheads;

  beforeEach(() => {
    now = 0;
    bulkheads = createBulkheads(limits, () => now);
  });

  function begin(target: string, count = 1): BulkheadAttempt[] {
    const attempts = Array.from({ length: count }, () => ({ target }));
    attempts.forEach((attempt) => bulkheads.begin(attempt));
    return attempts;
  }

  /** Marks endpoints as fast. */
  function proven(...endpointIds: string[]): void {
    for (const id of endpointIds) begin(id).forEach((attempt) => bulkheads.end(attempt, true));
  }

  it('try an unknown endpoint with one attempt, a limited number at a time', () => {
    assert.equal(bulkheads.freeSlots('a'), 1);
    begin('a');
    assert.equal(bulkheads.freeSlots('a'), 0);
    assert.equal(bulkheads.freeSlots('b'), 1);
    begin('b');
    assert.equal(bulkheads.freeSlots('c'), 0);
  });

  it('have no free slot when full, and one after an attempt ends', () => {
    proven('a', 'b');
    const [first] = begin('a', 4);
    assert.equal(bulkheads.freeSlots('b'), 0);
    bulkheads.end(first!, true);
    assert.equal(bulkheads.freeSlots('b'), 1);
  });

  it('free the slot of an attempt that failed, however many fail', () => {
    bulkheads.failing('bad');
    for (let n = 0; n <= limits.slow; n += 1) {
      begin('bad').forEach((attempt) => bulkheads.end(attempt, false));
    }
    assert.equal(bulkheads.freeSlots('bad'), limits.slow);
    for (let n = 0; n <= limits.trial; n += 1) {
      begin(`new ${n}`).forEach((attempt) => bulkheads.end(attempt, false));
    }
    assert.equal(bulkheads.freeSlots('newer'), 1);
  });

  it('move a slow attempt with its endpoint, and free its slot for others', () => {
    proven('hanging', 'b');
    begin('hanging', 4);
    now = 499;
    bulkheads.sort();
    assert.equal(bulkheads.freeSlots('b'), 0);
    now = 500;
    bulkheads.sort();
    assert.equal(bulkheads.freeSlots('b'), 4);
    assert.equal(bulkheads.freeSlots('hanging'), 0);
  });

  // Spec: WEBHOOK-10.
  it('keep a failing endpoint apart from others, however fast it fails', () => {
    proven('good');
    bulkheads.failing('bad');
    begin('bad', 3);
    assert.equal(bulkheads.freeSlots('bad'), 0);
    assert.equal(bulkheads.freeSlots('good'), 4);
  });

  it('accept an endpoint again that succeeds quickly', () => {
    bulkheads.failing('bad');
    const [attempt] = begin('bad');
    bulkheads.end(attempt!, true);
    assert.equal(bulkheads.freeSlots('bad'), 4);
    const [failed] = begin('bad');
    bulkheads.end(failed!, false);
    assert.equal(bulkheads.freeSlots('bad'), 3);
    const [slow] = begin('bad');
    now += 600;
    bulkheads.end(slow!, true);
    assert.equal(bulkheads.freeSlots('bad'), 3);
  });

  it('forget deleted endpoints', () => {
    bulkheads.failing('gone');
    begin('gone', 3);
    assert.equal(bulkheads.freeSlots('gone'), 0);
    bulkheads.keep(new Set());
    assert.equal(bulkheads.freeSlots('gone'), 1);
  });

  it('have free slots for an endpoint that responds, however many never do', () => {
    const endpoint = fc.record({
      id: fc.integer({ min: 0, max: 50 }),
      wait: fc.integer({ min: 0, max: 700 }),
    });
    fc.assert(
      fc.property(fc.array(endpoint, { maxLength: 80 }), (steps) => {
        now = 0;
        bulkheads = createBulkheads(limits, () => now);
        proven('good');
        let hanging = 0;
        for (const { id, wait } of steps) {
          now += wait;
          bulkheads.sort();
          if (bulkheads.freeSlots(String(id)) > 0) {
            begin(String(id));
            hanging += 1;
          }
          assert.ok(hanging <= limits.waiting);
          assert.equal(bulkheads.freeSlots('good'), limits.quick);
        }
      }),
    );
  });

  it('serve each of several targets, then the first, and no more together than there are slots', () => {
    proven('a', 'b', 'c');
    bulkheads.failing('bad');
    const all = ['a', 'b', 'new', 'newer', 'newest', 'bad', 'c'];
    const chosen = bulkheads.choose(all, () => 3);
    assert.deepEqual(Object.fromEntries(chosen), { a: 2, b: 1, new: 1, newer: 1, bad: 3, c: 1 });
    assert.equal(bulkheads.choose(['a'], () => 0).size, 0);
  });

  it('measure a target by its own time, where the attempt goes on after its answer', () => {
    proven('a');
    const [attempt] = begin('a');
    now = 5_000;
    bulkheads.sort();
    assert.equal(bulkheads.paceOf('a'), 'slow');
    bulkheads.end(attempt!, true, 10);
    assert.equal(bulkheads.paceOf('a'), 'quick');
  });

  it('take what is expected of a target only until it is known', () => {
    bulkheads.expect('a', 'quick');
    assert.equal(bulkheads.paceOf('a'), 'quick');
    bulkheads.failing('a');
    bulkheads.expect('a', 'quick');
    assert.equal(bulkheads.paceOf('a'), 'slow');
    assert.equal(bulkheads.paceOf('b'), 'unknown');
  });
});
